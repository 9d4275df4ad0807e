import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { USER_ACTIONS } from '../../shared/room-users.ts'
import { buildPhone, buildRoomUser, call, openSession } from '../factories/accounts.ts'
import { openStream } from '../servers/stream.ts'
import { buildWorld, type RouteTestData, sendRequest, tokenOf } from './route-world.ts'

let now = Date.now()
let world: RouteTestData
beforeAll(async () => {
  world = await buildWorld(() => now)
  await world.deps.jobs.close() // a deleted user makes one set a new passcode, a call at Zoom that would count here
})
afterAll(() => world.close())

/** Calls as the host of another room; returns the raw text, since even its length could leak data. */
async function asOther(method: string, path: string, body?: unknown) {
  now += 100 // slow enough for the rate limits
  const { status, text } = await sendRequest(
    world,
    method,
    { path: `/api${path}`, body },
    await tokenOf(world, 'other'),
  )
  return { status, text }
}

const usersOf = async () => (await call(world, 'GET', '/host/users', { as: world.host })).body.data.users
/** Ignores the links' expiry, which changes with the clock. */
const recordingsOf = async () =>
  JSON.stringify((await call(world, 'GET', '/recordings', { as: world.host })).body).replaceAll(/\?kind=[^"]*/g, '')

let before: unknown
beforeEach(async () => {
  before = { users: await usersOf(), recordings: await recordingsOf() }
})
const expectUntouched = async () => expect({ users: await usersOf(), recordings: await recordingsOf() }).toEqual(before)

const EDIT = { username: 'taken over', user_id: 'taken', password: 'mine now' }

test.each([
  ...USER_ACTIONS.map((action) => ['POST', action, undefined] as const),
  ['POST', 'unmute', { expect: { is_muted: true } }] as const,
  ['POST', 'credentials', undefined] as const,
  ['POST', 'sign-in-link', undefined] as const,
  ['DELETE', 'sign-in-link', undefined] as const,
  ['PUT', '', EDIT] as const,
])("%s %s on another host's user answers as for an unknown one, byte for byte", async (method, action, body) => {
  const at = (id: string) => `/host/users/${id}${action && `/${action}`}`
  const absent = await asOther(method, at(randomUUID()), body)
  expect(absent.status).toBe(404)
  expect(await asOther(method, at(world.user.id), body)).toEqual(absent)
  expect(await asOther(method, at(world.user.id.toUpperCase()), body)).toEqual(absent)
  expect(await asOther(method, at(world.user.user_id), body)).toEqual(absent)
  await expectUntouched()
})

test.each(USER_ACTIONS)(
  "%s on many users changes the host's own, and does not reveal whether the others exist",
  async (action) => {
    const own = await buildRoomUser(world, world.other)
    const [foreign, missing] = [world.user.id, randomUUID()]
    const token = await openSession(world, world.other.id)
    const userIds = [foreign, own.id, missing]
    const { body } = await call(world, 'POST', `/host/users/bulk/${action}`, { as: { token }, body: { userIds } })
    expect(body.data).toMatchObject({ succeeded: [own.id], targeted: expect.any(Number) })
    expect(body.data.targeted).toBeLessThanOrEqual(1)
    const failure = { code: 'not_found', message: 'User not found' }
    expect(body.data.failed).toEqual([
      { id: foreign, ...failure },
      { id: missing, ...failure },
    ])
    await expectUntouched()
  },
)

test.each(['host-mute-all-status', 'sse-session'])(
  "%s of another room, or with another room's meeting, answers as for an unknown room",
  async (what) => {
    const othersRoom = (await call(world, 'GET', '/host/room', { as: world.other })).body.data.room
    const ownRoom = (await call(world, 'GET', '/host/room', { as: world.host })).body.data.room
    expect(ownRoom.zoom_meeting_id).toMatch(/^\d+$/)
    const phone = await buildPhone(world, world.other, await buildRoomUser(world, world.other))
    for (const token of [await tokenOf(world, 'other'), phone.token]) {
      const asked = async (room_id: string, meeting_id: string | null) =>
        sendRequest(world, 'POST', { path: `/api/mobile/${what}`, body: { room_id, meeting_id } }, token)
      const absent = await asked(randomUUID(), null)
      expect(absent.status).toBe(404)
      expect(await asked(ownRoom.room_id, null)).toEqual(absent)
      expect(await asked(ownRoom.room_id, ownRoom.zoom_meeting_id)).toEqual(absent)
      expect(await asked(othersRoom.room_id, ownRoom.zoom_meeting_id)).toEqual(absent)
      expect((await asked(othersRoom.room_id, othersRoom.zoom_meeting_id)).status).toBe(200)
    }
  },
)

test('the stream of a room carries no event of another room', async () => {
  const open = async (caller: 'host' | 'other') => {
    const token = await tokenOf(world, caller)
    const room_id = (await sendRequest(world, 'GET', { path: '/api/host/details' }, token)).body.room_id
    const { body } = await sendRequest(world, 'POST', { path: '/api/mobile/sse-session', body: { room_id } }, token)
    return { token, stream: await openStream(`${world.origin}${body.sseUrl}`) }
  }
  const one = await open('host')
  const other = await open('other')
  const mute = (user: string, token: string | null) =>
    sendRequest(world, 'POST', { path: `/api/host/users/${user}/mute`, body: {} }, token)
  await mute(world.user.id, one.token)
  await sendRequest(world, 'POST', { path: '/api/host/trigger-bulk-mute/mute' }, one.token)
  await mute(world.othersUser.id, other.token)
  await one.stream.next('host-mute-all', { active: true })
  await other.stream.next('user-mute-status', { user_id: world.othersUser.id, is_muted: true })

  const othersUsers = (await sendRequest(world, 'GET', { path: '/api/host/users' }, other.token)).body.data.users
  const ofOther = new Set(othersUsers.map(({ id }: { id: string }) => id))
  for (const { name, data } of other.stream.received) {
    if (typeof data.user_id === 'string') expect(ofOther, name).toContain(data.user_id)
    if (name === 'host-mute-all') expect(data.active).toBe(false)
  }
  await sendRequest(world, 'POST', { path: '/api/host/trigger-bulk-mute/unmute' }, one.token)
  one.stream.close()
  other.stream.close()
})

test("another host's recording cannot be played, downloaded or deleted, and answers as an unknown one", async () => {
  const { meeting_data, meeting_id, file_data } = world.recording
  await world.control('/faults', { kind: 'slow', times: 0 }) // counts the calls that reach Zoom without changing them
  const trash = (meeting: string) => asOther('DELETE', `/recordings/meetings/${encodeURIComponent(meeting)}/recordings`)
  const absent = await trash('AbsentMeetingOfNobody==')
  expect(absent.status).toBe(404)
  expect(await trash(meeting_data.uuid)).toEqual(absent)
  expect(await trash(meeting_id)).toEqual(await trash('81999999999'))

  const link = new URL(file_data.play_url ?? '', world.origin)
  const read = (id: string, kind: string) => {
    const query = new URLSearchParams({ ...Object.fromEntries(link.searchParams), kind, signature: 'forged' })
    return asOther('GET', `/recordings/media/${id}?${query}`)
  }
  for (const kind of ['play', 'download'])
    expect(await read(world.recording.id, kind)).toEqual(await read(randomUUID(), kind))
  expect((await asOther('GET', '/recordings')).text).not.toContain(world.recording.id)
  expect((await world.control('/state')).faults).toMatchObject([{ hits: 0 }])
  await expectUntouched()
})

test('ignores fields that a host may not set', async () => {
  const more = {
    id: randomUUID(),
    role: 'master',
    host_id: world.other.id,
    room_id: randomUUID(),
    is_active: false,
    is_muted: true,
    is_online: true,
    numerical_id: 999,
    storage_limit_gb: 100,
    subscription_status: 'active',
    subscription_end_date: '2099-01-01T00:00:00.000Z',
    password_hash: 'x',
    device_id: 'mine',
  }
  const as = world.host
  const profile = (await call(world, 'GET', '/host/profile', { as })).body.data
  const made = await call(world, 'POST', '/host/users', {
    as,
    body: { ...more, username: 'plain', user_id: 'plain', password: 'plain password' },
  })
  const { user } = made.body.data
  expect(user.id).not.toBe(more.id)
  expect(user).toMatchObject({ is_active: true, is_muted: false, is_online: false, device_id: null })
  const edited = await call(world, 'PUT', `/host/users/${user.id}`, {
    as,
    body: { ...more, username: 'plain', user_id: 'plain' },
  })
  expect(edited.body.data.user).toEqual(user)
  expect(await usersOf()).toContainEqual(user)
  await call(world, 'PUT', '/host/app-info', { as, body: { ...more, user_title: 'Singer' } })
  for (const action of ['activate', 'logout']) await call(world, 'POST', `/host/profile/${action}`, { as, body: more })
  const now = (await call(world, 'GET', '/host/profile', { as })).body.data
  const { user_count, last_seen: _seen, updated_at: _at, ...rest } = profile
  expect(now).toMatchObject({ ...rest, user_count: user_count + 1 })
})
