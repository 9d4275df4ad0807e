import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  buildWorld,
  CALLERS,
  type Caller,
  exampleRequest,
  type RouteTestData,
  sendRequest,
  tokenOf,
} from './route-world.ts'

/** The status for each caller. */
const TABLE = `
  route                                                       anonymous phone host manager moderator other deputy cancelled master
  GET /healthz                                                      200   200  200     200       200   200    200       200    200
  GET /readyz                                                       200   200  200     200       200   200    200       200    200
  GET /metrics                                                      200   200  200     200       200   200    200       200    200
  GET /api/openapi.json                                             200   200  200     200       200   200    200       200    200
  GET /api/docs                                                     301   301  301     301       301   301    301       301    301
  GET /api/docs/                                                    200   200  200     200       200   200    200       200    200
  GET /api/docs/js/scalar.js                                        200   200  200     200       200   200    200       200    200

  POST /api/auth/host/login                                         200   200  200     200       200   200    200       200    200
  POST /api/auth/master-login                                       200   200  200     200       200   200    200       200    200
  POST /api/auth/links/look                                         200   200  200     200       200   200    200       200    200
  POST /api/auth/links/use                                          200   200  200     200       200   200    200       200    200
  POST /api/auth/second-factor                                      200   200  200     200       200   200    200       200    200
  POST /api/auth/verify                                             401   403  200     200       200   200    200       401    200
  POST /api/auth/claim                                              401   403  200     200       200   200    200       401    200
  POST /api/auth/logout                                             401   403  200     200       200   200    200       401    200
  POST /api/auth/host/logout                                        401   403  200     403       403   200    403       401    403

  GET /api/admin/home                                               401   403  403     403       403   403    403       401    200
  GET /api/admin/hosts                                              401   403  403     403       403   403    403       401    200
  GET /api/admin/hosts/:id                                          401   403  403     403       403   403    403       401    200
  POST /api/admin/hosts/integrate                                   401   403  403     403       403   403    403       401    200
  PUT /api/admin/hosts/:id                                          401   403  403     403       403   403    403       401    200
  POST /api/admin/hosts/:id/profile/:action                         401   403  403     403       403   403    403       401    200
  DELETE /api/admin/hosts/:id                                       401   403  403     403       403   403    403       401    200
  POST /api/admin/hosts/:id/reset-link                              401   403  403     403       403   403    403       401    200
  POST /api/admin/hosts/:id/restore                                 401   403  403     403       403   403    403       401    200
  GET /api/admin/hosts/:id/export                                   401   403  403     403       403   403    403       401    200
  POST /api/admin/hosts/:id/purge                                   401   403  403     403       403   403    403       401    200
  POST /api/admin/hosts/:id/extend-subscription                     401   403  403     403       403   403    403       401    200
  POST /api/admin/hosts/:id/cancel-subscription                     401   403  403     403       403   403    403       401    200
  GET /api/admin/hosts/:id/subscription-history                     401   403  403     403       403   403    403       401    200
  GET /api/admin/renewals                                           401   403  403     403       403   403    403       401    200
  GET /api/admin/renewals/sold                                      401   403  403     403       403   403    403       401    200
  GET /api/admin/system                                             401   403  403     403       403   403    403       401    200
  POST /api/admin/system/check                                      401   403  403     403       403   403    403       401    200
  POST /api/admin/backups                                           401   403  403     403       403   403    403       401    200
  POST /api/admin/system/test-mail                                  401   403  403     403       403   403    403       401    200
  GET /api/admin/field-report                                       401   403  403     403       403   403    403       401    200
  GET /api/admin/masters                                            401   403  403     403       403   403    403       401    200
  POST /api/admin/masters/invitations                               401   403  403     403       403   403    403       401    200
  DELETE /api/admin/masters/invitations/:id                         401   403  403     403       403   403    403       401    200
  DELETE /api/admin/masters/:id                                     401   403  403     403       403   403    403       401    200
  GET /api/admin/audit                                              401   403  403     403       403   403    403       401    200
  GET /api/admin/security                                           401   403  403     403       403   403    403       401    200
  PUT /api/admin/security                                           401   403  403     403       403   403    403       401    200

  GET /api/oauth/url                                                401   403  403     403       403   403    403       401    200
  GET /api/oauth/results/:id                                        401   403  403     403       403   403    403       401    200
  GET /api/oauth/callback                                           303   303  303     303       303   303    303       303    303
  POST /api/zoom/webhooks                                           401   401  401     401       401   401    401       401    401

  GET /api/host/profile                                             401   403  200     403       403   200    403       401    403
  POST /api/host/profile/stop                                       401   403  200     403       403   200    403       401    403
  POST /api/host/profile/activate                                   401   403  200     403       403   200    403       401    403
  POST /api/host/profile/logout                                     401   403  200     403       403   200    403       401    403
  POST /api/host/profile/change-phone                               401   403  200     403       403   200    403       401    403
  GET /api/host/subscription                                        401   403  200     200       403   200    200       401    403
  GET /api/host/dashboard                                           401   403  200     200       403   200    200       401    403
  GET /api/host/dashboard/charts                                    401   403  200     200       403   200    200       401    403
  GET /api/host/app-info                                            401   403  200     403       403   200    403       401    403
  PUT /api/host/app-info                                            401   403  200     403       403   200    403       401    403
  POST /api/host/upload-logo                                        401   403  200     403       403   200    403       401    403
  GET /api/host/room                                                401   403  200     200       200   200    200       401    403
  POST /api/host/room/passcode                                      401   403  200     403       403   200    403       401    403
  POST /api/host/room/start                                         401   403  200     403       403   200    403       401    403
  POST /api/host/room/end                                           401   403  200     200       403   200    200       401    403
  GET /api/host/planned-meetings                                    401   403  200     200       403   200    200       401    403
  GET /api/host/planned-meetings/check                              401   403  200     200       200   200    200       401    403
  POST /api/host/planned-meetings                                   401   403  200     200       403   200    200       401    403
  PUT /api/host/planned-meetings/:id                                401   403  200     200       403   404    404       401    403
  DELETE /api/host/planned-meetings/:id                             401   403  200     200       403   404    404       401    403
  POST /api/host/calendar-link                                      401   403  200     200       403   200    200       401    403
  DELETE /api/host/calendar-link                                    401   403  200     200       403   200    200       401    403
  POST /api/host/seat                                               401   403  200     403       403   200    403       401    403
  PUT /api/host/seat                                                401   403  409     403       403   409    403       401    403
  DELETE /api/host/seat                                             401   403  409     403       403   409    403       401    403
  GET /api/host/attendees                                           401   403  200     200       200   200    200       401    403
  POST /api/host/attendees/:key/:action                             401   403  202     202       202   202    202       401    403
  PUT /api/host/attendees/:key/user                                 401   403  200     200       403   404    404       401    403
  GET /api/host/users/:id/zoom-names                                401   403  200     200       403   404    404       401    403
  DELETE /api/host/users/:id/zoom-names                             401   403  200     200       403   404    404       401    403
  POST /api/host/attendees/admit-all                                401   403  202     202       403   202    202       401    403
  POST /api/host/attendees/ask-unmute-all                           401   403  202     202       403   202    202       401    403
  POST /api/host/recording/:action                                  401   403  200     200       403   200    200       401    403
  GET /api/host/details                                             401   403  200     200       200   200    200       401    403
  GET /api/host/audit                                               401   403  200     403       403   200    403       401    403
  GET /api/host/attendance                                          401   403  200     200       403   200    200       401    403
  GET /api/host/attendance/charts                                   401   403  200     200       403   200    200       401    403
  GET /api/host/attendance/meetings                                 401   403  200     200       403   200    200       401    403
  GET /api/host/meetings                                            401   403  200     200       403   200    200       401    403
  GET /api/host/meetings/:id                                        401   403  200     200       403   404    404       401    403
  GET /api/host/meetings/:id/links                                  401   403  200     200       403   200    200       401    403
  POST /api/host/meetings/:id/links                                 401   403  200     200       403   404    404       401    403
  DELETE /api/host/report-links/:id                                 401   403  200     200       403   404    404       401    403
  PUT /api/host/meetings/:id/note                                   401   403  200     200       403   404    404       401    403

  GET /api/host/assistants                                          401   403  200     403       403   200    403       401    403
  POST /api/host/assistants                                         401   403  200     403       403   200    403       401    403
  PUT /api/host/assistants/:id                                      401   403  200     403       403   404    403       401    403
  POST /api/host/assistants/:id/invite-link                         401   403  200     403       403   404    403       401    403
  DELETE /api/host/assistants/:id                                   401   403  200     403       403   404    403       401    403

  GET /api/host/users                                               401   403  200     200       403   200    200       401    403
  GET /api/host/online-users                                        401   403  200     200       200   200    200       401    403
  POST /api/host/users                                              401   403  200     200       403   200    200       401    403
  POST /api/host/users/import                                       401   403  200     200       403   200    200       401    403
  PUT /api/host/users/:id                                           401   403  200     200       403   404    404       401    403
  POST /api/host/users/:id/credentials                              401   403  200     200       403   404    404       401    403
  GET /api/host/users/:id                                           401   403  200     200       403   404    404       401    403
  GET /api/host/users/:id/history                                   401   403  200     200       403   404    404       401    403
  GET /api/host/users/:id/export                                    401   403  200     200       403   404    404       401    403
  POST /api/host/users/:id/erase                                    401   403  200     403       403   404    403       401    403
  POST /api/host/users/bulk/credentials                             401   403  200     200       403   200    200       401    403
  POST /api/host/users/:id/activate                                 401   403  200     200       403   404    404       401    403
  POST /api/host/users/:id/deactivate                               401   403  200     200       403   404    404       401    403
  POST /api/host/users/:id/delete                                   401   403  200     200       403   404    404       401    403
  POST /api/host/users/:id/logout                                   401   403  200     200       200   404    404       401    403
  POST /api/host/users/:id/mute                                     401   403  200     200       200   404    404       401    403
  POST /api/host/users/:id/unmute                                   401   403  200     200       200   404    404       401    403
  POST /api/host/users/:id/lower-hand                               401   403  200     200       200   404    404       401    403
  POST /api/host/users/:id/pin                                      401   403  200     200       200   404    404       401    403
  POST /api/host/users/:id/unpin                                    401   403  200     200       200   404    404       401    403
  POST /api/host/users/:id/switch                                   401   403  200     200       403   404    404       401    403
  GET /api/host/phone-requests                                      401   403  200     200       403   200    200       401    403
  POST /api/host/phone-requests/:id/:decision                       401   403  200     200       403   404    404       401    403
  POST /api/host/users/:id/sign-in-link                             401   403  200     200       403   404    404       401    403
  DELETE /api/host/users/:id/sign-in-link                           401   403  200     200       403   404    404       401    403
  GET /api/host/sign-in-links                                       401   403  200     200       403   200    200       401    403
  POST /api/host/users/bulk/:action                                 401   403  200     200       200   200    200       401    403
  GET /api/host/groups                                              401   403  200     200       403   200    200       401    403
  POST /api/host/groups                                             401   403  200     200       403   200    200       401    403
  PUT /api/host/groups/:id                                          401   403  200     200       403   404    404       401    403
  DELETE /api/host/groups/:id                                       401   403  200     200       403   404    404       401    403
  POST /api/host/groups/:id/users                                   401   403  200     200       403   404    404       401    403
  POST /api/host/trigger-bulk-mute/:action                          401   403  200     200       200   200    200       401    403
  POST /api/host/undo-mute-all                                      401   403  200     200       200   200    200       401    403
  POST /api/host/next-speaker                                       401   403  200     200       200   200    200       401    403
  PUT /api/host/turn-limit                                          401   403  200     200       200   200    200       401    403
  PUT /api/host/queue-order                                         401   403  200     200       200   200    200       401    403
  PUT /api/host/word                                                401   403  200     200       200   200    200       401    403
  PUT /api/host/users/:id/word                                      401   403  200     200       200   404    404       401    403
  DELETE /api/host/words/:id                                        401   403  200     200       200   404    404       401    403
  POST /api/host/cleanup-stale-users                                401   403  200     200       200   200    200       401    403

  GET /api/recordings                                               401   403  200     200       403   200    200       401    403
  GET /api/recordings/media/:id                                     200   200  200     200       200   200    200       200    200
  GET /api/host/recordings/search                                   401   403  200     200       403   200    200       401    403
  GET /api/host/recordings/:id/transcript                           401   403  200     200       403   404    404       401    403
  DELETE /api/recordings/meetings/:meetingIdOrUuid/recordings       401   403  200     200       403   404    404       401    403
  PUT /api/host/recordings/:id/sharing                              401   403  200     200       403   404    404       401    403
  GET /api/host/recordings/:id/speakers                             401   403  200     200       403   404    404       401    403
  DELETE /api/host/recordings/:id                                   401   403  200     200       403   404    404       401    403
  POST /api/recordings/meetings/:meetingIdOrUuid/recover            401   403  200     200       403   404    404       401    403

  POST /api/shared-report                                           200   200  200     200       200   200    200       200    200
  GET /api/calendar/:token.ics                                      200   200  200     200       200   200    200       200    200

  GET /api/mobile/rooms/:host_id                                    200   200  200     200       200   200    200       200    200
  POST /api/mobile/phone-requests                                   200   200  200     200       200   200    200       200    200
  GET /api/mobile/phone-requests/:ticket                            200   200  200     200       200   200    200       200    200
  POST /api/mobile/login                                            200   200  200     200       200   200    200       200    200
  POST /api/mobile/link-owner                                       200   200  200     200       200   200    200       200    200
  POST /api/mobile/link-login                                       200   200  200     200       200   200    200       200    200
  POST /api/mobile/logout                                           401   200  403     403       403   403    403       401    403
  GET /api/mobile/me                                                401   200  403     403       403   403    403       401    403
  GET /api/mobile/room                                              401   200  403     403       403   403    403       401    403
  POST /api/mobile/status                                           401   200  403     403       403   403    403       401    403
  GET /api/mobile/recordings                                        401   200  403     403       403   403    403       401    403
  GET /api/mobile/recordings/media/:id                              200   200  200     200       200   200    200       200    200
  POST /api/mobile/words/:id/confirm                                401   200  403     403       403   403    403       401    403
  POST /api/mobile/join-ticket                                      401   200  403     403       403   403    403       401    403
  POST /api/mobile/host-mute-all-status                             401   200  200     200       200   404    404       401    403
  POST /api/mobile/sse-session                                      401   200  200     200       200   404    404       401    403
  GET /api/mobile/events/:ticket                                    200   200  200     200       200   200    200       200    200

  GET /api/account                                                  401   403  200     200       200   200    200       401    200
  GET /api/account/sessions                                         401   403  200     200       200   200    200       401    200
  DELETE /api/account/sessions/:id                                  401   403  200     404       404   404    404       401    404
  POST /api/account/sessions/end-others                             401   403  200     200       200   200    200       401    200
  POST /api/account/confirm                                         401   403  200     200       200   200    200       401    200
  POST /api/account/confirm/options                                 401   403  200     200       200   200    200       401    200
  POST /api/account/password                                        401   403  200     200       200   200    200       401    200
  POST /api/account/totp                                            401   403  200     200       200   200    200       401    200
  POST /api/account/totp/confirm                                    401   403  200     409       409   409    409       401    409
  DELETE /api/account/totp                                          401   403  200     200       200   200    200       401    200
  POST /api/account/passkeys/options                                401   403  200     200       200   200    200       401    200
  POST /api/account/passkeys                                        401   403  400     400       400   400    400       401    400
  DELETE /api/account/passkeys/:id                                  401   403  200     404       404   404    404       401    404
  POST /api/account/recovery-codes                                  401   403  200     200       200   200    200       401    200
`

const rows = TABLE.trim()
  .split('\n')
  .slice(1)
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const words = line.trim().split(/\s+/)
    return { route: words.slice(0, 2).join(' '), statuses: words.slice(2).map(Number) }
  })

let now = Date.now()
let world: RouteTestData
beforeAll(async () => {
  world = await buildWorld(() => now)
})
afterAll(() => world.close())

const isPage = (route: string) => !/ \/(api\/|healthz$|readyz$|metrics$)/.test(route)

/** The next caller who may do it needs another user, recording or meeting. */
const isDoneOnce = (route: string) =>
  /POST .*[/](users|groups|delete|end|recover|undo-mute-all|next-speaker|link-login|links[/]use|second-factor|:decision)$/.test(
    route,
  ) ||
  /DELETE .*(sign-in-link|recordings|recordings[/]:id|planned-meetings[/]:id|groups[/]:id|words[/]:id|report-links[/]:id)$/.test(
    route,
  )

test('every route has a row, and every row a route', () => {
  const routes = [...world.app.routeList.keys()].filter((route) => !isPage(route))
  expect(rows.map(({ route }) => route).sort()).toEqual(routes.sort())
})

test.each(rows)('$route answers each caller as its row says', async ({ route, statuses }) => {
  const [method = ''] = route.split(' ')
  let request = await exampleRequest(world, route)
  const expected = Object.fromEntries(CALLERS.map((caller, place) => [caller, statuses[place]]))
  const got: Partial<Record<Caller, number>> = {}
  // Refusals first, so that permitted callers find the state unchanged.
  for (const caller of CALLERS.toSorted((one, other) => (expected[other] ?? 0) - (expected[one] ?? 0))) {
    const { status, body } = await sendRequest(world, method, request, await tokenOf(world, caller))
    if (status === 200 && isDoneOnce(route)) request = await exampleRequest(world, route)
    got[caller] = status
    if (status === 401) expect(body.code).toBe(route.endsWith('/webhooks') ? 'bad_signature' : 'not_signed_in')
    if (status === 403) expect(body.code).toBe('not_allowed')
  }
  expect(got).toEqual(expected)
})

const guarded = rows.filter(({ route, statuses: [anonymous] }) => anonymous === 401 && !route.endsWith('/webhooks'))

async function expectRefused(tokens: (string | null)[]) {
  for (const { route } of guarded) {
    const [method = '', path = ''] = route.split(' ')
    for (const token of tokens) {
      const { status, body } = await sendRequest(
        world,
        method,
        { path, body: method === 'GET' ? undefined : {} },
        token,
      )
      expect({ status, code: body.code }, `${route} ${token}`).toEqual({ status: 401, code: 'not_signed_in' })
    }
  }
}

test("no route accepts a changed token or a stream's ticket", async () => {
  const token = (await tokenOf(world, 'host')) ?? ''
  const opened = await sendRequest(world, 'POST', await exampleRequest(world, 'POST /api/mobile/sse-session'), token)
  const [head, , signature] = token.split('.')
  const master = { sid: crypto.randomUUID(), adminId: world.master.id, role: 'master' }
  const claims = Buffer.from(JSON.stringify(master)).toString('base64url')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`
  await expectRefused([
    opened.body.sessionId,
    unsigned,
    `${head}.${claims}.${signature}`,
    `${token}x`,
    token.slice(0, -3),
  ])
})

test('no character of a token can be changed', async () => {
  const token = (await tokenOf(world, 'host')) ?? ''
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let place = 0; place < token.length; place++) {
    const neighbour = letters[letters.indexOf(token.charAt(place)) ^ 1] ?? 'A' // the last character has unused bits
    const changed = token.slice(0, place) + neighbour + token.slice(place + 1)
    const { status } = await sendRequest(world, 'GET', { path: '/api/host/profile' }, changed)
    expect(status, `${place} of ${token.length}`).toBe(401)
  }
})

test('no route accepts an expired token', async () => {
  const tokens = [await tokenOf(world, 'master'), await tokenOf(world, 'host'), await tokenOf(world, 'phone')]
  now += 31 * 24 * 3_600_000
  await expectRefused(tokens)
})
