import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPhone, aRoomUser, call, PASSWORD } from '../build.ts'
import { ask, askedOf, aWorld, type Caller, tokenOf, type World } from '../route-world.ts'

/** Which keys an answer has, and no others: `?` may be absent, a list stands for each of its items. */
type Shape = { [key: string]: true | Shape | [Shape] }

const keys = (words: string): Shape => Object.fromEntries(words.split(' ').map((word) => [word, true]))

const DONE = keys('success message?')
const SUBSCRIPTION = keys('subscription_type subscription_status subscription_start_date subscription_end_date')
const HOST: Shape = {
  ...keys('id numerical_id user_id username email mobile full_name role is_active is_online storage_limit_gb'),
  ...keys('storage_used_gb recording_enabled room_name zoom_user_email zoom_connected zoom_status zoom_pmi user_count'),
  ...keys('created_at updated_at last_seen login_time last_login_ip ip_address device_id device_model platform'),
  ...keys('app_version deleted_at purge_at'),
  ...SUBSCRIPTION,
  rooms: [keys('name zoom_meeting_id')],
  zoom_warnings: [keys('code message')],
}
const MASTER = keys('id email username full_name role')
const ROOM_USER: Shape = {
  ...keys('id user_id username reference email is_online asleep is_active last_seen login_time platform device_id'),
  ...keys(
    'device_model app_version status is_speaking is_muted speaker_on wants_to_speak wants_to_speak_at in_meeting',
  ),
  pending_command: keys('id type'),
}
const FILE = keys('file_type file_size play_url download_url')
const RECORDING: Shape = {
  ...keys('id file_name status duration created_at recording_type source archived meeting_id'),
  meeting_data: { ...keys('uuid total_size'), recording_files: [{ ...FILE, ...keys('id recording_type status') }] },
  file_data: FILE,
}
const ARCHIVE = keys('is_full waiting used_gb limit_gb message')
const APP_INFO = keys('user_id password has_password user_title helpline message allow_recording logo_url')
const ROOM = keys('room_id room_name name zoom_meeting_id password user_count is_active is_live recording')
const PHONE: Shape = {
  user: keys('id user_id username reference is_host'),
  room: keys('room_id room_name zoom_meeting_id'),
  app: keys('user_title helpline message logo_url allow_recording'),
}
const LIVE = keys('is_muted speaker_on wants_to_speak is_speaking host_mute_all_active')
const ENTRY: Shape = {
  ...keys('id at host_id host_name action ip'),
  actor: keys('role id name'),
  target: keys('id name'),
  before: true,
  after: true,
}
const CHANGE: Shape = { ...keys('id at action months'), by: keys('id name'), before: SUBSCRIPTION, after: SUBSCRIPTION }
const SENT = keys('targeted reachable')
const STAY = keys('id user_id username joined_at left_at seconds')
const CAME = keys('id user_id username reference first_joined last_left total_seconds visits')

const data = (shape: Shape | [Shape]): Shape => ({ ...DONE, data: shape })
const onUser = (action: string): [string, Caller, Shape] => [`POST /api/host/users/:id/${action}`, 'host', data(SENT)]

const ANSWERS: [route: string, caller: Caller, shape: Shape][] = [
  ['POST /api/auth/host/login', 'nobody', data({ token: true, user: HOST })],
  ['POST /api/auth/master-login', 'nobody', { ...DONE, token: true, user: MASTER }],
  ['POST /api/auth/verify', 'master', { ...DONE, user: MASTER }],
  ['POST /api/auth/verify', 'host', { ...DONE, user: HOST }],
  ['POST /api/auth/claim', 'master', { ...DONE, token: true, user: MASTER }],
  ['POST /api/auth/claim', 'host', { ...DONE, token: true, user: HOST }],
  ['POST /api/auth/logout', 'host', DONE],
  ['POST /api/auth/host/logout', 'host', DONE],
  ['GET /api/admin/hosts', 'master', data({ hosts: [HOST] })],
  ['GET /api/admin/hosts/:id', 'master', data(HOST)],
  ['POST /api/admin/hosts/integrate', 'master', data(HOST)],
  ['PUT /api/admin/hosts/:id', 'master', data(HOST)],
  ['POST /api/admin/hosts/:id/profile/:action', 'master', data(HOST)],
  ['DELETE /api/admin/hosts/:id', 'master', DONE],
  ['POST /api/admin/hosts/:id/restore', 'master', data(HOST)],
  ['POST /api/admin/hosts/:id/purge', 'master', DONE],
  ['POST /api/admin/hosts/:id/extend-subscription', 'master', data(HOST)],
  ['POST /api/admin/hosts/:id/cancel-subscription', 'master', data(HOST)],
  ['GET /api/admin/hosts/:id/subscription-history', 'master', data({ history: [CHANGE] })],
  ['GET /api/admin/audit', 'master', data({ entries: [ENTRY], next: true })],
  ['GET /api/oauth/url', 'master', { ...DONE, auth_url: true, oauth_result_id: true }],
  ['GET /api/oauth/results/:id', 'master', data(keys('status user_email host_id?'))],
  ['GET /api/host/profile', 'host', data(HOST)],
  ['POST /api/host/profile/logout', 'host', data(HOST)],
  ['POST /api/host/profile/change-phone', 'host', data(HOST)],
  ['GET /api/host/subscription', 'host', data(SUBSCRIPTION)],
  [
    'GET /api/host/dashboard',
    'host',
    data({
      users: keys('total online'),
      rooms: keys('total active'),
      app_versions: keys('newest older'),
      recordings: keys('total'),
      room: keys('name is_active'),
    }),
  ],
  ['GET /api/host/app-info', 'host', { ...DONE, appInfo: APP_INFO }],
  ['PUT /api/host/app-info', 'host', { ...DONE, appInfo: APP_INFO }],
  ['POST /api/host/upload-logo', 'host', { ...DONE, appInfo: APP_INFO }],
  ['GET /api/host/room', 'host', data({ room: ROOM })],
  ['POST /api/host/room/passcode', 'host', data(keys('changed'))],
  ['POST /api/host/recording/:action', 'host', data({ room: ROOM })],
  ['GET /api/host/details', 'host', { ...DONE, ...keys('room_id room_name') }],
  ['GET /api/host/audit', 'host', data({ entries: [ENTRY], next: true })],
  [
    'GET /api/host/attendance',
    'host',
    data({
      ...keys('from to stays_total'),
      attendance: [CAME],
      absent: [keys('id user_id username reference')],
      stays: [STAY],
    }),
  ],
  ['GET /api/host/users', 'host', data({ users: [ROOM_USER], next_user_id: true })],
  ['GET /api/host/online-users', 'host', { ...data({ users: [ROOM_USER] }), host_mute_all_active: true }],
  ['POST /api/host/users', 'host', data({ user: ROOM_USER })],
  [
    'POST /api/host/users/import',
    'host',
    data({ added: [keys('index id user_id')], failed: [keys('index path message')] }),
  ],
  ['PUT /api/host/users/:id', 'host', data({ user: ROOM_USER })],
  ['POST /api/host/users/:id/credentials', 'host', data(keys('host_id user_id username password'))],
  ...['activate', 'deactivate', 'delete', 'logout', 'mute', 'unmute', 'lower-hand', 'switch'].map(onUser),
  ['POST /api/host/users/bulk/:action', 'host', data({ ...SENT, succeeded: true, failed: [keys('id code message')] })],
  ['POST /api/host/trigger-bulk-mute/:action', 'host', data(SENT)],
  ['POST /api/host/cleanup-stale-users', 'host', { ...DONE, cleanedUsers: true }],
  ['GET /api/recordings', 'host', data({ recordings: [RECORDING], ...keys('total stale'), archive: ARCHIVE })],
  ['DELETE /api/recordings/meetings/:meetingIdOrUuid/recordings', 'host', DONE],
  ['POST /api/recordings/meetings/:meetingIdOrUuid/recover', 'host', DONE],
  ['DELETE /api/host/recordings/:id', 'host', DONE],
  ['POST /api/mobile/login', 'nobody', data({ token: true, 'device_secret?': true, ...PHONE })],
  ['GET /api/mobile/me', 'phone', data({ ...PHONE, state: LIVE })],
  ['POST /api/mobile/status', 'phone', data(LIVE)],
  [
    'POST /api/mobile/join-ticket',
    'phone',
    data(keys('meeting_number passcode signature user_name customer_key obf_token expires_at')),
  ],
  ['POST /api/mobile/logout', 'phone', DONE],
  ['POST /api/mobile/host-mute-all-status', 'host', { ...DONE, host_mute_all_active: true }],
  ['POST /api/host/profile/stop', 'host', data(HOST)],
  ['POST /api/host/profile/activate', 'host', data(HOST)],
  ['POST /api/mobile/sse-session', 'host', { ...DONE, ...keys('sessionId sseUrl') }],
]

/** Nothing of these is an answer of a call: the document, bytes, redirects, Zoom's own address and probes. */
const NO_ANSWERS =
  /\/(openapi\.json|docs|docs\/|docs\/js\/scalar\.js|oauth\/callback|media\/:id|events\/:ticket|webhooks)$/

/** Where a password or a token is what was asked for. */
const MAY_TELL = ['/credentials', '/login', '/master-login', '/auth/claim', '/join-ticket']

let world: World
beforeAll(async () => {
  world = await aWorld()
  // Something in every list: a phone online, a command on its way, a stay, an entry.
  const phone = await aPhone(world, world.host, await aRoomUser(world, world.host))
  await call(world, 'POST', `/host/users/${phone.id}/mute`, { as: world.host })
})
afterAll(() => world.close())

test('every call has its list of keys', () => {
  const calls = [...world.app.routeList.keys()].filter((route) => / \/api\//.test(route) && !NO_ANSWERS.test(route))
  expect([...new Set(ANSWERS.map(([route]) => route))].sort()).toEqual(calls.sort())
})

test.each(ANSWERS)('%s answers a %s with its keys and no secret', async (route, caller, shape) => {
  const [method = ''] = route.split(' ')
  const { status, body, text } = await ask(world, method, await askedOf(world, route), await tokenOf(world, caller))
  expect(status, text).toBe(200)
  expect(differences(body, shape, '')).toEqual([])

  expect(text).not.toMatch(/\$argon2|_hash|ciphertext|(name|mail|_id)_key"|refresh_token|access_token/)
  if (MAY_TELL.some((end) => route.endsWith(end))) return
  expect(text).not.toContain(PASSWORD)
  expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/)
})

const MAY_BE_EMPTY = ['.zoom_warnings', '.failed']

/** Keys that are there and should not be, and the other way round. An empty list would show nothing, and fails. */
function differences(value: unknown, shape: Shape | [Shape], path: string): string[] {
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    if (value.length === 0 && !MAY_BE_EMPTY.some((end) => path.endsWith(end))) return [`${path} is empty`]
    return value.flatMap((item, place) => differences(item, shape[0], `${path}[${place}]`))
  }
  if (value === null || typeof value !== 'object') return [`${path} is no object`]
  const held = Object.entries(value)
  const surplus = held.filter(([key]) => !(key in shape) && !(`${key}?` in shape)).map(([key]) => `${path}.${key} more`)
  const within = Object.entries(shape).flatMap(([key, inner]) => {
    if (key.endsWith('?')) return []
    const [, item] = held.find(([name]) => name === key) ?? []
    if (item === undefined) return [`${path}.${key} missing`]
    return inner === true || item === null ? [] : differences(item, inner, `${path}.${key}`)
  })
  return [...surplus, ...within]
}
