import type { Session } from '../server/features/auth/sessions.ts'
import { CALLS } from '../server/plugins/openapi/calls.ts'
import type { Host } from '../shared/hosts.ts'
import type { Recording } from '../shared/recordings.ts'
import type { RoomUser } from '../shared/room-users.ts'
import { aHost, aMaster, aRoomUser, call, PASSWORD, type SignedIn, type TestHost } from './build.ts'
import { aZoomHost, aZoomServer, consent, type ZoomServer } from './emulated-zoom.ts'
import { aPng, logoForm } from './logo.ts'

/** Who calls: the host owns what is asked for, the other host does not, the cancelled one still has its old token. */
export const CALLERS = ['nobody', 'phone', 'host', 'other', 'cancelled', 'master'] as const
export type Caller = (typeof CALLERS)[number]

export interface World extends ZoomServer {
  origin: string
  host: TestHost
  other: TestHost
  user: RoomUser
  othersUser: RoomUser
  room_id: string
  recording: Recording
  master: SignedIn & { id: string; email: string }
  cancelled: TestHost
}

export async function aWorld(now: () => number = Date.now): Promise<World> {
  const server = await aZoomServer({ now, config: { FEATURES: ['logo-upload', 'downloads'] } })
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const host = await aZoomHost(server, { room_name: 'Morning room' })
  const other = await aZoomHost(server, { room_name: 'Evening room' })
  const cancelled = await aHost(server)
  const master = await aMaster(server)
  await call(server, 'POST', `/admin/hosts/${cancelled.id}/cancel-subscription`, { as: master })
  const { body } = await call(server, 'GET', '/host/details', { as: host })
  return {
    ...server,
    origin,
    host,
    other,
    cancelled,
    master,
    user: await aRoomUser(server, host, { reference: 'Soprano' }),
    othersUser: await aRoomUser(server, other),
    room_id: body.room_id,
    recording: await aRecording(server, host),
  }
}

let day = 0
/** A sitting of its own for each, so that one can be deleted without the other. */
export async function aRecording(server: ZoomServer, host: TestHost): Promise<Recording> {
  const start_time = new Date(server.deps.now() - ++day * 86_400_000).toISOString().replace(/\.\d+/, '')
  await server.control('/recordings', {
    email: host.email,
    start_time,
    duration_minutes: 4,
    audio: 'opening.m4a',
    notify: false,
  })
  const listed = await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
  return listed.body.data.recordings.find((one: Recording) => Date.parse(one.created_at) === Date.parse(start_time))
}

/** A session as a sign-in makes it, without its cost. Each call has its own, since some calls end theirs. */
export async function tokenOf(world: World, caller: Caller): Promise<string | null> {
  const nobody = { master_id: null, host_id: null, room_user_id: null }
  const open = (who: Pick<Session, 'role' | 'master_id' | 'host_id' | 'room_user_id'>) =>
    world.deps.sessions.open(world.deps.db, who, '127.0.0.1')
  if (caller === 'nobody') return null
  if (caller === 'cancelled') return world.cancelled.token
  if (caller === 'master') return open({ ...nobody, role: 'master', master_id: world.master.id })
  const room_user_id = caller === 'phone' ? world.user.id : null
  if (room_user_id) await world.deps.sessions.end({ room_user_ids: [room_user_id] }, 'signed_in_again')
  const { id } = caller === 'other' ? world.other : world.host
  return open({ ...nobody, role: caller === 'phone' ? 'phone' : 'host', host_id: id, room_user_id })
}

export interface Asked {
  path: string
  body?: unknown
  /** In place of a body of JSON. */
  form?: FormData
  headers?: Record<string, string>
}

export async function ask(
  { origin }: World,
  method: string,
  { path, body, form, headers = {} }: Asked,
  token: string | null,
) {
  const leaving = new AbortController()
  const answer = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    signal: leaving.signal,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form && { body: form }),
  })
  const type = answer.headers.get('content-type') ?? ''
  const isEndless = type.startsWith('text/event-stream')
  const text = isEndless ? '' : await answer.text()
  if (isEndless) leaving.abort()
  return { status: answer.status, text, body: type.includes('json') && text !== '' ? JSON.parse(text) : null }
}

/** The meetings of both hosts run, with the hosts in them whose own phones are online. */
async function theyMeet(world: World): Promise<void> {
  for (const { id, rooms } of [world.host, world.other]) {
    await (await world.deps.rooms.of(id)).status(id, undefined)
    await world.control(`/meetings/${rooms[0]?.zoom_meeting_id}/start`, {})
  }
}

let count = 0
const aName = () => `someone${++count}`
const deletedHost = async (world: World): Promise<Host> => {
  const host = await aHost(world)
  await call(world, 'DELETE', `/admin/hosts/${host.id}`, { as: world.master })
  return host
}
const ofUser = (action: string) => async (world: World) => ({
  path: `/api/host/users/${(await aRoomUser(world, world.host)).id}/${action}`,
})
const ofHost = (action: string) => async (world: World) => ({
  path: `/api/admin/hosts/${(await aHost(world)).id}${action}`,
})

/** What is asked where the path has a blank to fill, or the example of the documentation is not of this world. */
const ASKED: Record<string, (world: World) => Asked | Promise<Asked>> = {
  'POST /api/auth/host/login': ({ host }) => ({
    path: '/api/auth/host/login',
    body: { username: host.username, password: PASSWORD },
  }),
  'POST /api/auth/master-login': ({ master }) => ({
    path: '/api/auth/master-login',
    body: { email: master.email, password: PASSWORD },
  }),
  'GET /api/admin/hosts/:id': ofHost(''),
  'PUT /api/admin/hosts/:id': async (world) => ({ ...(await ofHost('')(world)), body: { mobile: '12345' } }),
  'POST /api/admin/hosts/:id/profile/:action': ofHost('/profile/stop'),
  'DELETE /api/admin/hosts/:id': ofHost(''),
  'POST /api/admin/hosts/:id/restore': async (world) => ({
    path: `/api/admin/hosts/${(await deletedHost(world)).id}/restore`,
  }),
  'POST /api/admin/hosts/:id/purge': async (world) => ({
    path: `/api/admin/hosts/${(await deletedHost(world)).id}/purge`,
  }),
  'POST /api/admin/hosts/integrate': () => {
    const username = aName()
    return {
      path: '/api/admin/hosts/integrate',
      body: { username, email: `${username}@example.com`, password: PASSWORD, subscription_type: 1 },
    }
  },
  'POST /api/admin/hosts/:id/extend-subscription': async (world) => ({
    ...(await ofHost('/extend-subscription')(world)),
    body: { additional_months: 3 },
  }),
  'POST /api/admin/hosts/:id/cancel-subscription': ofHost('/cancel-subscription'),
  'GET /api/admin/hosts/:id/subscription-history': ofHost('/subscription-history'),
  'GET /api/oauth/url': () => ({
    path: '/api/oauth/url?email=a@example.com&return_url=http://master.localhost:3000/oauth-success',
  }),
  'GET /api/oauth/results/:id': async (world) => {
    const end = await consent(world, `${aName()}@example.com`, {
      as: { token: (await tokenOf(world, 'master')) ?? '' },
    })
    return { path: `/api/oauth/results/${end.searchParams.get('oauth_result')}` }
  },
  'PUT /api/host/users/:id': async (world) => {
    const user = await aRoomUser(world, world.host)
    return { path: `/api/host/users/${user.id}`, body: { username: aName(), user_id: user.user_id } }
  },
  'POST /api/host/users': () => {
    const username = aName()
    return { path: '/api/host/users', body: { username, user_id: username, password: PASSWORD } }
  },
  'POST /api/host/upload-logo': () => ({ path: '/api/host/upload-logo', form: logoForm(aPng(), 'logo.png') }),
  'POST /api/host/users/:id/credentials': ofUser('credentials'),
  'POST /api/host/users/:id/activate': ofUser('activate'),
  'POST /api/host/users/:id/deactivate': ofUser('deactivate'),
  'POST /api/host/users/:id/delete': ofUser('delete'),
  'POST /api/host/users/:id/logout': ofUser('logout'),
  'POST /api/host/users/:id/mute': ofUser('mute'),
  'POST /api/host/users/:id/unmute': ofUser('unmute'),
  'POST /api/host/users/:id/lower-hand': ofUser('lower-hand'),
  'POST /api/host/users/:id/switch': ofUser('switch'),
  'POST /api/host/users/bulk/:action': async (world) => ({
    path: '/api/host/users/bulk/mute',
    body: { userIds: [(await aRoomUser(world, world.host)).id] },
  }),
  'POST /api/host/trigger-bulk-mute/:action': () => ({ path: '/api/host/trigger-bulk-mute/unmute' }),
  'DELETE /api/recordings/meetings/:meetingIdOrUuid/recordings': async (world) => {
    const { uuid } = (await aRecording(world, world.host)).meeting_data
    return { path: `/api/recordings/meetings/${encodeURIComponent(encodeURIComponent(uuid))}/recordings` }
  },
  'DELETE /api/host/recordings/:id': async (world) => {
    const { id } = await aRecording(world, world.host)
    const local = { gone_at_zoom: true, archived_path: 'archive/a.m4a' }
    await world.deps.db.updateTable('recordings').set(local).where('id', '=', id).execute()
    return { path: `/api/host/recordings/${id}` }
  },
  'POST /api/recordings/meetings/:meetingIdOrUuid/recover': async (world) => {
    const { uuid } = (await aRecording(world, world.host)).meeting_data
    const path = `/recordings/meetings/${encodeURIComponent(encodeURIComponent(uuid))}`
    await call(world, 'DELETE', `${path}/recordings`, { as: world.host })
    return { path: `/api${path}/recover` }
  },
  'GET /api/recordings/media/:id': ({ recording }) => ({ path: recording.file_data.play_url ?? '' }),
  'POST /api/mobile/login': ({ host, user }) => ({
    path: '/api/mobile/login',
    body: {
      host_id: host.user_id,
      username: user.username,
      password: PASSWORD,
      device_id: 'the-one-phone',
      platform: 'ios',
    },
  }),
  'POST /api/host/recording/:action': async (world) => {
    await theyMeet(world)
    return { path: '/api/host/recording/pause' }
  },
  'POST /api/mobile/join-ticket': async (world) => {
    await theyMeet(world)
    return { path: '/api/mobile/join-ticket' }
  },
  'POST /api/mobile/status': () => ({ path: '/api/mobile/status', body: { wants_to_speak: true } }),
  'POST /api/mobile/host-mute-all-status': ({ room_id }) => ({
    path: '/api/mobile/host-mute-all-status',
    body: { room_id, meeting_id: null },
  }),
  'POST /api/mobile/sse-session': ({ room_id }) => ({ path: '/api/mobile/sse-session', body: { room_id } }),
  'GET /api/mobile/events/:ticket': async (world) => {
    const opened = await call(world, 'POST', '/mobile/sse-session', {
      as: world.host,
      body: { room_id: world.room_id },
    })
    return { path: opened.body.sseUrl }
  },
}

/** One request to the route, for things that the host owns. */
export function askedOf(world: World, route: string): Asked | Promise<Asked> {
  const made = ASKED[route]?.(world)
  if (made) return made
  const [method, path = ''] = route.split(' ')
  const entry = (CALLS as Record<string, { body?: unknown }>)[`${method} ${path.replace(/^\/api/, '')}`]
  return { path, ...(entry?.body !== undefined && { body: entry.body }) }
}
