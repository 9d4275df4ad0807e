import { randomUUID } from 'node:crypto'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { buildHost, buildRoomUser, call, openSession, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const now = Date.now()
const server = await setup({ now: () => now })

let host: TestHost
/** Acts for the same host in a session of its own, under an account of its own. */
let other: { token: string; id: string }

beforeEach(async () => {
  host = await buildHost(server)
  other = await buildActor()
})

async function buildActor() {
  const token = await openSession(server, host.id)
  const session = await server.deps.sessions.find(token)
  if (!session) throw new Error('The session is not open')
  session.actor_id = randomUUID()
  return { token, id: session.actor_id }
}

const acts = (action: string) =>
  server.deps.db
    .selectFrom('audit')
    .select(['actor_role', 'actor_id', 'host_id', 'ip', 'target'])
    .where('host_id', '=', host.id)
    .where('action', '=', action)
    .orderBy('seq')
    .execute()

const by = (actor_id: string) => ({ actor_role: 'host', actor_id, host_id: host.id, ip: '127.0.0.1' })

test('a repeat of an Idempotency-Key by another actor of the host is a call of its own', async () => {
  const headers = { 'idempotency-key': 'the same' }
  const muteAll = (as: { token: string }) =>
    call(server, 'POST', '/host/trigger-bulk-mute/mute', { as, body: { except: [] }, headers })
  await buildRoomUser(server, host)
  const first = await muteAll(host)
  expect(first.body.data.undo).not.toBeNull()
  expect((await muteAll(other)).body.data.undo).toBeNull() // all are muted already
  expect((await muteAll(host)).body).toEqual(first.body)
  expect(await acts('mute_all')).toMatchObject([by(host.id), by(other.id)])
})

test.each([
  ['rate of a route', 20, 200, 'PUT', '/host/app-info', { user_title: 'Choir' }],
  ['burst of acts on a room', 60, 200, 'POST', '/host/trigger-bulk-mute/mute', {}],
  ['burst of writes', 400, 422, 'POST', '/host/users', {}],
] as const)('the %s is limited for each actor', async (_limit, max, status, method, path, body) => {
  const act = (as: { token: string }) => call(server, method, path, { as, body })
  for (let n = 0; n < max; n++) expect((await act(host)).status).toBe(status)
  expect((await act(host)).status).toBe(429)
  expect((await act(other)).status).toBe(status)
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
  expect(await acts('access_refused')).toMatchObject([by(host.id), by(other.id)])

  const { id, token } = await buildActor()
  expect((await call(server, 'POST', '/auth/claim', { as: { token } })).status).toBe(200)
  expect(await acts('host_handed_over')).toMatchObject([{ ...by(id), target: id }])

  expect((await call(server, 'POST', '/auth/logout', { as: other })).status).toBe(200)
  expect(await acts('host_logout')).toMatchObject([{ ...by(other.id), target: other.id }])
  expect((await call(server, 'GET', '/host/profile', { as: host })).status).toBe(200)
})
