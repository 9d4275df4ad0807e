import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { audit } from '../../server/db/audit-log.ts'
import type { Session } from '../../server/features/auth/session-rows.ts'
import { readTranscripts } from '../../server/features/recordings/transcripts/read-transcripts.ts'
import {
  ACCOUNT_LINK_TOKEN,
  anita,
  attendee,
  CALENDAR_TOKEN,
  CHALLENGE,
  CODE,
  host,
  ID,
  MEDIA_LINK,
  MEETING,
  maria,
  master,
  newHost,
  OAUTH_RESULT,
  PHONE_MEDIA_LINK,
  RECOVERY_CODE,
  REPORT_TOKEN,
  ravi,
  STREAM_TICKET,
  subscription,
  zoya,
} from '../../shared/examples.ts'
import type { Recording } from '../../shared/recordings.ts'
import type { RoomUser } from '../../shared/room-users.ts'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openAssistantSession,
  PASSWORD,
  type SignedIn,
  type TestAssistant,
  type TestHost,
} from '../factories/accounts.ts'
import { addGroup } from '../factories/groups.ts'
import { buildPng, logoForm } from '../factories/logo.ts'
import { makeCalendarLink, planMeeting } from '../factories/planned-meetings.ts'
import { addTotp, totpCode } from '../factories/second-factor.ts'
import { buildZoomHost, consent, startZoomServer, type ZoomServer } from '../zoom/emulated-zoom.ts'
import { documentedCalls } from './documented-calls.ts'

/**
 * `host` owns the requested data, and `manager` and `moderator` are its assistants; `other` does not, and `deputy` is its
 * manager; `cancelled` has an old token.
 */
export const CALLERS = [
  'anonymous',
  'phone',
  'host',
  'manager',
  'moderator',
  'other',
  'deputy',
  'cancelled',
  'master',
] as const
export type Caller = (typeof CALLERS)[number]

export interface RouteTestData extends ZoomServer {
  origin: string
  host: TestHost
  other: TestHost
  user: RoomUser
  othersUser: RoomUser
  room_id: string
  recording: Recording
  master: SignedIn & { id: string; email: string }
  assistants: Record<'manager' | 'moderator' | 'deputy', TestAssistant>
  cancelled: TestHost
}

export async function buildWorld(now: () => number = Date.now): Promise<RouteTestData> {
  const server = await startZoomServer({
    now,
    config: { FEATURES: ['logo-upload', 'downloads'], SMTP_URL: 'smtp://127.0.0.1:1', BACKUP_TO: '/nowhere/backups' },
  })
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const host = await buildZoomHost(server, { room_name: 'Morning room' })
  const other = await buildZoomHost(server, { room_name: 'Evening room' })
  const cancelled = await buildHost(server)
  const master = await buildMaster(server)
  await call(server, 'POST', `/admin/hosts/${cancelled.id}/cancel-subscription`, { as: master })
  const { body } = await call(server, 'GET', '/host/details', { as: host })
  return {
    ...server,
    origin,
    host,
    other,
    cancelled,
    master,
    assistants: {
      manager: await buildAssistant(server, host, 'manager'),
      moderator: await buildAssistant(server, host, 'moderator'),
      deputy: await buildAssistant(server, other, 'manager'),
    },
    user: await buildRoomUser(server, host, { reference: 'Soprano' }),
    othersUser: await buildRoomUser(server, other),
    room_id: body.room_id,
    recording: await addTranscribedRecording(server, host),
  }
}

async function addTranscribedRecording(server: ZoomServer, host: TestHost): Promise<Recording> {
  await server.control('/accounts', { email: host.email, settings: { recording_audio_transcript: true } })
  const transcript = 'WEBVTT\n\n00:01.000 --> 00:02.000\nAnita: The harvest is in.\n'
  const recording = await addRecording(server, host, { transcript })
  await readTranscripts.run(server.deps)
  return recording
}

let day = 0
/** Each recording has its own sitting, so that one can be deleted without the other. */
export async function addRecording(server: ZoomServer, host: TestHost, more: object = {}): Promise<Recording> {
  const start_time = new Date(server.deps.now() - ++day * 86_400_000).toISOString().replace(/\.\d+/, '')
  await server.control('/recordings', {
    email: host.email,
    start_time,
    duration_minutes: 4,
    audio: 'opening.m4a',
    notify: false,
    ...more,
  })
  const listed = await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
  return listed.body.data.recordings.find((one: Recording) => Date.parse(one.created_at) === Date.parse(start_time))
}

/** Opens a new session for each call, since some calls end theirs. */
export async function tokenOf(world: RouteTestData, caller: Caller): Promise<string | null> {
  const ids = { master_id: null, host_id: null, room_user_id: null }
  const open = (owner: Pick<Session, 'role' | 'master_id' | 'host_id' | 'room_user_id'>) =>
    world.deps.sessions.open(world.deps.db, owner, '127.0.0.1')
  if (caller === 'anonymous') return null
  if (caller === 'cancelled') return world.cancelled.token
  if (caller === 'master') return open({ ...ids, role: 'master', master_id: world.master.id })
  if (caller === 'manager' || caller === 'moderator' || caller === 'deputy') {
    const role = caller === 'deputy' ? 'manager' : caller
    const { id: host_id } = caller === 'deputy' ? world.other : world.host
    return openAssistantSession(world, { id: world.assistants[caller].id, role, host_id })
  }
  const room_user_id = caller === 'phone' ? world.user.id : null
  if (room_user_id) await world.deps.sessions.end({ room_user_ids: [room_user_id] }, 'signed_in_elsewhere')
  const { id } = caller === 'other' ? world.other : world.host
  return open({ ...ids, role: caller === 'phone' ? 'phone' : 'host', host_id: id, room_user_id })
}

export interface RequestOptions {
  path: string
  body?: unknown
  /** Replaces `body`. */
  form?: FormData
  headers?: Record<string, string>
}

export async function sendRequest(
  { origin }: RouteTestData,
  method: string,
  { path, body, form, headers = {} }: RequestOptions,
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

/** Starts both hosts' meetings, with the hosts' own phones online. */
async function startMeetings(world: RouteTestData): Promise<void> {
  for (const { id, rooms } of [world.host, world.other]) {
    await (await world.deps.rooms.get(id)).commands.applyStatusCall(id, undefined)
    await world.control(`/meetings/${rooms[0]?.zoom_meeting_id}/start`, {})
  }
}

/** Adds a user whose new phone waits for the host's approval. */
async function buildUserWithNewPhone(world: RouteTestData): Promise<RoomUser> {
  const user = await buildRoomUser(world, world.host)
  const { db, now } = world.deps
  await db.updateTable('room_users').set({ device_id: 'bound' }).where('id', '=', user.id).execute()
  const request = { ticket_hash: user.id, device_id: 'another', platform: 'web', requested_at: new Date(now()) }
  await db
    .insertInto('phone_requests')
    .values({ room_user_id: user.id, ...request })
    .execute()
  return user
}

/** Makes someone in the room speak, even if all are muted. */
async function startSpeaking(world: RouteTestData): Promise<void> {
  const phone = await buildPhone(world, world.host, await buildRoomUser(world, world.host))
  await call(world, 'POST', `/host/users/${phone.id}/unmute`, { as: world.host })
  await call(world, 'POST', '/mobile/status', { as: phone, body: { speaker_on: true, is_speaking: true } })
}

/** Raises a hand in each room. */
async function raiseHands(world: RouteTestData): Promise<void> {
  for (const host of [world.host, world.other]) {
    const phone = await buildPhone(world, host, await buildRoomUser(world, host))
    await call(world, 'POST', '/mobile/status', { as: phone, body: { wants_to_speak: true } })
  }
}

/** Has each room's seat see somebody who speaks. */
async function seeAttendees(world: RouteTestData): Promise<void> {
  for (const { id } of [world.host, world.other]) {
    const { seat } = await world.deps.rooms.get(id)
    const at = world.deps.now()
    const lease = { seat_id: randomUUID(), epoch: seat.list.epoch + 1 }
    const taken = { ...lease, session_id: randomUUID(), by: 'stmary', taken_at: at, expires_at: at + 15_000 }
    await seat.take(taken)
    const { joined_at: _, user_id: _user, by: _by, suggestion: _name, is_allowed: _allowed, ...lee } = attendee
    const state = { connection: 'in' as const, powers: 'host' as const, trouble: null, is_recording: false }
    const report = {
      ...{ ...lease, id: randomUUID(), seq: 0, full: true, part: 0, more: false },
      ...{ attendees: [lee], left: [], done: [], speaking: [lee.key] },
      state: { ...state, can_see_speaking: true, is_hidden: false },
    }
    await seat.report(report, at, at + 15_000)
  }
}

/** Mutes the rooms, for the round that the example names. */
async function muteRooms(world: RouteTestData): Promise<void> {
  for (const host of [world.host, world.other]) {
    await call(world, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    await world.deps.db.updateTable('rooms').set({ mute_round: 7 }).where('host_id', '=', host.id).execute()
  }
}

/** Sets an app up for each account of a console. */
async function addApps(world: RouteTestData): Promise<void> {
  await removeFactors(world)
  for (const caller of ['host', 'manager', 'moderator', 'other', 'deputy', 'master'] as const)
    await addTotp(world, { token: (await tokenOf(world, caller)) ?? '' })
}

async function addPasskeys(world: RouteTestData): Promise<void> {
  await removeFactors(world)
  const assistants = Object.values(world.assistants).map(({ id }) => ({ assistant_id: id }))
  const hosts = [{ host_id: world.host.id }, { host_id: world.other.id }]
  for (const owner of [...hosts, ...assistants, { master_id: world.master.id }]) await insertPasskey(world, owner)
}

async function addPasskey(world: RouteTestData, caller: Caller) {
  const assistant = Object.entries(world.assistants).find(([role]) => role === caller)?.[1]
  if (caller === 'master') return insertPasskey(world, { master_id: world.master.id })
  return insertPasskey(world, assistant ? { assistant_id: assistant.id } : { host_id: world.host.id })
}

async function insertPasskey(
  world: RouteTestData,
  owner: { master_id?: string; host_id?: string; assistant_id?: string },
) {
  const { id } = await world.deps.db
    .insertInto('passkeys')
    .values({
      ...{ master_id: null, host_id: null, assistant_id: null, ...owner },
      name: 'Laptop',
      credential_id: randomUUID(),
      public_key: 'AA',
      counter: 0,
      transports: [],
      rp_id: 'localhost',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { [ID.passkey]: id }
}

async function removeFactors(world: RouteTestData): Promise<void> {
  await world.deps.db.deleteFrom('totp_secrets').execute()
  await world.deps.db.deleteFrom('passkeys').execute()
}

const isConsole = (caller: Caller) => caller === 'manager' || caller === 'moderator' || caller === 'master'

/** Begins the set-up of an app, whose first code is a part of the example. */
async function beginApp(world: RouteTestData, caller: Caller) {
  await removeFactors(world)
  const as = { token: (await tokenOf(world, isConsole(caller) ? caller : 'host')) ?? '' }
  const { body } = await call(world, 'POST', '/account/totp', { as })
  return { [CODE]: totpCode(body.data.secret, world.deps.now()) }
}

/** Begins the sign-in of a host with a second factor. */
async function buildChallenge(world: RouteTestData) {
  const made = await buildHost(world)
  const { recovery_codes } = await addTotp(world, made)
  const login = { username: made.username, password: PASSWORD }
  const { body } = await call(world, 'POST', '/auth/host/login', { body: login })
  return { [CHALLENGE]: body.second_factor.challenge, [RECOVERY_CODE]: recovery_codes[0] }
}

/** Sets up state that a request needs and its example cannot express. */
const PREPARE: Record<string, (world: RouteTestData) => Promise<unknown>> = {
  'POST /api/auth/master-login': removeFactors,
  'GET /api/account': addPasskeys,
  'POST /api/account/totp': removeFactors,
  'POST /api/account/passkeys/options': removeFactors,
  'DELETE /api/account/totp': addApps,
  'POST /api/account/recovery-codes': addApps,
  'PUT /api/admin/security': addApps,
  'GET /api/admin/masters': buildInvitation,
  'GET /api/host/phone-requests': buildUserWithNewPhone,
  'GET /api/host/groups': (world) => addGroup(world, world.host),
  'GET /api/host/planned-meetings': (world) => planMeeting(world, world.host),
  'GET /api/host/attendance/charts': buildRegulars,
  'GET /api/host/attendance/meetings': buildRegulars,
  'GET /api/host/meetings': buildRegulars,
  'GET /api/host/sign-in-links': buildUserWithLink,
  'GET /api/host/recordings/:id/speakers': speakInRecording,
  'GET /api/host/attendees': seeAttendees,
  'PUT /api/host/attendees/:key/user': seeAttendees,
  'POST /api/host/attendees/:key/:action': seeAttendees,
  'POST /api/host/attendees/admit-all': seeAttendees,
  'POST /api/host/attendees/ask-unmute-all': seeAttendees,
  'GET /api/mobile/recordings': shareRecording,
  'POST /api/host/room/end': startMeetings,
  'POST /api/host/recording/:action': startMeetings,
  'POST /api/host/next-speaker': raiseHands,
  'POST /api/host/undo-mute-all': muteRooms,
  'POST /api/mobile/join-ticket': startMeetings,
  'GET /api/mobile/room': startSpeaking,
  'GET /api/host/online-users': findOrSendWord,
  'GET /api/mobile/me': findOrSendWord,
  'POST /api/mobile/status': findOrSendWord,
  'POST /api/mobile/words/:id/confirm': sendWordToPhone,
}

/** Opens another console session of the caller; the host's for whoever has none. */
async function buildSession(world: RouteTestData, caller: Caller) {
  const hasSessions = caller === 'master' || caller === 'manager' || caller === 'moderator'
  const token = (await tokenOf(world, hasSessions ? caller : 'host')) ?? ''
  return { [ID.otherSession]: (await world.deps.sessions.find(token))?.id ?? '' }
}

async function buildInvitation(world: RouteTestData) {
  const body = { email: `invited${++count}@parley.example` }
  const made = await call(world, 'POST', '/admin/masters/invitations', { as: world.master, body })
  return { [ID.invitation]: made.body.data.invitation.id }
}

async function buildUserWithLink(world: RouteTestData) {
  const { id } = await buildRoomUser(world, world.host)
  const { body } = await call(world, 'POST', `/host/users/${id}/sign-in-link`, { as: world.host })
  return { [zoya.id]: id, [zoya.link_token]: body.data.url.split('#link=')[1] }
}

/** Adds a user who was online once, spoke, and is recognised in Zoom by a name. */
async function buildVisitor(world: RouteTestData): Promise<string> {
  const { id: room_user_id, user_id, username } = await buildRoomUser(world, world.host)
  const [joined_at, left_at] = [new Date('2026-01-01T10:00:00Z'), new Date('2026-01-01T11:00:00Z')]
  const { room_id } = world
  const stay = { room_id, room_user_id, user_id, username, joined_at, left_at }
  await world.deps.db.insertInto('stays').values(stay).execute()
  const now = new Date(world.deps.now())
  const speeches = [
    { room_id, room_user_id, began_at: joined_at, ended_at: left_at },
    { room_id, room_user_id, began_at: now, ended_at: new Date(now.getTime() + 60_000) },
  ]
  await world.deps.db.insertInto('speeches').values(speeches).execute()
  const meeting_uuid = randomUUID()
  const sitting = { room_id, meeting_uuid, meeting_id: '1', began_at: joined_at, live_reported_at: left_at }
  await world.deps.db
    .insertInto('sittings')
    .values({ ...sitting, is_live: false })
    .execute()
  const hand = { room_id, meeting_uuid, room_user_id, raised_at: joined_at, ended_at: left_at }
  await world.deps.db.insertInto('raised_hands').values(hand).execute()
  const link = { room_id, room_user_id, folded_name: user_id.toLowerCase(), created_at: joined_at }
  await world.deps.db.insertInto('attendee_links').values(link).execute()
  return room_user_id
}

type PastMeeting = [uuid: string, began: Date, ended: Date]

/** Replaces the past meetings of the host's room. One that runs has begun after them. */
async function setMeetings({ room_id, deps: { db, now } }: RouteTestData, meetings: PastMeeting[]): Promise<void> {
  const sittings = db.deleteFrom('sittings').where('room_id', '=', room_id)
  await sittings.where('is_live', '=', false).execute()
  await db
    .updateTable('sittings')
    .set({ began_at: new Date(now()) })
    .where('room_id', '=', room_id)
    .execute()
  for (const [meeting_uuid, began_at, live_reported_at] of meetings)
    await db
      .insertInto('sittings')
      .values({ room_id, meeting_uuid, meeting_id: '1', began_at, is_live: false, live_reported_at })
      .execute()
}

/** Adds a recorded meeting that a user came to late and left early, who spoke and was muted. */
async function buildRecordedMeeting(world: RouteTestData): Promise<string> {
  const { meeting_data, created_at } = await addRecording(world, world.host)
  const { room_id } = world
  const { id: room_user_id, user_id, username } = await buildRoomUser(world, world.host)
  const { db } = world.deps
  const began_at = new Date(created_at)
  const after = (minutes: number) => new Date(began_at.getTime() + minutes * 60_000)
  await setMeetings(world, [[meeting_data.uuid, began_at, after(60)]])
  await db.updateTable('room_users').set({ created_at: began_at }).where('id', '=', world.user.id).execute()
  const times = { joined_at: after(10), left_at: after(20) }
  await db
    .insertInto('stays')
    .values({ room_id, room_user_id, user_id, username, ...times })
    .execute()
  await db
    .insertInto('speeches')
    .values({ room_id, room_user_id, began_at: after(11), ended_at: after(12) })
    .execute()
  const meeting_uuid = meeting_data.uuid
  const hand = { room_id, meeting_uuid, room_user_id, raised_at: after(15), ended_at: after(20) }
  await db.insertInto('raised_hands').values(hand).execute()
  const link = { room_id, meeting_uuid, token_hash: randomUUID(), with_note: false, maker_id: world.host.id }
  const ends = { created_at: new Date(world.deps.now()), expires_at: new Date(world.deps.now() + 86_400_000) }
  await db
    .insertInto('report_links')
    .values({ ...link, ...ends })
    .execute()
  const host_id = world.host.id
  const by = { role: 'host' as const, id: host_id, host_id, ip: null, session_id: null }
  await audit({ now: () => after(13).getTime() }, db, by, { action: 'user_mute', target: room_user_id })
  return meeting_data.uuid
}

/** Adds a link to the report of a meeting that is over. */
async function addReportLink(world: RouteTestData) {
  const path = `/host/meetings/${encodeURIComponent(await buildRecordedMeeting(world))}/links`
  const { body } = await call(world, 'POST', path, { as: world.host, body: { days: 7 } })
  return { id: body.data.link.id, token: body.data.url.split('#')[1] }
}

async function speakInRecording({ deps, room_id, user, recording: { created_at } }: RouteTestData): Promise<void> {
  const after = (seconds: number) => new Date(Date.parse(created_at) + seconds * 1000)
  const times = { began_at: after(10), ended_at: after(70) }
  await deps.db
    .insertInto('speeches')
    .values({ room_id, room_user_id: user.id, ...times })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function shareRecording({ deps, recording: { id } }: RouteTestData): Promise<void> {
  const shared_until = new Date(deps.now() + 60_000)
  await deps.db.updateTable('recordings').set({ shared_until }).where('id', '=', id).execute()
}

/** Adds four meetings that one user attended and another missed, and a user who has come for the first time. */
async function buildRegulars(world: RouteTestData): Promise<void> {
  const { room_id, user } = world
  const { db, now } = world.deps
  const [regular, newcomer] = [await buildRoomUser(world, world.host), await buildRoomUser(world, world.host)]
  const at = (minutesAgo: number) => new Date(now() - minutesAgo * 60_000)
  const stayOf = ({ id: room_user_id, user_id, username }: RoomUser, joined_at: Date, left_at: Date) => ({
    ...{ room_id, room_user_id, user_id, username, joined_at, left_at },
  })
  const meetings = [3, 2, 1, 0].map((days): PastMeeting => [`day ${days}`, at(days * 1440 + 60), at(days * 1440)])
  await setMeetings(world, meetings)
  const stays = meetings.map(([, began, ended]) => stayOf(regular, began, ended))
  await db.insertInto('stays').values(stays).execute()
  await db
    .insertInto('stays')
    .values(stayOf(newcomer, at(0), at(0)))
    .execute()
  await db
    .updateTable('room_users')
    .set({ created_at: at(10 * 1440) })
    .where('id', '=', user.id)
    .execute()
}

async function findOrSendWord(world: RouteTestData): Promise<string> {
  const [standing] = (await world.deps.rooms.get(world.host.id)).words.filter(({ user_id }) => user_id === null)
  if (standing) return standing.id
  const body = { text: 'We begin soon', rings: false, asks: true }
  return (await call(world, 'PUT', '/host/word', { as: world.host, body })).body.data.word
}

/** Sends the phone a word that stays when the one to the room is confirmed. */
async function sendWordToPhone(world: RouteTestData): Promise<void> {
  const body = { text: 'Please speak louder', rings: false, asks: false }
  await call(world, 'PUT', `/host/users/${world.user.id}/word`, { as: world.host, body })
}

let count = 0
/** Real values that replace the examples' ids and names, created when an example contains one of them. */
type StandIns = Record<string, unknown>
const STAND_INS: [
  values: readonly string[],
  make: (world: RouteTestData, caller: Caller) => Promise<StandIns> | StandIns,
][] = [
  [[master.email], ({ master: { email } }) => ({ [master.email]: email })],
  [
    [host.id, host.username, host.email, subscription.subscription_end_date ?? ''],
    async (world) => {
      const made = await buildHost(world)
      return {
        [host.id]: made.id,
        [host.username]: made.username,
        [host.email]: made.email,
        [subscription.subscription_end_date ?? '']: made.subscription_end_date,
      }
    },
  ],
  [
    [ID.deletedHost],
    async (world) => {
      const { id } = await buildHost(world)
      await call(world, 'DELETE', `/admin/hosts/${id}`, { as: world.master })
      return { [ID.deletedHost]: id }
    },
  ],
  [[host.user_id], (world) => ({ [host.user_id]: world.host.user_id })],
  [[anita.username], ({ user }) => ({ [anita.username]: user.username })],
  [
    [ravi.username],
    () => ({ [ravi.username]: `ravi${++count}`, [ravi.user_id]: `R${String(count).padStart(6, '0')}` }),
  ],
  [[ID.anita], async (world) => ({ [ID.anita]: await buildVisitor(world) })],
  [
    [maria.id, maria.username],
    async (world) => {
      const { id, username } = await buildUserWithNewPhone(world)
      return { [maria.id]: id, [maria.username]: username }
    },
  ],
  [[zoya.id, zoya.link_token], buildUserWithLink],
  [[ID.room], ({ room_id }) => ({ [ID.room]: room_id })],
  [[MEETING.number], (world) => ({ [MEETING.number]: world.host.rooms[0]?.zoom_meeting_id })],
  [[MEETING.uuid], async (world) => ({ [MEETING.uuid]: await buildRecordedMeeting(world) })],
  [
    [MEETING.trashedUuid],
    async (world) => {
      const { uuid } = (await addRecording(world, world.host)).meeting_data
      const path = `/recordings/meetings/${encodeURIComponent(uuid)}/recordings`
      await call(world, 'DELETE', path, { as: world.host })
      return { [MEETING.trashedUuid]: uuid }
    },
  ],
  [
    [ID.archivedRecording],
    async (world) => {
      const { id } = await addRecording(world, world.host)
      const local = { gone_at_zoom: true, archived_path: 'archive/a.m4a' }
      await world.deps.db.updateTable('recordings').set(local).where('id', '=', id).execute()
      return { [ID.archivedRecording]: id }
    },
  ],
  [
    [ID.recording, ...Object.values(MEDIA_LINK)],
    ({ origin, recording: { id, file_data } }) => {
      const link = new URL(file_data.play_url ?? '', origin).searchParams
      const parts = Object.entries(MEDIA_LINK).map(([name, value]) => [value, link.get(name)])
      return { [ID.recording]: id, ...Object.fromEntries(parts) }
    },
  ],
  [
    Object.values(PHONE_MEDIA_LINK),
    async (world) => {
      await shareRecording(world)
      const phone = await buildPhone(world, world.host, await buildRoomUser(world, world.host))
      const { body } = await call(world, 'GET', '/mobile/recordings', { as: phone })
      const link = new URL(body.data.recordings[0].play_url, world.origin).searchParams
      return Object.fromEntries(Object.entries(PHONE_MEDIA_LINK).map(([name, value]) => [value, link.get(name)]))
    },
  ],
  [
    [newHost.email, newHost.username, OAUTH_RESULT],
    async (world) => {
      const username = `newcomer${++count}`
      const email = `${username}@example.com`
      const end = await consent(world, email, { as: { token: (await tokenOf(world, 'master')) ?? '' } })
      const oauth_result = end.searchParams.get('oauth_result')
      return { [newHost.email]: email, [newHost.username]: username, [OAUTH_RESULT]: oauth_result }
    },
  ],
  [[ID.assistant], async (world) => ({ [ID.assistant]: (await buildAssistant(world, world.host, 'moderator')).id })],
  [[ID.plannedMeeting], async (world) => ({ [ID.plannedMeeting]: (await planMeeting(world, world.host)).id })],
  [[ID.group], async (world) => ({ [ID.group]: (await addGroup(world, world.host)).id })],
  [['Basses'], async () => ({ Basses: `Basses ${++count}` })],
  [[ID.word], async (world) => ({ [ID.word]: await findOrSendWord(world) })],
  [[ID.otherSession], buildSession],
  [[CODE], beginApp],
  [[ID.passkey], addPasskey],
  [[CHALLENGE, RECOVERY_CODE], buildChallenge],
  [[ID.otherMaster], async (world) => ({ [ID.otherMaster]: (await buildMaster(world)).id })],
  [[ID.invitation], buildInvitation],
  [
    [ACCOUNT_LINK_TOKEN],
    async (world) => {
      const { id } = await buildHost(world)
      const { body } = await call(world, 'POST', `/admin/hosts/${id}/reset-link`, { as: world.master })
      return { [ACCOUNT_LINK_TOKEN]: body.data.url.split('#')[1] }
    },
  ],
  [[ID.reportLink], async (world) => ({ [ID.reportLink]: (await addReportLink(world)).id })],
  [[REPORT_TOKEN], async (world) => ({ [REPORT_TOKEN]: (await addReportLink(world)).token })],
  [[CALENDAR_TOKEN], async (world) => ({ [CALENDAR_TOKEN]: (await makeCalendarLink(world, world.host)).token })],
  [
    [STREAM_TICKET],
    async (world) => {
      const { body } = await call(world, 'POST', '/mobile/sse-session', {
        as: world.host,
        body: { room_id: world.room_id },
      })
      return { [STREAM_TICKET]: body.sessionId }
    },
  ],
]

async function inWorld(world: RouteTestData, caller: Caller, example: unknown): Promise<unknown> {
  const text = JSON.stringify(example)
  const made = STAND_INS.filter(([values]) => values.some((value) => text.includes(JSON.stringify(value))))
  const standIns: StandIns = Object.assign({}, ...(await Promise.all(made.map(([, make]) => make(world, caller)))))
  return JSON.parse(text, (_key, value) => (typeof value === 'string' && value in standIns ? standIns[value] : value))
}

const Filled = z.object({ examples: z.record(z.string(), z.string()), body: z.unknown().optional() })

/** Builds the route's documented example, with real ids of the host's data and without optional parts. */
export async function exampleRequest(
  world: RouteTestData,
  route: string,
  caller: Caller = 'host',
): Promise<RequestOptions> {
  const key = route.replaceAll(/:(\w+)/g, '{$1}')
  const documented = (await documentedCalls(world)).find((one) => one.key === key)
  if (!documented) return { path: route.split(' ')[1] ?? '' }
  await PREPARE[route]?.(world)

  const { parameters, requestBody } = documented.operation
  const required = parameters.filter((parameter) => parameter.required)
  const form = requestBody?.content['multipart/form-data'] && logoForm(buildPng(), 'logo.png')
  const body = requestBody?.required ? requestBody.content['application/json']?.example : undefined
  const examples = Object.fromEntries(required.map(({ name = '', example }) => [name, example]))
  const filled = Filled.parse(await inWorld(world, caller, { examples, body }))
  const path = documented.path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(filled.examples[name] ?? ''))
  const query = required
    .filter((parameter) => parameter.in === 'query')
    .map(({ name = '' }) => [name, `${filled.examples[name]}`])
  return {
    path: query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
    ...(form && { form }),
    ...(body !== undefined && { body: filled.body }),
  }
}
