import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { buildHost, buildMaster, call } from '../../../test/factories/accounts.ts'
import { countLockWaits } from '../../../test/servers/lock-waits.ts'
import {
  buildZoomHost,
  consent,
  consentCallback,
  followCallback,
  setupWithZoom,
} from '../../../test/zoom/emulated-zoom.ts'
import { zoomIdsOf } from '../../../test/zoom/webhooks.ts'
import { readUser, readUserSettings } from '../../zoom/calls.ts'

const MINUTE = 60_000
let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setupWithZoom({ now: () => now })

const POPUP = 'http://master.localhost:3000/oauth-success'
const paramsOf = (url: URL) => Object.fromEntries(url.searchParams)

async function expectNoGrant() {
  expect(await server.deps.db.selectFrom('zoom_links').select('host_id').execute()).toEqual([])
  expect((await server.control('/state')).accounts).toMatchObject([{ installed: false }])
}

describe('consent at Zoom', () => {
  test('in a popup, with other letter case, ends on the return page of its own site, with a result and no token', async () => {
    const end = await consent(server, 'Ana@Example.com', { zoomEmail: 'ana@example.com' })
    expect(`${end.origin}${end.pathname}`).toBe(POPUP)
    expect(paramsOf(end)).toEqual({
      oauth_result: expect.stringMatching(/^[\w-]{43}$/),
      user_email: 'ana@example.com',
      status: 'success',
      popup: 'true',
    })
  })

  test('without a popup returns to the console, which reopens Add Host', async () => {
    const end = await consent(server, 'ana@example.com', {
      return_url: 'http://master.localhost:3000/master/hosts?tab=1',
    })
    expect(`${end.origin}${end.pathname}`).toBe('http://master.localhost:3000/master/hosts')
    const id = end.searchParams.get('oauth_result_id')
    expect(paramsOf(end)).toEqual({
      tab: '1',
      oauth_result_id: id,
      oauth_result: id,
      user_email: 'ana@example.com',
      oauth_status: 'success',
      modal: 'add-host',
    })
  })

  test('for an existing host connects it at once', async () => {
    const host = await buildHost(server)
    const master = await buildMaster(server)
    const end = await consent(server, host.email, { host_id: host.id, as: master })
    expect(paramsOf(end)).toMatchObject({ status: 'integrated', host_id: host.id, user_email: host.email })
    const shown = await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })
    expect(shown.body.data).toMatchObject({
      zoom_status: 'connected',
      zoom_user_email: host.email,
      rooms: [{ zoom_meeting_id: expect.stringMatching(/^\d{11}$/) }],
    })
    const confirmed = await call(server, 'GET', `/oauth/results/${end.searchParams.get('oauth_result')}`, {
      as: master,
    })
    expect(confirmed.body.data).toEqual({ status: 'integrated', user_email: host.email, host_id: host.id })
  })

  test('logs the id of the Zoom account, which ZOOM_APP_ACCOUNT_ID needs and Zoom shows nowhere', async () => {
    const info = vi.spyOn(server.deps.log, 'info')
    const host = await buildZoomHost(server)
    const { account_id } = await zoomIdsOf(server, host)
    expect(info).toHaveBeenCalledWith({ host_id: null, zoom_account_id: account_id }, 'zoom.connected')
  })

  test.each(['\u212aaren@example.com', 'k\u0430ren@example.com', '\uff4baren@example.com'])(
    'as %s, which only looks like the expected address, is refused',
    async (zoomEmail) => {
      const end = await consent(server, 'karen@example.com', { zoomEmail })
      expect(paramsOf(end)).toMatchObject({ error: 'email_mismatch', actual_email: zoomEmail })
      expect(await server.deps.db.selectFrom('oauth_results').selectAll().execute()).toEqual([])
    },
  )

  test('as a different user is refused with a message, and leaves nothing behind', async () => {
    const end = await consent(server, 'ana@example.com', { zoomEmail: 'bob@example.com' })
    expect(`${end.origin}${end.pathname}`).toBe('http://master.localhost:3000/oauth-error')
    expect(paramsOf(end)).toEqual({
      error: 'email_mismatch',
      error_description: 'Expected ana@example.com, but got bob@example.com from Zoom.',
      expected_email: 'ana@example.com',
      actual_email: 'bob@example.com',
      popup: 'true',
    })
    expect(await server.deps.db.selectFrom('oauth_results').selectAll().execute()).toEqual([])
    const { accounts } = await server.control('/state')
    expect(accounts).toMatchObject([{ email: 'bob@example.com', installed: false }])
  })

  test('as a different user without a popup returns to the console', async () => {
    const return_url = 'http://master.localhost:3000/master/hosts/add'
    const end = await consent(server, 'ana@example.com', { zoomEmail: 'bob@example.com', return_url })
    expect(`${end.origin}${end.pathname}`).toBe(return_url)
    expect(paramsOf(end)).toMatchObject({
      oauth_status: 'error',
      error: 'email_mismatch',
      expected_email: 'ana@example.com',
      actual_email: 'bob@example.com',
    })
  })

  test('denied ends on the error page', async () => {
    const end = await consent(server, 'ana@example.com', { action: 'deny' })
    expect(end.pathname).toBe('/oauth-error')
    expect(paramsOf(end)).toMatchObject({ error: 'access_denied', popup: 'true' })
  })

  test('with a Zoom account of another host leaves that host connected, and names it', async () => {
    const host = await buildZoomHost(server)
    const end = await consent(server, host.email)
    expect(paramsOf(end)).toMatchObject({ error: 'already_connected' })
    expect(end.searchParams.get('error_description')).toContain(host.username)
    const user = await server.deps.zoom.callFor(host.id, readUser)
    expect(user.email).toBe(host.email)
  })

  test('of a Zoom user that another host gets meanwhile is refused, and names that host', async () => {
    const master = await buildMaster(server)
    const [late, early] = [await buildHost(server), await buildHost(server)]
    const connect = ({ id }: { id: string }) => consent(server, 'ana@example.com', { host_id: id, as: master })
    const { callWith } = server.deps.zoom
    const waits = vi.spyOn(server.deps.zoom, 'callWith').mockImplementation(async (token, called, deadline) => {
      if (Object.is(called, readUserSettings) && waits.mock.calls.length <= 2) await connect(early)
      return callWith.call(server.deps.zoom, token, called, deadline)
    })
    const end = await connect(late)
    waits.mockRestore()
    expect(paramsOf(end)).toMatchObject({ error: 'already_connected' })
    expect(end.searchParams.get('error_description')).toContain(early.username)
    expect(await server.deps.db.selectFrom('zoom_links').select('host_id').execute()).toEqual([{ host_id: early.id }])
  })

  test('for a host that a master deletes meanwhile connects nothing, and keeps no grant', async () => {
    const [master, host] = [await buildMaster(server), await buildHost(server)]
    const { callWith } = server.deps.zoom
    const waits = vi.spyOn(server.deps.zoom, 'callWith').mockImplementation(async (token, called, deadline) => {
      if (Object.is(called, readUserSettings)) await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })
      return callWith.call(server.deps.zoom, token, called, deadline)
    })
    const end = await consent(server, host.email, { host_id: host.id, as: master })
    waits.mockRestore()
    expect(paramsOf(end)).toMatchObject({ error: 'invalid_request' })
    expect(end.searchParams.get('error_description')).toContain('deleted')
    await expectNoGrant()
  })

  test('of a master who is removed meanwhile connects nothing, and keeps no grant', async () => {
    const [master, other, host] = [await buildMaster(server), await buildMaster(server), await buildHost(server)]
    const { callWith } = server.deps.zoom
    const waits = vi.spyOn(server.deps.zoom, 'callWith').mockImplementation(async (token, called, deadline) => {
      if (Object.is(called, readUserSettings))
        await call(server, 'DELETE', `/admin/masters/${other.id}`, { as: master })
      return callWith.call(server.deps.zoom, token, called, deadline)
    })
    const end = await consent(server, host.email, { host_id: host.id, as: other })
    waits.mockRestore()
    expect(paramsOf(end)).toMatchObject({ error: 'invalid_request' })
    await expectNoGrant()
    expect(await server.deps.db.selectFrom('oauth_results').selectAll().execute()).toEqual([])
  })

  test('for a host that a master deletes while the link is stored leaves no grant to restore', async () => {
    const [master, host, other] = [await buildMaster(server), await buildHost(server), await buildHost(server)]
    const connect = ({ id }: { id: string }) => consent(server, host.email, { host_id: id, as: master })
    await connect(host)
    const { account_id, host_id } = await zoomIdsOf(server, host)
    const released = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = server.deps.db.transaction().execute(async (tx) => {
      const key = `zoom user ${account_id} ${host_id}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
      held.resolve()
      await released.promise
    })
    await held.promise
    const connecting = connect(host)
    await eventually(async () => expect(await countLockWaits(server.deps.db)).toBe(1))
    let isDeleted = false
    const deleting = call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master }).then((answer) => {
      isDeleted = true
      return answer
    })
    await eventually(async () => expect(isDeleted || (await countLockWaits(server.deps.db)) === 2).toBe(true))
    released.resolve()
    await Promise.all([holding, connecting])
    expect((await deleting).status).toBe(200)
    await expectNoGrant()

    expect(paramsOf(await connect(other))).toMatchObject({ status: 'integrated' })
    const restored = await call(server, 'POST', `/admin/hosts/${host.id}/restore`, { as: master })
    expect(restored).toMatchObject({ status: 200, body: { data: { zoom_status: 'not_connected' } } })
  })

  test('ends on the error page with a code while Zoom is down', async () => {
    await server.control('/faults', { match: { path: '/oauth/token' }, kind: 'xml', status: 500 })
    const end = await consent(server, 'ana@example.com')
    expect(paramsOf(end)).toMatchObject({ error: 'server_error' })
  })
})

describe('GET /api/oauth/callback', () => {
  test.each(['', '?code=x', '?code=x&state=unknown', '?state=a&state=b', '?error=access_denied'])(
    'with %j, which was not started here, ends on the error page',
    async (search) => {
      const end = await followCallback(server, new URL(`http://x/api/oauth/callback${search}`))
      expect(end.href).toBe('http://localhost:3000/oauth-error?error=invalid_request')
    },
  )

  test('without a code explains who can use an unpublished app, and connects no one', async () => {
    const master = await buildMaster(server)
    const host = await buildHost(server)
    const back = await consentCallback(server, host.email, { return_url: POPUP, host_id: host.id, as: master })
    back.searchParams.delete('code')
    const { error, error_description } = paramsOf(await followCallback(server, back))
    expect(error).toBe('invalid_request')
    expect(error_description).toContain('serves only the account that it was made in')
    const shown = await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })
    expect(shown.body.data.zoom_status).toBe('not_connected')
  })

  test('works once', async () => {
    const master = await buildMaster(server)
    const back = await consentCallback(server, 'ana@example.com', { return_url: POPUP, as: master })
    expect((await followCallback(server, back)).pathname).toBe('/oauth-success')
    expect((await followCallback(server, back)).searchParams.get('error')).toBe('invalid_request')
  })

  test('works for ten minutes', async () => {
    const master = await buildMaster(server)
    const back = await consentCallback(server, 'ana@example.com', { return_url: POPUP, as: master })
    now += 10 * MINUTE + 1
    expect((await followCallback(server, back)).searchParams.get('error')).toBe('invalid_request')
  })

  test('with an invalid code ends on the error page', async () => {
    const master = await buildMaster(server)
    const back = await consentCallback(server, 'ana@example.com', { return_url: POPUP, as: master })
    back.searchParams.set('code', 'another')
    expect((await followCallback(server, back)).searchParams.get('error')).toBe('server_error')
  })
})
