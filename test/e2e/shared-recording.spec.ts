import { http } from '../servers/server-process.ts'
import { axeViolations, expectNoSidewaysScroll } from './support/accessibility.ts'
import { storeSession } from './support/hosts.ts'
import { tap, test } from './support/phone-app.ts'
import { expect } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'
import { addRecordings } from './support/zoom-host.ts'

test('a host lets users hear a recording in the phone app, by a link, and stops it', async ({
  page,
  server,
  host,
  room,
  openApp,
}) => {
  await addRecordings(server, host, [new Date(Date.now() - 3_600_000)])
  const person = room.personNamed('Amina Yusuf')
  const { page: phone } = await openApp(person)
  await storeSession(page, server.host_url, host)
  await page.goto(`${server.host_url}/host/recordings`)
  await page.getByRole('button', { name: /^Share .* in the phone app$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('30 days').click()
  await dialog.getByRole('button', { name: 'Let users hear it' }).click()
  await expectToastOn(page, 'Users can hear it in the app')
  await expect(page.getByText('In the app', { exact: true })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  const { id } = (await http(server, 'GET', '/recordings', host)).body.data.recordings[0]
  const link = `${server.phone_url}/?host=${host.user_id}#recording=${id}`
  await expect(dialog.getByLabel('Link to it')).toHaveValue(link)

  await phone.goto(link) // changes the fragment alone
  await phone.getByRole('button', { name: /^Play/ }).press('Enter')
  const audio = phone.locator('audio')
  const seconds = () => audio.evaluate((element: HTMLAudioElement) => element.currentTime)
  await expect.poll(seconds).toBeGreaterThan(0.2)
  await expectNoSidewaysScroll(phone, 'recordings')
  expect(await axeViolations(phone)).toEqual([])

  await dialog.getByRole('button', { name: 'Stop', exact: true }).click()
  await expectToastOn(page, 'Users can no longer hear it')
  await phone.reload()
  await expect(phone.getByText(/^Your host no longer shares this recording/)).toBeVisible()
  await tap(phone, 'Back').press('Enter')
  await expect(tap(phone, 'Join')).toBeVisible()
  await expect(tap(phone, 'Listen to recordings')).toBeHidden()
})
