import { pino } from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Room } from '../../../shared/rooms.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed } from '../../../test/zoom/webhooks.ts'
import { deleteMeeting } from '../../zoom/calls.ts'
import { deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { reconcileMeeting } from './reconcile-meeting.ts'
import { requireRoomAtZoom } from './rooms.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) })
const server = await setupWithZoom({ now: () => now, log })
beforeEach(async () => {
  host = await buildZoomHost(server)
})

const number = async () => (await room()).zoom_meeting_id
const act = (what: 'start' | 'end', as = host, headers: Record<string, string> = {}) => {
  now += 1000
  return call(server, 'POST', `/host/room/${what}`, { as, headers })
}
const room = async (as = host) => (await call(server, 'GET', '/host/room', { as })).body.data.room
const meeting = (what: string, body: object = {}) => {
  now += 1000
  return server.control(`/meetings/${host.rooms[0]?.zoom_meeting_id}${what}`, body)
}
const actions = async () => {
  const rows = await server.deps.db
    .selectFrom('audit')
    .select('action')
    .where('action', 'like', 'meeting\\_%')
    .execute()
  return rows.map(({ action }) => action)
}
const open = async (link: string) => {
  now += 1000
  return (await fetch(link)).status
}

const joinTicketStatus = async (phone: SignedIn) =>
  (await call(server, 'POST', '/mobile/join-ticket', { as: phone })).status

describe('POST /api/host/room/start', () => {
  test('returns a link that starts the meeting, and the room shows since when it runs', async () => {
    await receiveWebhooks(server)
    expect(await room()).toMatchObject({ is_live: false, live_since: null, participant_count: null })
    const answer = await act('start')
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect((await room()).is_live).toBe(false)
    expect(await open(answer.body.data.start_url)).toBe(200)
    await webhooksProcessed(server)
    const started = new Date(now).toISOString()
    now += 60_000
    expect(await room()).toMatchObject({ is_live: true, live_since: started, participant_count: 0 })
    expect((await room()).server_time).toBe(new Date(now).toISOString())
    expect(await actions()).toEqual(['meeting_start_asked'])
  })

  test('fetches another link each time, and a repeated call is not replayed', async () => {
    const key = { 'idempotency-key': 'twice' }
    const links = [await act('start', host, key), await act('start', host, key)].map(({ body }) => body.data.start_url)
    expect(new Set(links).size).toBe(2)
    expect(await server.deps.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  })

  test('gives no link to a session that has ended while Zoom was being asked', async () => {
    const { callFor } = server.deps.zoom
    vi.spyOn(server.deps.zoom, 'callFor').mockImplementationOnce(async (id, asked, deadline) => {
      const link = await callFor(id, asked, deadline)
      await server.deps.sessions.end({ host_id: host.id }, 'password_changed')
      return link
    })
    expect(await act('start')).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
    expect(await actions()).toEqual([])
    const asked = server.deps.db.selectFrom('rooms').select('start_requested_at').where('host_id', '=', host.id)
    expect(await asked.execute()).toEqual([{ start_requested_at: null }])
  })

  test('the link is in no table and in no log line', async () => {
    const { body } = await act('start', host, { 'idempotency-key': 'once' })
    const { searchParams } = new URL(body.data.start_url)
    const secret = searchParams.get('zak') ?? ''
    expect(secret.length).toBeGreaterThan(20)
    await server.control('/faults', { match: { method: 'GET' }, kind: 'status', times: 0, status: 500 })
    expect((await act('start')).status).toBe(502)
    expect(logged.join('')).toContain('/api/host/room/start')
    expect(logged.join('')).toContain('zoom.call_failed')
    expect(logged.join('')).not.toContain(secret)
    for (const table of ['audit', 'idempotency_keys', 'rooms', 'sittings', 'zoom_links'] as const)
      expect(JSON.stringify(await server.deps.db.selectFrom(table).selectAll().execute())).not.toContain(secret)
  })

  test('makes a meeting that is gone at Zoom again', async () => {
    const before = await number()
    await server.deps.zoom.callFor(host.id, deleteMeeting(before))
    const answer = await act('start')
    expect(answer.status).toBe(200)
    expect(await number()).not.toBe(before)
    expect(answer.body.data.start_url).toContain(`/s/${await number()}?`)
  })

  test('phones of another account may join a meeting that was started by the link', async () => {
    await receiveWebhooks(server)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await open((await act('start')).body.data.start_url)
    await webhooksProcessed(server)
    expect(await joinTicketStatus(phone)).toBe(200)
    await meeting('/participants/leave', { host: true })
    await webhooksProcessed(server)
    expect(await joinTicketStatus(phone)).toBe(409)
  })

  test('phones of another account may still join after the host has opened the running meeting again', async () => {
    await receiveWebhooks(server)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await open((await act('start')).body.data.start_url)
    await webhooksProcessed(server)
    now += 70_000
    await act('start')
    expect(await joinTicketStatus(phone)).toBe(200)
  })

  test('phones of another account may join a meeting that the host started in Zoom, once it is opened from here', async () => {
    await receiveWebhooks(server)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await meeting('/start')
    await webhooksProcessed(server)
    now += 10 * 60_000
    expect(await joinTicketStatus(phone)).toBe(409)
    await act('start')
    expect(await joinTicketStatus(phone)).toBe(200)
  })

  test.each(['sent', 'reversed'])(
    'phones of another account may still join after the host has left with a second device, in events as %s',
    async (order) => {
      await receiveWebhooks(server)
      const phone = await buildPhone(server, host, await buildRoomUser(server, host))
      await open((await act('start')).body.data.start_url)
      await server.control('/options', { webhook_hold: true })
      const { participant } = await meeting('/participants/join', { host: true })
      await meeting('/participants/leave', { participant_uuid: participant.participant_uuid })
      await server.control('/webhooks/release', { order })
      await webhooksProcessed(server)
      expect(await joinTicketStatus(phone)).toBe(200)
      await server.control('/options', { webhook_hold: false })
      await meeting('/participants/leave', { host: true })
      await webhooksProcessed(server)
      expect(await joinTicketStatus(phone)).toBe(409)
    },
  )

  test('a meeting that somebody else started does not count as one with its host in it', async () => {
    await receiveWebhooks(server)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await act('start')
    now += 3 * 3_600_000
    await meeting('/start')
    await webhooksProcessed(server)
    expect(await joinTicketStatus(phone)).toBe(409)
  })

  test('refuses a room without Zoom, and too many calls', async () => {
    const without = await buildHost(server)
    expect(await act('start', without)).toMatchObject({ status: 409, body: { code: 'room_not_connected' } })
    for (let calls = 0; calls < 11; calls++) await act('start', without)
    now -= 11_000
    const refused = await act('start', without)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } })
  })

  test('reports a connection that Zoom no longer accepts', async () => {
    await server.control('/faults', { match: { method: 'GET' }, kind: 'status', times: 0, status: 401, code: 124 })
    expect(await act('start')).toMatchObject({ status: 403, body: { code: 'zoom_reconnect' } })
    expect(await actions()).toEqual([])
  })
})

describe('POST /api/host/room/end', () => {
  test('ends the meeting for everyone, before the event of it arrives', async () => {
    await receiveWebhooks(server)
    const user = await buildRoomUser(server, host)
    await meeting('/start')
    await meeting('/participants/join', { customer_key: user.id })
    await webhooksProcessed(server)
    expect(await room()).toMatchObject({ is_live: true, participant_count: 1, recording: 'recording' })

    await server.control('/options', { webhook_hold: true })
    expect(await act('end')).toMatchObject({
      status: 200,
      body: { data: { room: { is_live: false, live_since: null, recording: 'none', participant_count: null } } },
    })
    await server.control('/webhooks/release', {})
    await webhooksProcessed(server)
    expect(await room()).toMatchObject({ is_live: false })
    expect(await actions()).toEqual(['meeting_ended'])

    await meeting('/start')
    await server.control('/webhooks/release', {})
    await webhooksProcessed(server)
    expect(await room()).toMatchObject({ is_live: true, participant_count: 0 })
  })

  test('a late press does not end the meeting that came after', async () => {
    await receiveWebhooks(server)
    const end = (live_since: unknown) =>
      call(server, 'POST', '/host/room/end', { as: host, body: { expect: { live_since } } })
    const start = async () => {
      await meeting('/start')
      await webhooksProcessed(server)
      return (await room()).live_since
    }
    const first = await start()
    await meeting('/end')
    await webhooksProcessed(server)
    const second = await start()
    expect(second).not.toBe(first)
    expect(await end(first)).toMatchObject({
      status: 409,
      body: { code: 'state_changed', message: 'Another meeting has begun in the meantime. It goes on.' },
    })
    expect(await room()).toMatchObject({ is_live: true, live_since: second })
    for (const wrong of ['yesterday', 5, undefined]) expect((await end(wrong)).status).toBe(422)
    expect((await end(second)).status).toBe(200)
    expect(await actions()).toEqual(['meeting_ended'])

    await server.control('/options', { webhook_hold: true })
    await meeting('/start')
    expect(await end(second)).toMatchObject({ status: 409, body: { code: 'meeting_not_live' } })
    await server.control('/webhooks/release', {})
    await webhooksProcessed(server)
    expect((await room()).is_live).toBe(true)
  })

  test('a late press on a meeting whose start was not reported yet does not end the one after', async () => {
    const reconcile = async () =>
      reconcileMeeting(server.deps, await requireRoomAtZoom(server.deps, host.id), deadlineIn(ZOOM_TIMEOUT_MS))
    const end = ({ live_since, meeting_uuid }: Room) =>
      call(server, 'POST', '/host/room/end', { as: host, body: { expect: { live_since, meeting_uuid } } })
    await meeting('/start')
    expect(await reconcile()).toBe('started')
    const first: Room = await room()
    expect(first).toMatchObject({ is_live: true, live_since: null, meeting_uuid: expect.any(String) })

    await receiveWebhooks(server)
    await meeting('/end')
    await webhooksProcessed(server)
    expect(await end(first)).toMatchObject({ status: 409, body: { code: 'meeting_not_live' } })
    await meeting('/start')
    await webhooksProcessed(server)
    expect(await end(first)).toMatchObject({ status: 409, body: { code: 'state_changed' } })
    const second: Room = await room()
    expect(second).toMatchObject({ is_live: true })
    expect((await end({ ...second, live_since: null })).status).toBe(200) // its start was reported in the meantime
  })

  test('refuses where it does not run, and shows that it does not', async () => {
    expect(await act('end')).toMatchObject({ status: 409, body: { code: 'meeting_not_live' } })
    await receiveWebhooks(server)
    await meeting('/start')
    await webhooksProcessed(server)
    await server.control('/options', { webhook_hold: true })
    await meeting('/end')
    expect((await room()).is_live).toBe(true)
    expect(await act('end')).toMatchObject({ status: 409, body: { code: 'meeting_not_live' } })
    expect((await room()).is_live).toBe(false)
    expect(await actions()).toEqual([])
  })

  test('refuses a room without Zoom', async () => {
    expect(await act('end', await buildHost(server))).toMatchObject({
      status: 409,
      body: { code: 'room_not_connected' },
    })
  })

  test('says what to do where Zoom has not granted it', async () => {
    await meeting('/start')
    await server.control('/faults', { match: { method: 'PUT' }, kind: 'status', times: 0, status: 400, code: 4711 })
    const answer = await act('end')
    expect(answer).toMatchObject({ status: 403, body: { code: 'zoom_reconnect' } })
    expect(answer.body.message).toContain('End it in Zoom')
  })
})

describe('GET /api/host/room', () => {
  test('counts the time that was recorded, without its pauses', async () => {
    await receiveWebhooks(server)
    const step = async (ms: number, what: string, body: object = {}) => {
      now += ms - 1000
      await meeting(what, body)
      await webhooksProcessed(server)
      return room()
    }
    const clock = ({
      recording_since,
      recorded_seconds,
    }: {
      recording_since: string | null
      recorded_seconds: number
    }) => [recording_since, recorded_seconds]
    const at = () => new Date(now).toISOString()
    expect(clock(await step(1000, '/start'))).toEqual([at(), 0])
    expect(clock(await step(60_000, '/recording', { action: 'pause' }))).toEqual([null, 60])
    expect(clock(await step(30_000, '/recording', { action: 'resume' }))).toEqual([at(), 60])
    expect(clock(await step(15_000, '/recording', { action: 'stop' }))[0]).toBeNull()
    expect(clock(await step(5_000, '/recording', { action: 'start' }))).toEqual([at(), 0])
  })

  test('shows whether Zoom is connected, and whether the room may be recorded', async () => {
    expect(await room()).toMatchObject({ zoom_status: 'connected', recording_enabled: true })
    await server.deps.db.updateTable('zoom_links').set({ reconnect_needed: true }).execute()
    expect((await room()).zoom_status).toBe('reconnect_needed')
    expect((await room(await buildHost(server))).zoom_status).toBe('not_connected')
  })
})
