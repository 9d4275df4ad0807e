import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildRoomUser,
  call,
  type TestAssistant,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const now = Date.now()
const server = await setup({ now: () => now })

let host: TestHost
/** Acts for the same host under an account of its own. */
let other: TestAssistant

beforeEach(async () => {
  host = await buildHost(server)
  other = await buildAssistant(server, host, 'manager')
})

const acts = (action: string) =>
  server.deps.db
    .selectFrom('audit')
    .select(['actor_role', 'actor_id', 'host_id', 'ip', 'target'])
    .where('host_id', '=', host.id)
    .where('action', '=', action)
    .orderBy('seq')
    .execute()

const by = ({ id }: { id: string }) => {
  const actor_role = id === host.id ? 'host' : 'assistant'
  return { actor_role, actor_id: id, host_id: host.id, ip: '127.0.0.1' }
}

test('a repeat of an Idempotency-Key by another actor of the host is a call of its own', async () => {
  const headers = { 'idempotency-key': 'the same' }
  const muteAll = (as: { token: string }) =>
    call(server, 'POST', '/host/trigger-bulk-mute/mute', { as, body: { except: [] }, headers })
  await buildRoomUser(server, host)
  const first = await muteAll(host)
  expect(first.body.data.undo).not.toBeNull()
  expect((await muteAll(other)).body.data.undo).toBeNull() // all are muted already
  expect((await muteAll(host)).body).toEqual(first.body)
  expect(await acts('mute_all')).toMatchObject([by(host), by(other)])
})

test.each([
  ['rate of a route', 120, 200, 'POST', '/host/cleanup-stale-users', {}],
  ['burst of writes', 400, 422, 'POST', '/host/users', {}],
] as const)('the %s is limited for each actor', async (_limit, max, status, method, path, body) => {
  const act = (as: { token: string }) => call(server, method, path, { as, body })
  for (let n = 0; n < max; n++) expect((await act(host)).status).toBe(status)
  expect((await act(host)).status).toBe(429)
  expect((await act(other)).status).toBe(status)
})

test.each([
  ['burst of acts on a room', 60, '/host/trigger-bulk-mute/mute'],
  ['burst of acts on its users', 20, '/host/users/:id/mute'],
])('the %s is limited for all assistants together, who leave the host its own', async (_limit, max, path) => {
  const another = await buildAssistant(server, host, 'moderator')
  const { id } = await buildRoomUser(server, host)
  const act = async (as: { token: string }) =>
    (await call(server, 'POST', path.replace(':id', id), { as, body: {} })).status
  for (let n = 0; n < max; n++) expect(await act(n % 2 === 0 ? another : other)).toBe(200)
  expect([await act(another), await act(other)]).toEqual([429, 429])
  for (let n = 0; n < max; n++) expect(await act(host)).toBe(200)
  expect(await act(host)).toBe(429)
  expect(await act(await buildHost(server))).not.toBe(429)
})

test('each actor has turns of its own', async () => {
  const { rooms } = server.deps
  const held = Promise.withResolvers<void>()
  const get = rooms.getFresh.bind(rooms)
  vi.spyOn(rooms, 'peekFresh').mockReturnValue(null)
  const begun = vi.spyOn(rooms, 'getFresh').mockImplementation(async (id) => {
    await held.promise
    return get(id)
  })
  onTestFinished(() => {
    held.resolve()
    vi.restoreAllMocks()
  })
  const search = (as: { token: string }) => call(server, 'GET', '/host/users?limit=1', { as })
  const calls = Array.from({ length: 4 }, () => search(host))
  await expect.poll(() => begun.mock.calls.length).toBe(3)
  calls.push(search(other))
  await expect.poll(() => begun.mock.calls.length).toBe(4)
  held.resolve()
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
})

test('refused access, hand-over and sign-out are audited under the actor', async () => {
  for (const as of [host, other]) expect((await call(server, 'GET', '/admin/hosts', { as })).status).toBe(403)
  expect(await acts('access_refused')).toMatchObject([by(host), by(other)])

  const claiming = await buildAssistant(server, host, 'moderator')
  expect((await call(server, 'POST', '/auth/claim', { as: claiming })).status).toBe(200)
  expect(await acts('assistant_handed_over')).toMatchObject([{ ...by(claiming), target: claiming.id }])

  expect((await call(server, 'POST', '/auth/logout', { as: other })).status).toBe(200)
  expect(await acts('assistant_logout')).toMatchObject([{ ...by(other), target: other.id }])
  expect((await call(server, 'GET', '/host/profile', { as: host })).status).toBe(200)
})
