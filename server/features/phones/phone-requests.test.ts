import { beforeEach, describe, expect, test } from 'vitest'
import { PhoneRequestsAnswer } from '../../../shared/phone-requests.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  phoneLogin,
  readAudit,
  requestStream,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { openStream } from '../../../test/servers/stream.ts'
import { clearPhoneRequests } from '../auth/jobs.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let user: RoomUser
let old: TestPhone

const server = await setup({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  now += 24 * 3_600_000
  host = await buildHost(server)
  user = await buildRoomUser(server, host, { reference: 'Soprano' })
  old = await buildPhone(server, host, user)
})

type Fields = { username?: string; password?: string; device_id?: string; device_secret?: string | null }
const ask = (fields: Fields = {}, from?: string) => {
  const device = { device_id: 'new', device_model: 'iPhone 17', platform: 'web', device_secret: null }
  const body = { host_id: host.user_id, username: user.username, password: PASSWORD, ...device, ...fields }
  return call(server, 'POST', '/mobile/phone-requests', { body, ...(from && { from }) })
}
const ticketOf = async (fields?: Fields): Promise<string> => (await ask(fields)).body.data.ticket
const stateOf = async (ticket: string) =>
  (await call(server, 'GET', `/mobile/phone-requests/${ticket}`)).body.data.state
const waiting = async (as: TestHost = host) =>
  PhoneRequestsAnswer.parse((await call(server, 'GET', '/host/phone-requests', { as })).body).data.requests
const decide = (decision: string, id = user.id, as: TestHost = host) =>
  call(server, 'POST', `/host/phone-requests/${id}/${decision}`, { as })
const newPassword = () => ({ username: user.username, user_id: user.user_id, password: 'another one' })
const MISMATCH = { status: 403, body: { code: 'device_mismatch' } }
const NOT_FOUND = { status: 404, body: { code: 'not_found', message: 'Request not found' } }

describe('a phone that another one keeps out', () => {
  test('asks the host, who sees it at once, and takes the place of the other when the host agrees', async () => {
    const stream = await openStream(origin + (await requestStream(server, host)).body.sseUrl)
    const theirs = await openStream(origin + (await requestStream(server, host, old)).body.sseUrl)
    expect(await phoneLogin(server, host, user, 'new')).toMatchObject(MISMATCH)
    const asked = await ask()
    const expires_at = new Date(now + 24 * 3_600_000).toISOString()
    expect(asked).toMatchObject({ status: 200, body: { success: true, data: { expires_at } } })
    expect(Buffer.from(asked.body.data.ticket, 'base64url')).toHaveLength(32)
    await stream.next('phone-requests')
    const { id, user_id, username } = user
    const device = { device_model: 'iPhone 17', platform: 'web', requested_at: new Date(now).toISOString() }
    expect(await waiting()).toEqual([{ id, user_id, username, reference: 'Soprano', ...device }])
    expect(await stateOf(asked.body.data.ticket)).toBe('waiting')
    expect(await phoneLogin(server, host, user, 'new')).toMatchObject(MISMATCH)

    expect(await decide('approve')).toMatchObject({ status: 200, body: { success: true, message: 'Phone approved' } })
    await stream.next('phone-requests')
    expect(await theirs.next('user-deactivated')).toMatchObject({ data: { user_id: id, reason: 'phone_changed' } })
    expect(theirs.received.map(({ name }) => name)).not.toContain('phone-requests')
    expect(await stateOf(asked.body.data.ticket)).toBe('approved')
    expect(await waiting()).toEqual([])
    expect((await call(server, 'GET', '/mobile/me', { as: old })).status).toBe(401)
    expect(await phoneLogin(server, host, user, old.device_id)).toMatchObject(MISMATCH)
    expect((await phoneLogin(server, host, user, 'new')).status).toBe(200)
  })

  test('stays out when the host refuses, and may ask again', async () => {
    const ticket = await ticketOf()
    expect((await decide('refuse')).body.message).toBe('Phone refused')
    expect(await stateOf(ticket)).toBe('refused')
    expect(await waiting()).toEqual([])
    expect(await phoneLogin(server, host, user, 'new')).toMatchObject(MISMATCH)
    expect((await call(server, 'GET', '/mobile/me', { as: old })).status).toBe(200)
    const again = await ticketOf()
    expect([await stateOf(ticket), await stateOf(again)]).toEqual(['expired', 'waiting'])
  })

  test('is replaced by a later one of the same user', async () => {
    const first = await ticketOf({ device_id: 'first' })
    const second = await ticketOf({ device_id: 'second' })
    expect([await stateOf(first), await stateOf(second)]).toEqual(['expired', 'waiting'])
    expect(await waiting()).toHaveLength(1)
    await decide('approve')
    expect(await phoneLogin(server, host, user, 'first')).toMatchObject(MISMATCH)
    expect((await phoneLogin(server, host, user, 'second')).status).toBe(200)
  })

  test('is not let in by a decision about an earlier one', async () => {
    await ticketOf({ device_id: 'seen' })
    const [seen] = await waiting()
    now += 1000
    await ticketOf({ device_id: 'unseen' })
    const path = `/host/phone-requests/${user.id}/approve`
    const approve = (requested_at: unknown) =>
      call(server, 'POST', path, { as: host, body: { expect: { requested_at } } })
    expect(await approve(seen?.requested_at)).toMatchObject({ status: 409, body: { code: 'state_changed' } })
    expect((await approve('yesterday')).status).toBe(422)
    expect(await phoneLogin(server, host, user, 'unseen')).toMatchObject(MISMATCH)
    const [present] = await waiting()
    expect((await approve(present?.requested_at)).status).toBe(200)
    expect((await phoneLogin(server, host, user, 'unseen')).status).toBe(200)
  })

  test.each([
    ['a new password', () => call(server, 'PUT', `/host/users/${user.id}`, { as: host, body: newPassword() })],
    ['a deactivation', () => call(server, 'POST', `/host/users/${user.id}/deactivate`, { as: host })],
    [
      'a bulk deactivation',
      () => call(server, 'POST', '/host/users/bulk/deactivate', { as: host, body: { userIds: [user.id] } }),
    ],
  ])('is forgotten with %s, and consoles hear of it', async (_name, act) => {
    const ticket = await ticketOf()
    const stream = await openStream(origin + (await requestStream(server, host)).body.sseUrl)
    expect((await act()).status).toBe(200)
    await stream.next('phone-requests')
    expect(await waiting()).toEqual([])
    expect(await stateOf(ticket)).toBe('expired')
    expect(await decide('approve')).toMatchObject(NOT_FOUND)
  })

  test('waits for a day', async () => {
    const ticket = await ticketOf()
    now += 24 * 3_600_000 - 1
    expect(await stateOf(ticket)).toBe('waiting')
    now += 1
    host.token = await openSession(server, host.id) // the previous day's has expired
    expect(await stateOf(ticket)).toBe('expired')
    expect(await waiting()).toEqual([])
    expect(await decide('approve')).toMatchObject(NOT_FOUND)
    now += 7 * 24 * 3_600_000
    expect(await clearPhoneRequests.run(server.deps)).toBeGreaterThan(0)
    expect(await server.deps.db.selectFrom('phone_requests').select('room_user_id').execute()).toEqual([])
  })

  test('can sign in once the host has released the old phone in the list of users', async () => {
    const ticket = await ticketOf()
    await call(server, 'POST', `/host/users/${user.id}/switch`, { as: host })
    expect(await stateOf(ticket)).toBe('approved')
    expect(await waiting()).toEqual([])
    expect((await phoneLogin(server, host, user, 'new')).status).toBe(200)
  })

  test('may be the old one that has lost its secret', async () => {
    const login = (device_secret: string | null) => {
      const body = { host_id: host.user_id, username: other.username, password: PASSWORD, device_id: 'own' }
      return call(server, 'POST', '/mobile/login', { body: { ...body, platform: 'web', device_secret } })
    }
    const other = await buildRoomUser(server, host)
    const { data } = (await login(null)).body
    await call(server, 'POST', '/mobile/status', { as: data, body: {} })
    expect(await login(null)).toMatchObject(MISMATCH)
    expect((await ask({ username: other.username, device_id: 'own' })).status).toBe(200)
    await decide('approve', other.id)
    expect((await login(null)).status).toBe(200)
  })
})

describe('a request is refused', () => {
  test.each<[string, Fields, object]>([
    ['with a wrong password', { password: 'wrong' }, { status: 400, body: { code: 'wrong_credentials' } }],
    ['of an unknown user', { username: 'nobody' }, { status: 400, body: { code: 'wrong_credentials' } }],
    ['without a phone', { device_id: '' }, { status: 422 }],
  ])('%s', async (_, fields, expected) => {
    expect(await ask(fields)).toMatchObject(expected)
    expect(await waiting()).toEqual([])
  })

  test('of the bound phone itself, and where none is bound', async () => {
    expect(await ask({ device_id: old.device_id })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const { username } = await buildRoomUser(server, host)
    expect(await ask({ username })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await waiting()).toEqual([])
  })

  test("of the host's own account", async () => {
    await call(server, 'PUT', '/host/app-info', { as: host, body: { password: PASSWORD } })
    expect(await ask({ username: host.user_id })).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test.each([
    ['who is not active', 'user_inactive', () => `/host/users/${user.id}/deactivate`],
    ['of a stopped room', 'room_stopped', () => '/host/profile/stop'],
  ])('of a user %s', async (_, code, path) => {
    await call(server, 'POST', path(), { as: host })
    expect(await ask()).toMatchObject({ status: 403, body: { code } })
    expect(await waiting()).toEqual([])
  })

  test('after ten of one user in a row, and of no other', async () => {
    for (let n = 0; n < 10; n++) expect((await ask({}, `127.0.3.${n + 1}`)).status).toBe(200)
    expect(await ask({}, '127.0.3.99')).toMatchObject({ status: 429, headers: { 'retry-after': '12' } })
    const other = await buildRoomUser(server, host)
    await buildPhone(server, host, other)
    expect((await ask({ username: other.username })).status).toBe(200)
  })
})

test('a host decides about its own users alone, and once', async () => {
  await ticketOf()
  const stranger = await buildHost(server)
  expect(await waiting(stranger)).toEqual([])
  for (const id of [user.id, 'x', '00000000-0000-4000-8000-000000000000'])
    expect(await decide('approve', id, stranger)).toMatchObject(NOT_FOUND)
  expect((await decide('yes')).status).toBe(422)
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => decide(n % 2 === 0 ? 'approve' : 'refuse')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404])
})

test('who asked and what the host decided is in the log, without the ticket', async () => {
  const ticket = await ticketOf()
  await decide('approve')
  const { entries } = await readAudit(server, host, '', '/host/audit')
  const [approved, asked] = entries
  expect(approved).toMatchObject({ action: 'user_phone_approved', after: { device_model: 'iPhone 17' } })
  expect(asked).toMatchObject({ action: 'phone_change_asked', after: { device_id: 'new', device_model: 'iPhone 17' } })
  expect(JSON.stringify(entries)).not.toContain(ticket)
})

test.each(['x', 'y'.repeat(100), '%C3%A4'])('a ticket that never was, such as %s, is expired', async (ticket) => {
  expect(await stateOf(ticket)).toBe('expired')
})
