import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '../../../shared/dates.ts'
import { buildHost, buildMaster, buildPhone, buildRoomUser, call, PASSWORD } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { endExpiredSessions, forgetSessionsEndedElsewhere } from './jobs.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })
let master: { token: string }
beforeEach(async () => {
  now += 48 * HOUR_MS
  master = await buildMaster(server)
})

const ask = (token: string, path = '/host/room') => call(server, 'GET', path, { as: { token } })
const PLAIN = { success: false, message: 'Please sign in again.', code: 'not_signed_in' }

type Host = Awaited<ReturnType<typeof buildHost>>

test.each<[string, string, (host: Host) => Promise<unknown>]>([
  ['a sign-out', 'signed_out', (host) => call(server, 'POST', '/auth/host/logout', { as: host })],
  [
    'a cancelled subscription',
    'cancelled',
    ({ id }) => call(server, 'POST', `/admin/hosts/${id}/cancel-subscription`, { as: master }),
  ],
  ['a deleted account', 'deleted', ({ id }) => call(server, 'DELETE', `/admin/hosts/${id}`, { as: master })],
  [
    'another password',
    'password_changed',
    ({ id, username, email }) =>
      call(server, 'PUT', `/admin/hosts/${id}`, {
        as: master,
        body: { username, email, storage_limit_gb: 5, password: `${PASSWORD}-2` },
      }),
  ],
])('after %s the token gets the reason with its 401: %s', async (_what, reason, end) => {
  const host = await buildHost(server)
  expect((await ask(host.token)).status).toBe(200)
  await end(host)
  expect(await ask(host.token)).toMatchObject({ status: 401, body: { ...PLAIN, reason } })
  expect(await call(server, 'POST', '/auth/verify', { as: host, body: {} })).toMatchObject({
    status: 401,
    body: { ...PLAIN, reason },
  })
})

test.each(['signed_out', 'restored'])(
  'a session that was ended in the database as %s is refused within a second',
  async (reason) => {
    const host = await buildHost(server)
    expect((await ask(host.token)).status).toBe(200)
    const end = { ended_at: new Date(now), end_reason: reason }
    await server.deps.db.updateTable('sessions').set(end).where('host_id', '=', host.id).execute()
    expect(forgetSessionsEndedElsewhere.every).toBeLessThanOrEqual(1_000)
    await forgetSessionsEndedElsewhere.run(server.deps)
    expect(await ask(host.token)).toMatchObject({ status: 401, body: { ...PLAIN, reason } })
  },
)

test('a phone is signed in for 30 days, whether or not it is used', async () => {
  const host = await buildHost(server)
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  now += 30 * 24 * HOUR_MS - 1
  expect((await ask(phone.token, '/mobile/me')).status).toBe(200)
  now += 1
  expect((await ask(phone.token, '/mobile/me')).status).toBe(401)
})

test.each([
  ['2 hours without an act of the person', 2 * HOUR_MS + 1, 'idle'],
  ['12 hours', 12 * HOUR_MS, 'expired'],
])('after %s the token gets the reason, before and after the session is cleared away', async (_what, ms, reason) => {
  const host = await buildHost(server)
  const other = await buildMaster(server)
  if (reason === 'expired') {
    for (let hour = 1; hour < 12; hour++) {
      now += HOUR_MS
      for (const { token, path } of [
        { ...host, path: '/host/app-info' },
        { ...other, path: '/admin/audit' },
      ])
        expect((await ask(token, path)).status).toBe(200)
    }
    now += HOUR_MS
  } else now += ms
  expect(await ask(host.token)).toMatchObject({ status: 401, body: { ...PLAIN, reason } })
  expect(await ask(other.token, '/admin/audit')).toMatchObject({ status: 401, body: { ...PLAIN, reason } })
  now += HOUR_MS
  await endExpiredSessions.run(server.deps)
  expect(await ask(host.token)).toMatchObject({ status: 401, body: { ...PLAIN, reason } })
})

test('tells nobody else why a session has ended', async () => {
  const host = await buildHost(server)
  await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
  const [head = '', claims = '', signature = ''] = host.token.split('.')
  const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`
  for (const token of [`${head}.${claims}.${flipped}`, unsigned, claims, 'x']) {
    const refused = await ask(token)
    expect([refused.status, refused.body]).toEqual([401, PLAIN])
  }
  expect((await call(server, 'GET', '/host/room')).body).toEqual(PLAIN)
})

test('tells a phone why its host has signed it out, and one that has signed out itself nothing', async () => {
  const host = await buildHost(server)
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  await call(server, 'POST', `/host/users/${user.id}/logout`, { as: host })
  expect((await ask(phone.token, '/mobile/me')).body).toEqual({ ...PLAIN, reason: 'logout' })
  const other = await buildPhone(server, host, await buildRoomUser(server, host))
  await call(server, 'POST', '/mobile/logout', { as: other })
  expect((await ask(other.token, '/mobile/me')).body).toEqual(PLAIN) // another tab of it may be in the room
})

test('tells a link that has been used nothing', async () => {
  const host = await buildHost(server)
  await call(server, 'POST', '/auth/claim', { as: host })
  expect((await ask(host.token)).body).toEqual(PLAIN)
})
