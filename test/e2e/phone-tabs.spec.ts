import { tile } from './support/online-room.ts'
import { makeLink } from './support/people.ts'
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

const BY_LINK = 'Sign in as the invited person'

test('a link for another person ends the stay in the first tab, and both tabs go on with that person', async ({
  server,
  host,
  room,
  meeting,
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
  await second.goto(await makeLink(server, host, room.personNamed('Ben Carter')))
  await expect(second.getByText(/This phone is signed in as .*Amina Yusuf/)).toBeVisible()
  await tap(second, BY_LINK).press('Enter')
  await expect(tap(second, 'Join')).toBeVisible()
  await expect(first.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  await second.reload()
  await expect(tap(second, 'Join')).toBeVisible()

  await expect(first.getByText(/This phone is signed in as .*Ben Carter/)).toBeVisible()
  await tap(first, 'Go on here').press('Enter')
  await expect(tap(first, 'Join')).toBeVisible()
  await expect(first.getByText('Ben Carter').first()).toBeVisible()
})

test('a link that is tapped in two tabs at once signs both in', async ({ server, host, room, newPhone }) => {
  const phone = await newPhone()
  const url = await makeLink(server, host, room.personNamed('Ben Carter'))
  const [first, second] = [await phone.newPage(), await phone.newPage()]
  const devtools = await phone.newCDPSession(first)
  const answered = new Promise<string>((resolve) =>
    devtools.once('Fetch.requestPaused', ({ requestId }) => resolve(requestId)),
  )
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/link-login', requestStage: 'Response' }] })
  for (const tab of [first, second]) {
    await tab.goto(url)
    await expect(tab.getByText(/It is for .*Ben Carter/)).toBeVisible()
  }
  await tap(first, BY_LINK).press('Enter')
  const requestId = await answered
  await tap(second, BY_LINK).press('Enter')
  await expect(tap(second, BY_LINK)).toBeHidden()
  await devtools.send('Fetch.continueRequest', { requestId })
  for (const tab of [first, second]) {
    await expect(tap(tab, 'Join')).toBeVisible()
    await tab.reload()
    await expect(tap(tab, 'Join')).toBeVisible()
  }
})
