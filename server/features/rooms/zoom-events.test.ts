import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { openStream } from '../../../test/servers/stream.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { deliver, receiveWebhooks, webhooksProcessed, webhookUrl, zoomIdsOf } from '../../../test/zoom/webhooks.ts'
import { sweepLiveRooms } from './sweep-live-rooms.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

let isSeatOn = true
const server = await setupWithZoom({ now: () => now })
Object.defineProperty(server.deps.config, 'HOST_SEAT', { get: () => isSeatOn })
beforeEach(async () => {
  isSeatOn = true
  host = await buildZoomHost(server)
  await receiveWebhooks(server)
})

/** Sends an event in the room's meeting, a second after the previous one. */
async function happens(what: string, body: object = {}, of = host) {
  now += 1000
  await server.control(`/meetings/${of.rooms[0]?.zoom_meeting_id}${what}`, body)
}
const joins = (user: { id: string }) => happens('/participants/join', { customer_key: user.id, user_name: 'Kim' })
const leaves = (user: { id: string }) => happens('/participants/leave', { customer_key: user.id })
const records = (action: string) => happens('/recording', { action })

async function readRoom(of = host) {
  await webhooksProcessed(server)
  const { room } = (await call(server, 'GET', '/host/room', { as: of })).body.data
  const { users } = (await call(server, 'GET', '/host/users', { as: of })).body.data
  const present = users.filter((user: { in_meeting: boolean }) => user.in_meeting)
  return {
    is_live: room.is_live,
    recording: room.recording,
    present: present.map(({ id }: { id: string }) => id),
  }
}

const NOTHING = { is_live: false, recording: 'none', present: [] }

test('a meeting is live from its start to its end, which ends every presence without a leave event', async () => {
  const [anita, ravi] = [await buildRoomUser(server, host), await buildRoomUser(server, host)]
  expect(await readRoom()).toEqual(NOTHING)
  await happens('/start')
  await joins(anita)
  await joins(ravi)
  expect(await readRoom()).toEqual({ is_live: true, recording: 'recording', present: [anita.id, ravi.id] })
  await leaves(ravi)
  expect(await readRoom()).toEqual({ is_live: true, recording: 'recording', present: [anita.id] })
  await happens('/end')
  expect(await readRoom()).toEqual(NOTHING)
})

test('the recording can pause, resume and stop', async () => {
  await happens('/start')
  const states = []
  for (const action of ['pause', 'resume', 'stop', 'start']) {
    await records(action)
    states.push((await readRoom()).recording)
  }
  expect(states).toEqual(['paused', 'recording', 'none', 'recording'])
})

describe.each(['sent', 'reversed', 'shuffled', 'shuffled', 'shuffled'])('events that arrive %s', (order) => {
  const hold = (webhook_hold: boolean) => server.control('/options', { webhook_hold })

  test('leave the room in the state it has at Zoom', async () => {
    const [anita, ravi, grace] = [
      await buildRoomUser(server, host),
      await buildRoomUser(server, host),
      await buildRoomUser(server, host),
    ]
    await hold(true)
    await happens('/start')
    await joins(grace)
    await happens('/end') // without a leave event for Grace
    await happens('/start')
    await joins(anita)
    await records('pause')
    await joins(ravi)
    await leaves(anita)
    await joins(anita)
    await leaves(ravi)
    await records('resume')
    await records('pause')
    await server.control('/webhooks/release', { order })
    expect(await readRoom()).toEqual({ is_live: true, recording: 'paused', present: [anita.id] })

    await happens('/end')
    await server.control('/webhooks/release', { order })
    expect(await readRoom()).toEqual(NOTHING)
  })

  test('do not revive an earlier meeting', async () => {
    const anita = await buildRoomUser(server, host)
    await hold(true)
    await happens('/start')
    await joins(anita)
    await records('pause')
    await happens('/end')
    await server.control('/webhooks/release', { order })
    expect(await readRoom()).toEqual(NOTHING)
  })
})

test('a late end ends its own sitting, not the next one', async () => {
  await happens('/start')
  await server.control('/options', { webhook_hold: true })
  await happens('/end')
  await server.control('/options', { webhook_hold: false })
  await happens('/start')
  await server.control('/webhooks/release', {})
  expect(await readRoom()).toMatchObject({ is_live: true })
})

test('a new sitting ends one whose end was lost, with its presences', async () => {
  const anita = await buildRoomUser(server, host)
  await happens('/start')
  await joins(anita)
  await readRoom()
  await server.control('/options', { webhook_hold: true }) // never released
  await happens('/end')
  await server.control('/options', { webhook_hold: false })
  await happens('/start')
  expect(await readRoom()).toEqual({ is_live: true, recording: 'recording', present: [] })
})

test('who is in the meeting survives a restart, and does not depend on the phone being online', async () => {
  const anita = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, anita)
  await happens('/start')
  await joins(anita)
  await readRoom()
  await call(server, 'POST', '/mobile/logout', { as: phone })
  expect((await readRoom()).present).toEqual([anita.id])
  await server.deps.rooms.forget(host.id)
  expect((await readRoom()).present).toEqual([anita.id])
})

test('a user who leaves the meeting neither speaks nor has the speaker on, and no one does once it has ended', async () => {
  const [anita, ravi] = [await buildRoomUser(server, host), await buildRoomUser(server, host)]
  const speaking = async () => {
    await webhooksProcessed(server)
    const { users } = (await call(server, 'GET', '/host/users', { as: host })).body.data
    return (users as { id: string; is_speaking: boolean; speaker_on: boolean }[])
      .filter(({ is_speaking, speaker_on }) => is_speaking || speaker_on)
      .map(({ id, is_speaking, speaker_on }) => ({ id, is_speaking, speaker_on }))
  }
  await happens('/start')
  for (const user of [anita, ravi]) {
    const phone = await buildPhone(server, host, user)
    await joins(user)
    await call(server, 'POST', '/mobile/status', { as: phone, body: { speaker_on: true, is_speaking: true } })
  }
  const heard = [anita, ravi].map(({ id }) => ({ id, is_speaking: true, speaker_on: true }))
  expect(await speaking()).toEqual(heard)
  await leaves(anita)
  expect(await speaking()).toEqual(heard.slice(1))
  await happens('/end')
  expect(await speaking()).toEqual([])
})

describe('hands that were not called', () => {
  const raise = (phone: SignedIn, wants_to_speak = true) =>
    call(server, 'POST', '/mobile/status', { as: phone, body: { wants_to_speak } })
  const leave = (phone: SignedIn) => call(server, 'POST', '/mobile/status', { as: phone, body: { left: true } })
  async function phones(count: number) {
    const users = await Promise.all(Array.from({ length: count }, () => buildRoomUser(server, host)))
    await call(server, 'POST', '/host/mute-all', { as: host, body: { active: true } })
    const signedIn = await Promise.all(users.map((user) => buildPhone(server, host, user)))
    return users.map(({ id }, index) => ({ id, phone: signedIn[index] ?? host }))
  }
  async function waited() {
    await webhooksProcessed(server)
    const { meetings } = (await call(server, 'GET', '/host/meetings', { as: host })).body.data
    const { body } = await call(server, 'GET', `/host/meetings/${encodeURIComponent(meetings[0].id)}`, { as: host })
    return body.data.hands.map((hand: { id: string; waited_seconds: number }) => [hand.id, hand.waited_seconds])
  }

  test('are those that are up when their users leave or the meeting ends', async () => {
    const [stays, leaves, lowers, called, dismissed] = await phones(5)
    if (!stays || !leaves || !lowers || !called || !dismissed) throw new Error('no users')
    await raise(stays.phone) // before the meeting
    await happens('/start')
    await webhooksProcessed(server)
    now += 10_000
    for (const { phone } of [leaves, lowers, called, dismissed]) await raise(phone)
    expect(await waited()).toEqual([]) // they may still be called
    now += 20_000
    await leave(leaves.phone)
    await raise(lowers.phone, false)
    await call(server, 'POST', `/host/users/${called.id}/unmute`, { as: host })
    await call(server, 'POST', `/host/users/${dismissed.id}/lower-hand`, { as: host })
    expect(await waited()).toEqual([[leaves.id, 20]])
    now += 29_000
    await happens('/end')
    await webhooksProcessed(server)
    await raise(stays.phone, false) // too late
    expect(await waited()).toEqual([
      [stays.id, 60],
      [leaves.id, 20],
    ])
  })

  test('go when the user comes back and is called, and go on waiting when the phone alone comes back', async () => {
    const [called, waits, spoke] = await phones(3)
    if (!called || !waits || !spoke) throw new Error('no users')
    await happens('/start')
    await webhooksProcessed(server)
    now += 9_000
    for (const { phone } of [called, waits, spoke]) await raise(phone)
    now += 10_000
    for (const { phone } of [called, waits, spoke]) await leave(phone)
    expect(await waited()).toEqual(expect.arrayContaining([[waits.id, 10]]))
    now += 10_000
    await raise(called.phone)
    await raise(waits.phone)
    await call(server, 'POST', `/host/users/${called.id}/unmute`, { as: host })
    const times = { began_at: new Date(now), ended_at: new Date(now + 5_000) }
    const { room_id } = await server.deps.db
      .selectFrom('raised_hands')
      .select('room_id')
      .where('room_user_id', '=', spoke.id)
      .executeTakeFirstOrThrow()
    await server.deps.db
      .insertInto('speeches')
      .values({ room_id, room_user_id: spoke.id, ...times })
      .execute()
    now += 9_000
    await happens('/end')
    expect(await waited()).toEqual([[waits.id, 30]])
  })

  test('keep one row of a phone that raises its hand all the time, and a hand that was up when the server died', async () => {
    const [anita] = await phones(1)
    if (!anita) throw new Error('no user')
    await happens('/start')
    await webhooksProcessed(server)
    for (let times = 0; times < 5; times++) {
      now += 1_000
      await raise(anita.phone)
      await server.deps.hands.flush()
      await raise(anita.phone, false)
      if (times === 3) await server.deps.hands.flush()
    }
    now += 4_000
    await raise(anita.phone)
    await server.deps.hands.flush()
    await server.deps.rooms.forget(host.id) // as a crash would
    now += 5_000
    await happens('/end')
    expect(await waited()).toEqual([[anita.id, 6]])
    const hands = server.deps.db.selectFrom('raised_hands').select('ended_at').where('room_user_id', '=', anita.id)
    expect(await hands.execute()).toEqual([{ ended_at: null }])
  })
})

test('what a user has spoken counts for the running meeting, also after a restart, and not for the next', async () => {
  const anita = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, anita)
  const spoken = async () => {
    await webhooksProcessed(server)
    return (await call(server, 'GET', '/host/users', { as: host })).body.data.users[0].spoken_ms
  }
  async function speakFor(ms: number) {
    now += 10_000
    await call(server, 'POST', '/mobile/status', { as: phone, body: { speaker_on: true, is_speaking: true } })
    now += ms
    await call(server, 'POST', '/mobile/status', { as: phone, body: { is_speaking: false } })
  }
  await speakFor(3_000)
  expect(await spoken()).toBe(3_000)
  await happens('/start')
  expect(await spoken()).toBe(0)
  await speakFor(5_000)
  await speakFor(7_000)
  await records('pause')
  expect(await spoken()).toBe(12_000)
  await server.deps.speeches.flush()
  await server.deps.rooms.forget(host.id)
  expect(await spoken()).toBe(12_000)
  await speakFor(4_000)
  expect(await spoken()).toBe(16_000)
  await happens('/end')
  expect(await spoken()).toBe(0)
  await happens('/start')
  expect(await spoken()).toBe(0)
  await speakFor(2_000)
  expect(await spoken()).toBe(2_000)
})

test('after a restart, what was spoken before a meeting whose start event was lost does not count for it', async () => {
  const { db } = server.deps
  const anita = await buildRoomUser(server, host)
  const { id: room_id, zoom_meeting_id } = await db
    .selectFrom('rooms')
    .select(['id', 'zoom_meeting_id'])
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  const minute = (minutes: number) => new Date(now + minutes * 60_000)
  const sitting = { room_id, meeting_id: zoom_meeting_id ?? '' }
  const former = {
    ...sitting,
    meeting_uuid: 'former',
    began_at: minute(0),
    is_live: false,
    live_reported_at: minute(30),
  }
  const began_at = new Date(now + 1) // as for a meeting that a check finds running
  const found = { ...sitting, meeting_uuid: 'found', began_at, is_live: true, live_reported_at: minute(60) }
  await db.insertInto('sittings').values([former, found]).execute()
  const speech = { room_id, room_user_id: anita.id }
  await db
    .insertInto('speeches')
    .values([
      { ...speech, began_at: minute(10), ended_at: minute(12) },
      { ...speech, began_at: minute(50), ended_at: minute(51) },
    ])
    .execute()
  await server.deps.rooms.forget(host.id)
  const { users } = (await call(server, 'GET', '/host/users', { as: host })).body.data
  expect(users[0].spoken_ms).toBe(60_000)
})

describe('a phone with an open stream hears', () => {
  async function listenAs(phone: SignedIn) {
    const { origin } = new URL(await webhookUrl(server))
    return openStream(origin + (await requestStream(server, host, phone)).body.sseUrl)
  }

  test('that the meeting has begun, that the host has joined it, and that it is over', async () => {
    const stream = await listenAs(await buildPhone(server, host, await buildRoomUser(server, host)))
    await happens('/start')
    await stream.next('meeting-runs', { is_running: true })
    await joins(await buildRoomUser(server, host))
    await happens('/participants/join', { host: true })
    await stream.next('meeting-runs', { is_running: true })
    await happens('/participants/leave', { host: true })
    await happens('/end')
    await stream.next('meeting-runs', { is_running: false })
    await webhooksProcessed(server)
    expect(stream.received.filter(({ name }) => name === 'meeting-runs')).toHaveLength(3)
  })

  test('what a look at Zoom finds out, where the events are lost', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const stream = await listenAs(phone)
    await server.control('/options', { webhook_hold: true })
    await happens('/start')
    await call(server, 'POST', '/mobile/join-ticket', { as: phone })
    await stream.next('meeting-runs', { is_running: true })
    await happens('/end')
    now += 2 * 60_000 // Zoom's API may lag behind its events
    const later = await listenAs(phone) // the first stream may end, since the phone has been silent for so long
    await sweepLiveRooms.run(server.deps)
    await later.next('meeting-runs', { is_running: false })
  })
})

test('a user who joined twice is in the meeting until both have left', async () => {
  const anita = await buildRoomUser(server, host)
  await happens('/start')
  await joins(anita)
  await joins(anita)
  await leaves(anita)
  expect((await readRoom()).present).toEqual([anita.id])
  await leaves(anita)
  expect((await readRoom()).present).toEqual([])
})

test('a user in the waiting room is not in the meeting', async () => {
  const anita = await buildRoomUser(server, host)
  await happens('/start')
  await happens('/participants/join', { customer_key: anita.id, waiting_room: true })
  expect((await readRoom()).present).toEqual([])
})

test('counts nobody in Zoom’s own app where hosts may take no seat', async () => {
  isSeatOn = false
  await happens('/start')
  await happens('/participants/join', { user_name: 'Lee' })
  await webhooksProcessed(server)
  const { room } = (await call(server, 'GET', '/host/room', { as: host })).body.data
  expect(room).not.toHaveProperty('in_zoom_app')
  expect(await server.deps.db.selectFrom('zoom_app_joins').selectAll().execute()).toEqual([])
})

test('ignores another meeting of the same host', async () => {
  const anita = await buildRoomUser(server, host)
  const { pmi } = (await server.control('/accounts', { email: host.email })).account as { pmi: number }
  await server.control(`/meetings/${pmi}/start`, {})
  await server.control(`/meetings/${pmi}/participants/join`, { customer_key: anita.id })
  expect(await readRoom()).toEqual(NOTHING)
})

describe('an event cannot change presence in another host’s room', () => {
  test('by the key of one of its users', async () => {
    const other = await buildZoomHost(server)
    const theirs = await buildRoomUser(server, other)
    await happens('/start', {}, other)
    await happens('/start')
    await happens('/participants/join', { customer_key: theirs.id })
    expect((await readRoom()).present).toEqual([])
    expect((await readRoom(other)).present).toEqual([])
  })

  test('by e-mail, number or name', async () => {
    const other = await buildZoomHost(server)
    const mine = await zoomIdsOf(server, host)
    const { host_id } = await zoomIdsOf(server, other)
    const object = {
      id: host.rooms[0]?.zoom_meeting_id,
      uuid: 'aB3xYz9QTkWq1LmN5oPrSg==',
      host_email: host.email,
      start_time: new Date(now).toISOString(),
    }
    const events = [
      { account_id: 'unknown', object: { ...object, host_id: mine.host_id } },
      { account_id: mine.account_id, object: { ...object, host_id } },
      { account_id: mine.account_id, object: { ...object, host_id: host.email } },
    ]
    for (const payload of events)
      expect((await deliver(server, { event: 'meeting.started', event_ts: now, payload })).statusCode).toBe(200)
    expect(await readRoom()).toEqual(NOTHING)
    expect(await readRoom(other)).toEqual(NOTHING)
  })
})

test('accepts numbers as text or numbers, and missing times', async () => {
  const { account_id, host_id } = await zoomIdsOf(server, host)
  const id = Number(host.rooms[0]?.zoom_meeting_id)
  for (const number of [id, String(id)]) {
    now += 1000
    const object = { id: number, uuid: `sitting ${typeof number}`, host_id, timezone: '' }
    await deliver(server, { event: 'meeting.started', event_ts: String(now), payload: { account_id, object } })
    expect(await readRoom()).toMatchObject({ is_live: true })
    now += 1000
    await deliver(server, { event: 'meeting.ended', event_ts: now, payload: { account_id, object } })
    expect(await readRoom()).toMatchObject({ is_live: false })
  }
})
