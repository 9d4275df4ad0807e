import { tile } from './support/online-room.ts'
import { joinAudio, joinSound, tap, test } from './support/phone-app.ts'
import { expect } from './support/test.ts'

test('a second tab takes the room over, and the first says so, keeps its sign-in, and takes it back by a tap alone', async ({
  page,
  room,
  meeting,
  server,
  newPhone,
  openApp,
  openOnline,
}) => {
  await meeting.start()
  const phone = await newPhone()
  const amina = await openApp(room.personNamed('Amina Yusuf'), phone)
  const first = amina.page
  await openOnline()
  await joinSound({ page: first })
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'listening')

  const second = await phone.newPage()
  await second.goto(server.phone_url)
  await expect(tap(second, 'Join')).toBeVisible()
  await expect(first.locator('iframe')).toHaveCount(1) // a tab takes over only in the room

  await joinSound({ page: second })
  await expect(first.getByRole('heading', { name: 'Opened in another tab' })).toBeVisible()
  await expect(first.locator('iframe')).toHaveCount(0)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'listening')
  await first.reload()
  await expect(tap(first, 'Join')).toBeVisible()
  await expect(second.locator('iframe')).toHaveCount(1)

  await joinSound({ page: first })
  await expect(second.getByRole('heading', { name: 'Opened in another tab' })).toBeVisible()
  await tap(second, 'Use here').dblclick()
  await joinAudio(second)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'listening') // the second tap did not raise a hand
  await expect(first.getByRole('heading', { name: 'Opened in another tab' })).toBeVisible()
})

test('signing out in a tab before the room ends the stay in another tab, which does not blame the host', async ({
  room,
  meeting,
  server,
  newPhone,
  openApp,
  consoleErrors,
}) => {
  consoleErrors.allow(/401 \(Unauthorized\)/)
  await meeting.start()
  const phone = await newPhone()
  const { page: first } = await openApp(room.personNamed('Amina Yusuf'), phone)
  await joinSound({ page: first })
  const second = await phone.newPage()
  await second.goto(server.phone_url)
  await tap(second, 'Sign out').click()
  await expect(second.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  await expect(first.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
})
