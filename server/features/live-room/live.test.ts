import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PhoneAudio } from '../../../shared/mobile.ts'
import { OnlineUsersAnswer } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  host = await buildHost(server)
})

const online = async () => OnlineUsersAnswer.parse((await call(server, 'GET', '/host/online-users', { as: host })).body)
const status = async (phone: TestPhone, body?: unknown) =>
  (await call(server, 'POST', '/mobile/status', { as: phone, body })).body.data
const act = (id: string, action: string, body?: unknown) =>
  call(server, 'POST', `/host/users/${id}/${action}`, { as: host, body })
const muteAll = (action: 'mute' | 'unmute', body?: unknown) =>
  call(server, 'POST', `/host/trigger-bulk-mute/${action}`, { as: host, body })

describe('presence', () => {
  test('begins with the first status call, not with the login, and ends 30 s after the last', async () => {
    const user = await buildRoomUser(server, host)
    expect((await online()).data.users).toEqual([])
    const phone = await buildPhone(server, host, user)
    expect((await online()).data.users).toMatchObject([{ id: user.id, status: 'Online' }])

    now += 29_000
    await status(phone, { wants_to_speak: true, speaker_on: true, is_speaking: true })
    now += 30_000
    await call(server, 'POST', '/host/cleanup-stale-users', { as: host })
    expect((await online()).data.users).toHaveLength(1)

    now += 1
    const cleaned = await call(server, 'POST', '/host/cleanup-stale-users', { as: host })
    expect(cleaned.body).toMatchObject({ success: true, cleanedUsers: 1 })
    const again = await call(server, 'POST', '/host/cleanup-stale-users', { as: host })
    expect(again.body.cleanedUsers).toBe(0)
    expect(await status(phone)).toMatchObject({ is_speaking: false, speaker_on: false, wants_to_speak: false })
  })
})

describe('speaking', () => {
  test('keeps the time of its beginning through a short pause, and begins again after a long one', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const since = async () => (await online()).data.users[0]?.speaking_since
    const speak = (is_speaking: boolean) => status(phone, { speaker_on: true, is_speaking })
    const iso = () => new Date(now).toISOString()
    expect(await since()).toBeNull()
    const began = iso()
    await speak(true)
    now += 3_000
    await speak(false)
    expect(await since()).toBeNull()
    now += 5_000
    await speak(true)
    expect(await since()).toBe(began)
    await speak(false)
    now += 5_001
    await speak(true)
    expect(await since()).toBe(iso())
  })
})

describe('the sound of a phone', () => {
  const sound = async () => (await online()).data.users[0]?.audio

  test('is what its app says last, and unknown until it does', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    expect(await sound()).toBeNull()
    for (const audio of PhoneAudio.options) {
      await status(phone, { audio })
      expect(await sound()).toBe(audio)
      await status(phone)
      expect(await sound()).toBe(audio)
    }
  })

  test("has Zoom's code of a refusal, which the log has once, until the phone is in", async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const code = async () => (await online()).data.users[0]?.zoom_code
    const warn = vi.spyOn(server.deps.log, 'warn')
    const logged = () =>
      warn.mock.calls.flatMap(([data, event]) => (String(event) === 'phone.zoom_refused' ? [data] : []))
    for (let times = 0; times < 2; times++) await status(phone, { audio: 'refused', zoom_code: 3712 })
    expect([await code(), logged()]).toEqual([3712, [{ host_id: host.id, user_id: phone.id, zoom_code: 3712 }]])
    await status(phone, { audio: 'ready', zoom_code: null })
    expect(await code()).toBeNull()
    for (let zoom_code = 1; zoom_code <= 40; zoom_code++) await status(phone, { zoom_code })
    expect(logged()).toHaveLength(20)
  })

  test('is unknown again when the phone has been offline', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await status(phone, { audio: 'on' })
    now += 30_001
    await call(server, 'POST', '/host/cleanup-stale-users', { as: host })
    await status(phone)
    expect(await sound()).toBeNull()
  })

  test.each([['loud'], [''], [null], [true], [['on']]])('is not %j', async (audio) => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const answer = await call(server, 'POST', '/mobile/status', { as: phone, body: { audio, wants_to_speak: true } })
    expect(answer.status).toBe(422)
    expect(await status(phone)).toMatchObject({ wants_to_speak: false })
    expect(await sound()).toBeNull()
  })
})

describe('muting', () => {
  test('a muted phone cannot speak, and may still raise its hand', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await status(phone, { speaker_on: true, is_speaking: true })
    expect((await act(phone.id, 'mute')).body.data).toEqual({ targeted: 1, reachable: 0 })
    expect(await status(phone, { speaker_on: true, is_speaking: true, wants_to_speak: true })).toEqual({
      is_muted: true,
      speaker_on: false,
      is_speaking: false,
      wants_to_speak: true,
      host_mute_all_active: false,
      asked_to_speak: false,
      words: { as_of: expect.any(String), list: [] },
    })
  })

  test('Mute All mutes everyone, also later arrivals; unmuting one user leaves the rest muted', async () => {
    const first = await buildPhone(server, host, await buildRoomUser(server, host))
    const second = await buildPhone(server, host, await buildRoomUser(server, host))
    expect((await muteAll('mute')).body).toMatchObject({ success: true, data: { targeted: 2 } })
    const later = await buildPhone(server, host, await buildRoomUser(server, host))
    expect(await status(later)).toMatchObject({ is_muted: true, host_mute_all_active: true })

    expect((await act(first.id, 'unmute', { expect: { is_muted: true } })).status).toBe(200)
    expect(await status(first)).toMatchObject({ is_muted: false, host_mute_all_active: true })
    expect(await status(second)).toMatchObject({ is_muted: true })

    await muteAll('mute')
    expect(await status(first)).toMatchObject({ is_muted: true })
    await muteAll('unmute')
    for (const phone of [first, second, later])
      expect(await status(phone)).toMatchObject({ is_muted: false, host_mute_all_active: false })
  })

  test('Mute All with exceptions leaves these as they are, until the next one, and through a restart', async () => {
    const speaker = await buildPhone(server, host, await buildRoomUser(server, host))
    const muted = await buildPhone(server, host, await buildRoomUser(server, host))
    const third = await buildPhone(server, host, await buildRoomUser(server, host))
    await act(muted.id, 'mute')
    await status(speaker, { speaker_on: true, is_speaking: true })
    const ids = [speaker.id.toUpperCase(), muted.id, muted.id]
    expect((await muteAll('mute', { except: ids })).body.data).toMatchObject({ targeted: 2 })
    expect(await status(speaker)).toMatchObject({ is_muted: false, is_speaking: true, host_mute_all_active: true })
    for (const phone of [muted, third]) expect(await status(phone)).toMatchObject({ is_muted: true })
    await server.deps.rooms.forget(host.id)
    expect(await status(speaker)).toMatchObject({ is_muted: false, host_mute_all_active: true })
    for (const phone of [muted, third]) expect(await status(phone)).toMatchObject({ is_muted: true })
    await muteAll('mute')
    expect(await status(speaker)).toMatchObject({ is_muted: true })
  })

  test('an exception that the database has as muted stays muted, though the live room does not know it yet', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await server.deps.db.updateTable('room_users').set({ is_muted: true }).where('id', '=', phone.id).execute()
    expect((await muteAll('mute', { except: [phone.id] })).body.data).toMatchObject({ targeted: 1 })
    expect(await status(phone)).toMatchObject({ is_muted: true })
  })

  test('Mute All changes nothing when an exception is not of the room, or is no list of ids', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const foreign = await buildRoomUser(server, await buildHost(server))
    for (const id of [foreign.id, host.id, '00000000-0000-4000-8000-000000000000', 'U000001']) {
      const refused = await muteAll('mute', { except: [phone.id, id] })
      expect(refused).toMatchObject({ status: 404, body: { message: 'User not found' } })
    }
    for (const except of ['all', [7], [''], Array.from({ length: 501 }, () => phone.id)])
      expect((await muteAll('mute', { except })).status).toBe(422)
    expect(await status(phone)).toMatchObject({ is_muted: false, host_mute_all_active: false })
  })

  test('reports that the user was already unmuted', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const answer = await act(phone.id, 'unmute', { expect: { is_muted: true } })
    expect(answer).toMatchObject({ status: 409, body: { code: 'state_changed' } })
  })

  test('unmuting lowers the hand', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await act(phone.id, 'mute')
    await status(phone, { wants_to_speak: true })
    await act(phone.id, 'unmute')
    expect(await status(phone)).toMatchObject({ wants_to_speak: false, is_muted: false })
  })

  test('an unmute asks the user to speak, who is the only one to turn the microphone on', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const asked = async () => (await online()).data.users.map(({ asked_to_speak }) => asked_to_speak)
    await muteAll('mute')
    await act(phone.id, 'unmute')
    expect(await status(phone)).toMatchObject({ is_muted: false, speaker_on: false })
    expect(await asked()).toEqual([true])
    await status(phone, { speaker_on: true })
    expect(await asked()).toEqual([false])
    await status(phone, { speaker_on: false })
    expect(await asked()).toEqual([false])
    await act(phone.id, 'mute')
    await act(phone.id, 'unmute')
    expect(await asked()).toEqual([true])
    await act(phone.id, 'mute')
    expect(await asked()).toEqual([false])
  })

  test('the user says not now, and the host no longer waits for an answer', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const asked = async () => (await online()).data.users.map(({ asked_to_speak }) => asked_to_speak)
    await act(phone.id, 'mute')
    await act(phone.id, 'unmute')
    expect(await asked()).toEqual([true])
    await status(phone, { declined: true })
    await status(phone, { declined: true })
    expect(await asked()).toEqual([false])
    await act(phone.id, 'mute')
    await act(phone.id, 'unmute')
    expect(await asked()).toEqual([true])
  })

  test('the host sees who could not answer, until their phone comes anew', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await status(phone, { microphone: 'refused' })
    expect((await online()).data.users).toMatchObject([{ microphone: 'refused' }])
    await status(phone, { microphone: 'usable' })
    expect((await online()).data.users).toMatchObject([{ microphone: 'usable' }])
  })

  test('an unmute of everyone asks nobody in particular', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await muteAll('mute')
    await muteAll('unmute')
    await status(phone)
    expect((await online()).data.users).toMatchObject([{ id: phone.id, asked_to_speak: false }])
  })

  test('survives a restart', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await muteAll('mute')
    await server.deps.rooms.forget(host.id)
    expect(await status(phone)).toMatchObject({ is_muted: true, host_mute_all_active: true })
  })

  test('does not affect another host’s room', async () => {
    const other = await buildHost(server)
    const phone = await buildPhone(server, other, await buildRoomUser(server, other))
    await muteAll('mute')
    expect(await status(phone)).toMatchObject({ is_muted: false, host_mute_all_active: false })
  })
})

test('an idle room is unloaded, and loads again unchanged', async () => {
  const { rooms } = server.deps
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  await act(phone.id, 'mute')
  expect(rooms.peek(host.id)).not.toBeNull()
  now += 11 * 60_000
  await rooms.sweep() // takes the phone offline
  now += 11 * 60_000
  await rooms.sweep()
  expect(rooms.peek(host.id)).toBeNull()
  const { body } = await call(server, 'GET', '/host/users', { as: host })
  expect(body.data.users).toMatchObject([{ id: phone.id, is_muted: true, is_online: false }])
  now += 9 * 60_000
  await rooms.sweep()
  expect(rooms.peek(host.id)).not.toBeNull()
})

test('keeps hands in the order in which they were raised', async () => {
  const first = await buildPhone(server, host, await buildRoomUser(server, host))
  const second = await buildPhone(server, host, await buildRoomUser(server, host))
  await status(second, { wants_to_speak: true })
  now += 1_000
  await status(first, { wants_to_speak: true })
  now += 1_000
  await status(second, { wants_to_speak: true })
  const asked = (await online()).data.users.map((user) => user.wants_to_speak_at)
  expect(asked).toEqual([new Date(now - 1_000).toISOString(), new Date(now - 2_000).toISOString()])
})

test('a lowered hand is down in the room and on the phone, muted or not, and may be raised again', async () => {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  await act(phone.id, 'mute')
  await status(phone, { wants_to_speak: true })
  const lowered = await act(phone.id, 'lower-hand')
  expect(lowered).toMatchObject({ status: 200, body: { message: 'Hand lowered', data: { targeted: 1 } } })
  expect((await online()).data.users).toMatchObject([{ wants_to_speak: false, wants_to_speak_at: null }])
  expect(await status(phone)).toMatchObject({ wants_to_speak: false, is_muted: true })
  expect(await status(phone, { wants_to_speak: true })).toMatchObject({ wants_to_speak: true })
})

test('returns 304 for an unchanged list and its ETag, 200 for a changed one', async () => {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  for (const path of ['/host/online-users', '/host/users']) {
    const first = await call(server, 'GET', path, { as: host })
    const tag = String(first.headers.etag)
    expect(tag).toMatch(/^"[^"]+"$/)
    await status(phone)
    const same = await call(server, 'GET', path, { as: host, headers: { 'if-none-match': tag } })
    expect(same).toMatchObject({ status: 304, body: null })
    await status(phone, { wants_to_speak: true })
    const changed = await call(server, 'GET', path, { as: host, headers: { 'if-none-match': tag } })
    expect(changed.status).toBe(200)
    await status(phone, { wants_to_speak: false })
  }
})

test("the flag and the stream are open to the host's own room only", async () => {
  const other = await buildHost(server)
  const details = (await call(server, 'GET', '/host/details', { as: other })).body
  for (const path of ['/mobile/host-mute-all-status', '/mobile/sse-session']) {
    const foreign = await call(server, 'POST', path, { as: host, body: { room_id: details.room_id, meeting_id: null } })
    expect(foreign.status).toBe(404)
    const wrong = await call(server, 'POST', path, {
      as: other,
      body: { room_id: details.room_id, meeting_id: '99999999999' },
    })
    expect(wrong.status).toBe(404)
    const own = await call(server, 'POST', path, { as: other, body: { room_id: details.room_id, meeting_id: '' } })
    expect(own.status).toBe(200)
  }
})
