import { http } from '../servers/server-process.ts'
import { expectAccessible } from './support/accessibility.ts'
import { expectInSight } from './support/in-sight.ts'
import { expect, test } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'

test('a new phone shows on the Online page right away, and takes the place of the old one by keyboard', async ({
  hostPage: page,
  host,
  server,
  addPeople,
  openPhone,
}) => {
  const people = await addPeople(['amina', 'bela'])
  for (const person of people) await openPhone(person)
  const device = { device_id: 'new', device_model: 'iPhone 17', platform: 'web', host_id: host.user_id }
  const post = (path: string, username: string) =>
    http(server, 'POST', path, { body: { ...device, username, password: `${username}-password` } })
  await page.goto(`${server.host_url}/host/online`)
  await expect(page.getByText('Up to date', { exact: true })).toBeVisible()
  const inbox = page.getByRole('button', { name: /^New phones/ })
  await inbox.click()
  await expect(page.getByText('No phone is waiting for approval')).toBeVisible()
  await expectAccessible(page, 'the empty inbox')

  for (const { username } of people) expect((await post('/mobile/phone-requests', username)).status).toBe(200)
  await expect(inbox).toHaveAccessibleName(/2 phones wait for you$/)
  await expect(page).toHaveTitle('(2) Online Users · Parley')
  await expectAccessible(page, 'the inbox')
  const approve = page.getByRole('button', { name: 'Approve the new phone of amina' })
  await page.getByRole('button', { name: 'Refuse the new phone of amina' }).focus()
  await page.keyboard.press('Tab')
  await expect(approve).toBeFocused()
  await page.keyboard.press('Enter')
  await expectToastOn(page, 'The old phone is signed out, and amina can sign in from the new one.')
  await expect(approve).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'New phones' })).toBeFocused()
  expect((await post('/mobile/login', 'amina')).status).toBe(200)
  expect((await post('/mobile/login', 'bela')).body.code).toBe('device_mismatch')
  await page.keyboard.press('Escape')
  await expect(inbox).toBeFocused()
})

test('the button of the inbox shows its words on a phone', async ({ hostPage: page, server, addPeople }) => {
  await addPeople(['amina'])
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/host/users', '/host/online']) {
    await page.goto(server.host_url + path)
    const words = page.getByRole('button', { name: 'New phones', exact: true }).getByText('New phones')
    await expectInSight(words, path)
    const isWhole = () =>
      words.evaluate(({ clientWidth, scrollWidth }) => clientWidth > 60 && scrollWidth <= clientWidth)
    await expect.poll(isWhole, path).toBe(true)
  }
})
