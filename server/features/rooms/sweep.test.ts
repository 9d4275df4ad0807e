import { beforeEach, describe, expect, test } from 'vitest'
import { buildPhone, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed } from '../../../test/zoom/webhooks.ts'
import { deleteMeeting } from '../../zoom/calls.ts'
import { sweepHosts } from './sweep-hosts.ts'
import { sweepLiveRooms } from './sweep-live-rooms.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  now += HOUR
  host = await buildZoomHost(server)
})

const numberOf = (of = host) => String(of.rooms[0]?.zoom_meeting_id)
const room = async (of = host) => (await call(server, 'GET', '/host/room', { as: of })).body.data.room
const present = async () => (await call(server, 'GET', '/host/users', { as: host })).body.data.users[0].in_meeting
const fault = (body: object) => server.control('/faults', body)
const hits = async () => ((await server.control('/state')).faults as { hits: number }[])[0]?.hits
/** Counts Zoom calls without changing them. */
const counting = (match: object) => fault({ match, kind: 'slow', times: 0 })

describe('a meeting that is believed to run', () => {
  beforeEach(async () => {
    await receiveWebhooks(server)
    await server.control(`/meetings/${numberOf()}/start`, {})
    const user = await buildRoomUser(server, host)
    await buildPhone(server, host, user)
    await server.control(`/meetings/${numberOf()}/participants/join`, { customer_key: user.id })
    await webhooksProcessed(server)
    expect(await present()).toBe(true)
  })
  /** Loses Zoom's event: it is held back and never released. */
  const withLostEvent = async (what: string) => {
    await server.control('/options', { webhook_hold: true })
    await server.control(`/meetings/${numberOf()}${what}`, {})
    now += 2 * MINUTE
  }

  test('is ended by the next check if its end event was lost', async () => {
    await withLostEvent('/end')
    expect(await sweepLiveRooms.run(server.deps)).toBe(1)
    expect(await room()).toMatchObject({ is_live: false, recording: 'none' })
    expect(await present()).toBe(false)
  })

  test('is left unchanged if it runs', async () => {
    now += 2 * MINUTE
    expect(await sweepLiveRooms.run(server.deps)).toBe(0)
    expect(await room()).toMatchObject({ is_live: true, recording: 'recording' })
    expect(await present()).toBe(true)
  })

  test('is not ended by a late answer of Zoom’s API just after its start event', async () => {
    await server.control('/options', { webhook_hold: true })
    await server.control(`/meetings/${numberOf()}/end`, {})
    await sweepLiveRooms.run(server.deps)
    expect(await room()).toMatchObject({ is_live: true })
  })

  test('is left unchanged while Zoom does not answer', async () => {
    await withLostEvent('/end')
    await fault({ match: { path: '/v2/meetings/*' }, kind: 'status', status: 500, times: 0 })
    expect(await sweepLiveRooms.run(server.deps)).toBe(0)
    expect(await room()).toMatchObject({ is_live: true })
  })

  test('is made again if Zoom has lost it, and the room is not live', async () => {
    const before = numberOf()
    await server.deps.zoom.callFor(host.id, deleteMeeting(before))
    now += 2 * MINUTE
    expect(await sweepLiveRooms.run(server.deps)).toBe(1)
    const after = await room()
    expect(after).toMatchObject({ is_live: false, zoom_meeting_id: expect.stringMatching(/^\d{11}$/) })
    expect(after.zoom_meeting_id).not.toBe(before)
    expect(await present()).toBe(false)
  })

  test('is checked once a minute, by one node', async () => {
    await counting({ path: '/v2/meetings/*', method: 'GET' })
    now += MINUTE
    await Promise.all([1, 2, 3].map(() => sweepLiveRooms.run(server.deps)))
    expect(await hits()).toBe(1)
    now += MINUTE
    await sweepLiveRooms.run(server.deps)
    expect(await hits()).toBe(2)
  })

  test('is not checked after its end', async () => {
    await server.control(`/meetings/${numberOf()}/end`, {})
    await webhooksProcessed(server)
    await counting({ path: '/v2/meetings/*' })
    now += 2 * MINUTE
    await sweepLiveRooms.run(server.deps)
    expect(await hits()).toBe(0)
  })
})

describe('the daily check', () => {
  const put = (start_time: string, of = host) =>
    server.control('/recordings', { email: of.email, start_time, duration_minutes: 9, notify: false })
  const listed = () => server.deps.db.selectFrom('recordings').select('started_at').execute()

  test('finds recordings without an event: all of them at first, then the recent ones', async () => {
    await put('2026-07-01T08:00:00Z')
    await put('2026-11-20T08:00:00Z')
    expect(await sweepHosts.run(server.deps)).toBe(1)
    expect(await listed()).toHaveLength(2)

    await put('2026-11-19T08:00:00Z')
    expect(await sweepHosts.run(server.deps)).toBe(0)
    now += 24 * HOUR
    await counting({ path: '/v2/users/me/recordings' })
    expect(await sweepHosts.run(server.deps)).toBe(1)
    expect(await listed()).toHaveLength(3)
    expect(await hits()).toBe(3)
  })

  test('makes a lost meeting again', async () => {
    const before = numberOf()
    await server.deps.zoom.callFor(host.id, deleteMeeting(before))
    await sweepHosts.run(server.deps)
    expect((await room()).zoom_meeting_id).toMatch(/^\d{11}$/)
    expect((await room()).zoom_meeting_id).not.toBe(before)
  })

  test('is repeated in an hour if Zoom failed', async () => {
    await put('2026-11-20T08:00:00Z')
    await fault({ match: { path: '/v2/users/me/recordings' }, kind: 'status', status: 500, times: 0 })
    await sweepHosts.run(server.deps)
    now += HOUR - 1
    expect(await sweepHosts.run(server.deps)).toBe(0)
    now += 1
    expect(await sweepHosts.run(server.deps)).toBe(1)
  })

  test('runs on one node, and reaches every host', async () => {
    for (let more = 0; more < 4; more++) await buildZoomHost(server)
    await counting({ path: '/v2/meetings/*', method: 'GET' })
    const counts = await Promise.all([1, 2].map(() => sweepHosts.run(server.deps)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(5)
    expect(await hits()).toBe(5)
  })

  test('skips hosts that must reconnect', async () => {
    await server.deps.db.updateTable('zoom_links').set({ reconnect_needed: true }).execute()
    expect(await sweepHosts.run(server.deps)).toBe(0)
  })
})
