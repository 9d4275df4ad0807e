import type { Locator } from '@playwright/test'
import { pressByKey } from './support/online-room.ts'
import { makeLink } from './support/people.ts'
import { tap, test } from './support/phone-app.ts'
import { expect } from './support/test.ts'

test('a second phone is refused in plain words, asks the host, and is let in with one click', async ({
  page,
  server,
  host,
  room,
  meeting,
  newPhone,
  openApp,
  openOnline,
  consoleErrors,
}) => {
  await meeting.start()
  consoleErrors.allow(/40[13] \((Unauthorized|Forbidden)\)/)
  const person = room.personNamed('Amina Yusuf')
  const old = await openApp(person)
  await tap(old.page, 'Join').click()
  await openOnline()

  const phone = await (await newPhone()).newPage()
  await phone.goto(`${server.phone_url}/?host=${host.user_id}`)
  await phone.getByLabel('Username').fill(person.username)
  await phone.getByLabel('Password', { exact: true }).fill(person.password)
  await tap(phone, 'Sign in').press('Enter')
  await expect(phone.getByText('This account is linked to another phone.').first()).toBeVisible()
  for (const height of [844, 568]) {
    await phone.setViewportSize({ width: height === 844 ? 390 : 320, height })
    await expectUncovered(phone.getByRole('alert'))
    await expectUncovered(tap(phone, 'Ask the host to switch to this phone'))
  }
  await tap(phone, 'Ask the host to switch to this phone').click()
  await expect(phone.getByText('Waiting for your host').first()).toBeVisible()

  await page.getByRole('button', { name: /1 phone waits for you/ }).click()
  await pressByKey(page, 'Approve the new phone of Amina Yusuf')
  await expect(tap(phone, 'Join')).toBeVisible()
  await expect(old.page.getByText('Your account has moved to another phone').first()).toBeVisible()
})

test('a one-time link signs a person in without typing, once', async ({
  page,
  server,
  host,
  room,
  newPhone,
  consoleErrors,
}) => {
  consoleErrors.allow(/400 \(Bad Request\)/)
  const person = room.personNamed('Ben Carter')
  const url = await makeLink(server, host, person)
  const phone = await (await newPhone()).newPage()
  await phone.goto(url)
  await expect(phone.getByText(host.room_name).first()).toBeVisible()
  expect(phone.url()).toBe(`${server.phone_url}/?host=${host.user_id}`)
  await tap(phone, 'Sign in as the invited person').click()
  await expect(tap(phone, 'Join')).toBeVisible()
  await expect(phone.getByText('Ben Carter').first()).toBeVisible()

  await phone.goto('about:blank')
  await phone.goto(url) // from the chat, a week later
  await expect(tap(phone, 'Join')).toBeVisible()
  await phone.evaluate(() => localStorage.removeItem('parley.phone.link')) // as if the user had signed in another way
  await phone.goto('about:blank')
  await phone.goto(url)
  await expect(phone.getByText(/This link has been used already or has run out/).first()).toBeVisible()

  await page.goto(url)
  await expect(page.getByText(/This link has been used already or has run out/).first()).toBeVisible()
})

/** The part is on screen without scrolling, and nothing covers it. */
async function expectUncovered(part: Locator): Promise<void> {
  await expect(part).toBeInViewport({ ratio: 1 })
  const isOnTop = () =>
    part.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
  await expect.poll(isOnTop).toBe(true)
}
