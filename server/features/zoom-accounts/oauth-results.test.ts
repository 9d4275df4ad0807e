import { describe, expect, test } from 'vitest'
import { ZOOM_SCOPES } from '../../../shared/zoom-scopes.ts'
import { buildHost, buildMaster, call, PASSWORD } from '../../../test/factories/accounts.ts'
import { buildZoomHost, consent, followCallback, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { consentAt } from '../../../test/zoom/zoom-over-http.ts'
import { readUser } from '../../zoom/calls.ts'

const MINUTE = 60_000
let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setupWithZoom({ now: () => now })

const integrate = (as: { token: string }, email: string, oauth_result_id: string | null) =>
  call(server, 'POST', '/admin/hosts/integrate', {
    as,
    body: { username: email.split('@')[0], email, password: PASSWORD, oauth_result_id },
  })

describe('an OAuth result', () => {
  test('is visible only to the master who started it', async () => {
    const master = await buildMaster(server)
    const end = await consent(server, 'ana@example.com', { as: master })
    const path = `/oauth/results/${end.searchParams.get('oauth_result')}`
    const own = await call(server, 'GET', path, { as: master })
    expect(own.body).toEqual({ success: true, data: { status: 'success', user_email: 'ana@example.com' } })
    expect((await call(server, 'GET', path, { as: await buildMaster(server) })).status).toBe(404)
    expect((await call(server, 'GET', '/oauth/results/nothing', { as: master })).status).toBe(404)
    now += 10 * MINUTE + 1
    expect((await call(server, 'GET', path, { as: master })).status).toBe(404)
  })

  test('has its id from the start, for a page that loses its popup', async () => {
    const master = await buildMaster(server)
    const query = new URLSearchParams({
      email: 'ana@example.com',
      return_url: 'http://master.localhost:3000/oauth-success',
    })
    const begin = async () => (await call(server, 'GET', `/oauth/url?${query}`, { as: master })).body
    const { auth_url, oauth_result_id } = await begin()
    const asked = () => call(server, 'GET', `/oauth/results/${oauth_result_id}`, { as: master })
    expect((await asked()).status).toBe(404)
    const end = await followCallback(server, await consentAt(server.zoom, auth_url, 'ana@example.com'))
    expect(end.searchParams.get('oauth_result')).toBe(oauth_result_id)
    expect((await asked()).body.data).toEqual({ status: 'success', user_email: 'ana@example.com' })

    const denied = await begin()
    await followCallback(server, await consentAt(server.zoom, denied.auth_url, 'ana@example.com', 'deny'))
    expect((await call(server, 'GET', `/oauth/results/${denied.oauth_result_id}`, { as: master })).status).toBe(404)
  })

  test('creates one host, whose tokens are stored only as ciphertexts', async () => {
    const master = await buildMaster(server)
    const id = (await consent(server, 'ana@example.com', { as: master })).searchParams.get('oauth_result')
    const made = await integrate(master, 'ana@example.com', id)
    expect(made.body.data).toMatchObject({ zoom_status: 'connected', zoom_connected: true, full_name: 'Ana' })
    const links = await server.deps.db.selectFrom('zoom_links').selectAll().execute()
    const results = await server.deps.db.selectFrom('oauth_results').selectAll().execute()
    expect(JSON.stringify([links, results, made.body])).not.toMatch(/eyJ[\w-]+\.[\w-]+\./) // the shape of Zoom's tokens
    expect(results).toMatchObject([{ access_token_ciphertext: '', refresh_token_ciphertext: '' }])

    const again = await integrate(master, 'ana@example.com', id)
    expect(again).toMatchObject({ status: 422, body: { errors: [{ path: 'oauth_result_id' }] } })
  })

  test.each([
    ['is unknown', async () => 'unknown', 'ana@example.com', 0],
    ['is older than ten minutes', null, 'ana@example.com', 10 * MINUTE + 1],
    ['is for another e-mail', null, 'bob@example.com', 0],
  ] as const)('that %s creates no host', async (_why, id, email, later) => {
    const master = await buildMaster(server)
    const end = await consent(server, 'ana@example.com', { as: master })
    now += later
    const refused = await integrate(master, email, id ? await id() : end.searchParams.get('oauth_result'))
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'oauth_result_id' }] } })
    expect(await server.deps.db.selectFrom('hosts').selectAll().execute()).toEqual([])
  })

  test('of another master creates no host', async () => {
    const end = await consent(server, 'ana@example.com')
    const refused = await integrate(await buildMaster(server), 'ana@example.com', end.searchParams.get('oauth_result'))
    expect(refused.status).toBe(422)
  })

  test('of an earlier consent of the same Zoom user creates no host, because Zoom has ended its tokens', async () => {
    const master = await buildMaster(server)
    const [first, second] = [
      await consent(server, 'ana@example.com', { as: master }),
      await consent(server, 'ana@example.com', { as: master }),
    ].map((end) => end.searchParams.get('oauth_result'))
    const refused = await integrate(master, 'ana@example.com', first ?? '')
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'oauth_result_id' }] } })
    const made = await integrate(master, 'ana@example.com', second ?? '')
    expect((await server.deps.zoom.callFor(made.body.data.id, readUser)).email).toBe('ana@example.com')
  })

  test('of a Zoom user that a host uses meanwhile connects no other host', async () => {
    const [master, other] = [await buildMaster(server), await buildMaster(server)]
    const id = (await consent(server, 'ana@example.com', { as: master })).searchParams.get('oauth_result')
    const { id: host_id } = await buildHost(server, { email: 'ana@example.com' })
    const row = await server.deps.db.selectFrom('oauth_results').selectAll().executeTakeFirstOrThrow()
    await consent(server, 'ana@example.com', { host_id, as: other }) // as if both consents were given at one moment
    await server.deps.db.deleteFrom('oauth_results').execute()
    await server.deps.db
      .insertInto('oauth_results')
      .values({ ...row, warnings: '[]' })
      .execute()
    const { id: another } = await buildHost(server)
    const body = { zoom_user_email: 'ana@example.com', oauth_result_id: id }
    const refused = await call(server, 'PUT', `/admin/hosts/${another}`, { as: master, body })
    expect(refused).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('is connected to the host'), errors: [{ path: 'oauth_result_id' }] },
    })
    expect(await server.deps.db.selectFrom('zoom_links').select('host_id').execute()).toEqual([{ host_id }])
  })

  test('that is already connected can be sent again when that host is saved', async () => {
    const host = await buildHost(server)
    const master = await buildMaster(server)
    const end = await consent(server, host.email, { host_id: host.id, as: master })
    const oauth_result_id = end.searchParams.get('oauth_result')
    const body = { zoom_user_email: host.email, oauth_result_id }
    const saved = await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body })
    expect(saved).toMatchObject({ status: 200, body: { data: { zoom_status: 'connected' } } })
    const user = await server.deps.zoom.callFor(host.id, readUser)
    expect(user.email).toBe(host.email)
    const other = await buildHost(server)
    const stolen = await call(server, 'PUT', `/admin/hosts/${other.id}`, { as: master, body })
    expect(stolen.status).toBe(422)
  })
})

describe('warnings about the account', () => {
  test.each([
    [{ type: 1 }, ['basic_plan']],
    [{ settings: { cloud_recording: false } }, ['cloud_recording_off']],
    [{ settings: { record_audio_file: false } }, ['no_audio_files']],
    [{}, []],
  ])('%j gives %j', async (change, codes) => {
    await server.control('/accounts', { email: 'ana@example.com', ...change })
    const master = await buildMaster(server)
    const end = await consent(server, 'ana@example.com', { as: master })
    const made = await integrate(master, 'ana@example.com', end.searchParams.get('oauth_result'))
    const warned = made.body.data.zoom_warnings.map(({ code }: { code: string }) => code)
    expect(warned.filter((code: string) => !code.startsWith('room_'))).toEqual(codes)
  })

  test('names the missing scopes', async () => {
    const { options } = await server.control('/options', {})
    const scopes = (options as { scopes: string[] }).scopes.filter(
      (scope) => !scope.startsWith('cloud_recording:delete'),
    )
    await server.control('/options', { scopes })
    const host = await buildZoomHost(server)
    expect(host.zoom_warnings).toMatchObject([{ code: 'scopes_missing' }])
    expect(host.zoom_warnings[0]?.message).toContain('cloud_recording:delete:meeting_recording')
  })

  test.each([
    ['the 15 required scopes', ZOOM_SCOPES.map(({ scope }) => scope), []],
    ['the older, wider scopes', [...new Set(ZOOM_SCOPES.map(({ classic }) => classic))], []],
    ['account-level scopes', ZOOM_SCOPES.map(({ scope }) => `${scope}:admin`), []],
    ...ZOOM_SCOPES.map(({ scope }): [string, string[], string[]] => [
      `all but ${scope}`,
      ['user:read:zak', ...ZOOM_SCOPES.map((one) => one.scope).filter((one) => one !== scope)],
      [`${scope}.`],
    ]),
  ])('name only the scopes missing from %s', async (_words, scopes, missing) => {
    const { id } = await buildZoomHost(server)
    const granted = { scopes: scopes.join(' ') }
    await server.deps.db.updateTable('zoom_links').set(granted).where('host_id', '=', id).execute()
    const { body } = await call(server, 'GET', `/admin/hosts/${id}`, { as: await buildMaster(server) })
    const { zoom_warnings: warnings } = body.data
    expect(warnings.map(({ message }: { message: string }) => message.split(': ').at(-1))).toEqual(missing)
  })
})
