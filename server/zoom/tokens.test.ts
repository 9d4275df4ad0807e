import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { buildMaster, call, type TestHost } from '../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../test/zoom/emulated-zoom.ts'
import { readUser } from './calls.ts'
import { createZoom, type ZoomApi } from './zoom.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  host = await buildZoomHost(server)
})

/** Creates a second node: its own Zoom client over the same database. */
const anotherNode = (): ZoomApi => createZoom({ ...server.deps, log: pino({ level: 'silent' }), sleep: async () => {} })

const linkOf = () =>
  server.deps.db.selectFrom('zoom_links').selectAll().where('host_id', '=', host.id).executeTakeFirstOrThrow()
const setFault = (fault: object) => server.control('/faults', fault)
const refreshes = async () => {
  const { faults } = await server.control('/state')
  return (faults as { hits: number }[])[0]?.hits
}
/** Counts the calls of the token URL without changing them. */
const countRefreshes = () => setFault({ match: { path: '/oauth/token' }, kind: 'slow', delay_ms: 20, times: 0 })

test('refreshes a token shortly before it expires, and stores the new pair', async () => {
  const before = await linkOf()
  now += 54 * 60_000
  await server.deps.zoom.callFor(host.id, readUser)
  expect(await linkOf()).toMatchObject({ access_token_ciphertext: before.access_token_ciphertext })
  now += 2 * 60_000
  await server.deps.zoom.callFor(host.id, readUser)
  const after = await linkOf()
  expect(after.refresh_token_ciphertext).not.toBe(before.refresh_token_ciphertext)
  expect(after).toMatchObject({ refresh_lease: null, refresh_lease_until: null, reconnect_needed: false })
  expect(after.access_expires_at.getTime()).toBe(now + 3599_000)
})

test('fifty calls on two nodes with an expired token cause one refresh, and all succeed', async () => {
  await countRefreshes()
  now += 2 * 3_600_000
  const nodes = [server.deps.zoom, anotherNode()]
  const users = await Promise.all(Array.from({ length: 50 }, (_, at) => nodes[at % 2]?.callFor(host.id, readUser)))
  expect(users.map((user) => user?.email)).toEqual(Array(50).fill(host.email))
  expect(await refreshes()).toBe(1)
})

test('fifty calls on two nodes with a rejected token cause one refresh, and all succeed', async () => {
  await countRefreshes()
  await server.control('/tokens/expire', { email: host.email })
  const nodes = [server.deps.zoom, anotherNode()]
  const users = await Promise.all(Array.from({ length: 50 }, (_, at) => nodes[at % 2]?.callFor(host.id, readUser)))
  expect(users.map((user) => user?.email)).toEqual(Array(50).fill(host.email))
  expect(await refreshes()).toBe(1)
})

test('a lost grant requires reconnecting, and is not retried', async () => {
  await server.control('/tokens/expire', { email: host.email, refresh: true })
  await expect(server.deps.zoom.callFor(host.id, readUser)).rejects.toMatchObject({ code: 'zoom_reconnect' })
  const shown = await call(server, 'GET', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
  expect(shown.body.data).toMatchObject({ zoom_status: 'reconnect_needed', zoom_connected: false })
  await countRefreshes()
  await expect(server.deps.zoom.callFor(host.id, readUser)).rejects.toMatchObject({ code: 'zoom_reconnect' })
  expect(await refreshes()).toBe(0)
})

test('removing the app without an event requires reconnecting', async () => {
  await server.control('/options', { published: false })
  await server.control('/deauthorize', { email: host.email })
  await expect(server.deps.zoom.callFor(host.id, readUser)).rejects.toMatchObject({ code: 'zoom_reconnect' })
  expect(await linkOf()).toMatchObject({ reconnect_needed: true })
})

test.each([
  ['an error of Zoom', { kind: 'status', status: 500 }],
  ['a page of XML', { kind: 'xml', status: 500 }],
  ['a dropped connection', { kind: 'drop' }],
  ['a different refusal', { kind: 'status', status: 400, error: 'invalid_request' }],
])('%s during a refresh does not disconnect', async (_what, fault) => {
  await setFault({ match: { path: '/oauth/token' }, ...fault, times: 2 })
  now += 2 * 3_600_000
  await expect(server.deps.zoom.callFor(host.id, readUser)).rejects.toMatchObject({ fault: 'unavailable' })
  expect(await linkOf()).toMatchObject({ reconnect_needed: false, refresh_lease: null })
  expect(await server.deps.zoom.callFor(host.id, readUser)).toMatchObject({ email: host.email })
})

test('retries a failed refresh with the same token', async () => {
  await setFault({ match: { path: '/oauth/token' }, kind: 'drop', times: 1 })
  now += 2 * 3_600_000
  expect(await server.deps.zoom.callFor(host.id, readUser)).toMatchObject({ email: host.email })
})

test('uses a valid token while Zoom cannot refresh', async () => {
  await setFault({ match: { path: '/oauth/token' }, kind: 'html', status: 502, times: 0 })
  now += 57 * 60_000
  expect(await server.deps.zoom.callFor(host.id, readUser)).toMatchObject({ email: host.email })
})

test('a node that died during a refresh delays others no longer than its lease', async () => {
  const past = new Date(Date.now() - 1000)
  await server.deps.db.updateTable('zoom_links').set({ refresh_lease: 'dead', refresh_lease_until: past }).execute()
  now += 2 * 3_600_000
  expect(await server.deps.zoom.callFor(host.id, readUser)).toMatchObject({ email: host.email })
})

test('a token copied to another host’s row does not decrypt', async () => {
  const other = await buildZoomHost(server)
  const { access_token_ciphertext, refresh_token_ciphertext } = await linkOf()
  await server.deps.db
    .updateTable('zoom_links')
    .set({ access_token_ciphertext, refresh_token_ciphertext })
    .where('host_id', '=', other.id)
    .execute()
  await expect(server.deps.zoom.callFor(other.id, readUser)).rejects.toMatchObject({ code: 'zoom_reconnect' })
})

test('deleting a host revokes its grant at Zoom and wipes its tokens', async () => {
  await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
  expect(await server.deps.db.selectFrom('zoom_links').selectAll().execute()).toEqual([])
  const { accounts } = await server.control('/state')
  expect(accounts).toMatchObject([{ email: host.email, installed: false }])
})

test('disconnects while Zoom is down, and revokes with a refreshed token where the old one has expired', async () => {
  await setFault({ match: { path: '/oauth/revoke' }, kind: 'status', status: 503, times: 0 })
  const master = await buildMaster(server)
  const path = `/admin/hosts/${host.id}`
  const off = await call(server, 'PUT', path, { as: master, body: { zoom_user_email: '' } })
  expect(off.body.data).toMatchObject({ zoom_status: 'not_connected', rooms: [{ zoom_meeting_id: null }] })

  const other = await buildZoomHost(server)
  await server.control('/faults', undefined, 'DELETE')
  now += 2 * 3_600_000
  await call(server, 'PUT', `/admin/hosts/${other.id}`, { as: master, body: { zoom_user_email: '' } })
  const { accounts } = await server.control('/state')
  expect(
    (accounts as { email: string; installed: boolean }[]).find(({ email }) => email === other.email),
  ).toMatchObject({
    installed: false,
  })
})
