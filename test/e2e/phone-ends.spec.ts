import { http, type ServerProcess } from '../servers/server-process.ts'
import type { ConsoleSession, TestHost } from './support/hosts.ts'
import { tile } from './support/online-room.ts'
import type { Person } from './support/people.ts'
import { speak, tap, test, zoom } from './support/phone-app.ts'
import { expect } from './support/test.ts'
import { control } from './support/zoom.ts'

interface Who {
  server: ServerProcess
  host: TestHost
  master: ConsoleSession
  person: Person
}

/** An action of the host or the master, the phone's message for it, and the remedy. */
const ENDS: [string, (who: Who) => Promise<{ status: number }>, string, RegExp][] = [
  [
    'deactivates the user',
    (who) => ofUser(who, 'POST', '/deactivate'),
    'Your account was switched off',
    /ask your host/,
  ],
  ['deletes the user', (who) => ofUser(who, 'POST', '/delete'), 'Your account is gone', /ask your host for a new one/],
  [
    'changes the password',
    (who) => ofUser(who, 'PUT', '', { ...who.person, password: 'another-evening-8' }),
    'Your password was changed',
    /new password/,
  ],
  ['switches the phone', (who) => ofUser(who, 'POST', '/switch'), /moved to another phone/.source, /new phone/],
  ['signs the user out', (who) => ofUser(who, 'POST', '/logout'), 'The host has signed you out', /sign in again/],
  [
    'stops the room',
    ({ server, host }) => http(server, 'POST', '/host/profile/stop', { token: host.token }),
    'The host has stopped the room',
    /when the host has opened it/,
  ],
  [
    'cancels the subscription',
    ({ server, host, master }) =>
      http(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { token: master.token }),
    'The room is closed',
    /subscription was cancelled/,
  ],
]

function ofUser({ server, host, person }: Who, method: 'POST' | 'PUT', path: string, body?: object) {
  return http(server, method, `/host/users/${person.id}${path}`, { token: host.token, body })
}

for (const [what, act, title, advice] of ENDS)
  test(`when the host ${what}, the sound is gone within 2 s and the phone says why`, async ({
    server,
    host,
    master,
    room,
    meeting,
    joinApp,
    consoleErrors,
  }) => {
    consoleErrors.allow(/401 \(Unauthorized\)/)
    await meeting.start()
    const person = room.personNamed('Amina Yusuf')
    const amina = await joinApp(person)
    await speak(amina)
    expect((await act({ server, host, master, person })).status).toBe(200)
    await expect(amina.page.locator('iframe')).toHaveCount(0, { timeout: 2_000 })
    await expect(amina.page.getByRole('heading', { name: new RegExp(title) })).toBeVisible()
    await expect(amina.page.getByText(advice).first()).toBeVisible()
    await amina.page.getByRole('button', { name: /^Sign in/ }).click()
    await expect(amina.page.getByLabel('Username')).toHaveValue(person.username) // only the password must be retyped
  })

test('when the host ends the meeting the sound is gone, and comes back with the next one', async ({
  room,
  meeting,
  joinApp,
  consoleErrors,
}) => {
  consoleErrors.allow(/409 \(Conflict\)/)
  await meeting.start()
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  await speak(amina)
  await meeting.end()
  await expect(amina.page.locator('iframe')).toHaveCount(0, { timeout: 2_000 })
  await expect(amina.page.getByText('The meeting is over', { exact: true }).first()).toBeVisible()
  await meeting.start()
  await zoom(amina.page).getByRole('button', { name: 'Join Audio' }).click()
  await expect(amina.page.getByText('Your microphone is off', { exact: true }).first()).toBeVisible()
})

test("who leaves by Zoom's own button is out of the meeting, and stays out", async ({
  page,
  room,
  meeting,
  joinApp,
  openOnline,
}) => {
  await meeting.start()
  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  await openOnline()
  const tickets: string[] = []
  amina.page.on('request', (request) => request.url().endsWith('/join-ticket') && tickets.push(request.url()))
  await zoom(amina.page).getByRole('button', { name: 'Leave' }).click()
  await expect(amina.page.locator('iframe')).toHaveCount(0, { timeout: 2_000 })
  await expect(amina.page.getByText('The sound is off', { exact: true })).toBeVisible()
  await expect(tile(page, amina)).toContainText('No sound')
  await expect(tap(amina.page, 'Turn the sound on')).toBeVisible()
  expect(tickets).toEqual([])
})

test('a phone that comes before the host waits without asking too often, joins as soon as the host begins, and hears when the host leaves', async ({
  server,
  room,
  meeting,
  openApp,
  consoleErrors,
}) => {
  consoleErrors.allow(/409 \(Conflict\)/)
  const amina = await openApp(room.personNamed('Amina Yusuf'))
  const asked: number[] = []
  amina.page.on('request', (request) => request.url().endsWith('/join-ticket') && asked.push(Date.now()))
  await tap(amina.page, 'Join').click()
  await expect(amina.page.getByText('The host is not in the meeting yet.').first()).toBeVisible()
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(2)
  await meeting.start()
  await zoom(amina.page).getByRole('button', { name: 'Join Audio' }).click({ timeout: 8_000 }) // not at the next pause
  await expect(amina.page.getByText('Your microphone is off', { exact: true }).first()).toBeVisible()
  const [first = 0, second = 0] = asked
  expect(asked).toHaveLength(3)
  expect(second - first).toBeGreaterThanOrEqual(10_000)

  await control(server, `/meetings/${meeting.number}/participants/leave`, { host: true })
  await expect(amina.page.locator('iframe')).toHaveCount(0)
  await expect(amina.page.getByText(/The meeting is over|The host is not in the meeting/).first()).toBeVisible()
})
