import { beforeEach, expect, test } from 'vitest'
import { buildHost, buildMaster, call } from '../../../test/factories/accounts.ts'
import { buildZoomHost, consent, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let master: Awaited<ReturnType<typeof buildMaster>>

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  master = await buildMaster(server)
})

const acts = async (hostId: string) => {
  const { entries } = (await call(server, 'GET', `/admin/audit?host_id=${hostId}`, { as: master })).body.data
  return entries.filter((entry: { action: string }) => entry.action.startsWith('zoom'))
}
const ip = '127.0.0.1'

test('audits connecting and disconnecting a Zoom account once each', async () => {
  const host = await buildZoomHost(server)
  const zoom = { email: host.zoom_user_email }
  expect(await acts(host.id)).toMatchObject([
    { action: 'zoom_connected', actor: { role: 'master' }, target: { id: host.id }, ip, before: null, after: zoom },
  ])
  const edit = { username: host.username, email: host.email, zoom_user_email: '' }
  for (let time = 0; time < 2; time++) await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body: edit })
  expect(await acts(host.id)).toMatchObject([
    { action: 'zoom_disconnected', actor: { id: master.id, name: master.email }, ip, before: zoom, after: null },
    { action: 'zoom_connected' },
  ])
  expect(JSON.stringify(await server.deps.db.selectFrom('audit').selectAll().execute())).not.toContain('hidden')
})

test('audits reconnecting a host with the link that it replaced', async () => {
  const host = await buildHost(server)
  for (const _time of [1, 2]) await consent(server, host.email, { host_id: host.id, as: master })
  const after = { email: host.email }
  expect(await acts(host.id)).toMatchObject([
    { action: 'zoom_connected', before: after, after },
    { action: 'zoom_connected', actor: { id: master.id }, before: null, after, ip },
  ])
})

test('audits a failed attempt with its reason', async () => {
  const host = await buildHost(server)
  await consent(server, host.email, { host_id: host.id, as: master, zoomEmail: 'somebody@example.com' })
  await consent(server, host.email, { host_id: host.id, as: master, action: 'deny' })
  expect(await acts(host.id)).toMatchObject([
    { action: 'zoom_connect_failed', after: { error: 'access_denied' } },
    { action: 'zoom_connect_failed', actor: { id: master.id }, after: { error: 'email_mismatch' }, ip },
  ])
})

test('audits deleting a host as a disconnection, and a grant that Zoom ended as the system’s', async () => {
  const [leaving, revoked] = [await buildZoomHost(server), await buildZoomHost(server)]
  await call(server, 'DELETE', `/admin/hosts/${leaving.id}`, { as: master })
  expect(await acts(leaving.id)).toMatchObject([{ action: 'zoom_disconnected' }, { action: 'zoom_connected' }])
  expect(await server.deps.db.selectFrom('zoom_links').select('host_id').execute()).toEqual([{ host_id: revoked.id }])

  server.zoom.reset() // Zoom loses all its grants
  now += 2 * 3_600_000
  await expect(server.deps.zoom.tokens.accessToken(revoked.id)).rejects.toThrow()
  master = await buildMaster(server)
  expect(await acts(revoked.id)).toMatchObject([
    { action: 'zoom_reconnect_needed', actor: { role: 'system', id: null }, target: { id: revoked.id } },
    { action: 'zoom_connected' },
  ])
})
