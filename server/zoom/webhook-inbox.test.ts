import { beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { buildRoomUser, call, type TestHost } from '../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../test/zoom/emulated-zoom.ts'
import { deliver, webhooksProcessed, zoomIdsOf } from '../../test/zoom/webhooks.ts'
import { clearZoomEvents, handleZoomEvents } from '../features/zoom-accounts/jobs.ts'
import { JobRunner } from '../jobs/job-runner.ts'
import { claimEvent, storeEvent } from './webhook-inbox.ts'
import { parseWebhook } from './webhook-schemas.ts'

const DAY = 24 * 3_600_000
let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  host = await buildZoomHost(server)
})

const rows = () => server.deps.db.selectFrom('zoom_events').selectAll().orderBy('reported_at').execute()
const isLive = async () => (await call(server, 'GET', '/host/room', { as: host })).body.data.room.is_live

async function started(more: object = {}) {
  const { account_id, host_id } = await zoomIdsOf(server, host)
  const start_time = new Date(now).toISOString()
  const object = { id: host.rooms[0]?.zoom_meeting_id, uuid: 'aB3xYz9QTkWq1LmN5oPrSg==', host_id, start_time }
  return { event: 'meeting.started', event_ts: now, payload: { account_id, object }, ...more }
}

async function joined(customer_key: string, more: object = {}) {
  const { payload, ...event } = await started()
  const participant = { customer_key, participant_uuid: 'P1', user_name: 'Kim Lee', public_ip: '203.0.113.77', ...more }
  return {
    ...event,
    event: 'meeting.participant_joined',
    payload: { ...payload, object: { ...payload.object, participant } },
  }
}

const MINUTE = 60_000

describe('an event with the timestamp of an earlier attempt', () => {
  test.each([
    ['six minutes', 6 * MINUTE],
    ['85 minutes, as Zoom’s last try may', 85 * MINUTE],
    ['two hours', 120 * MINUTE],
  ])('is accepted after %s if it is new, once', async (_words, age) => {
    const event = await started()
    expect((await deliver(server, event, { at: now - age })).statusCode).toBe(200)
    await webhooksProcessed(server)
    expect(await isLive()).toBe(true)
    const again = await deliver(server, event, { at: now - age })
    expect(again).toMatchObject({ statusCode: 401 })
    expect(again.json()).toMatchObject({ code: 'bad_signature' })
    expect(await rows()).toMatchObject([{ attempts: 1, failure: null }])
  })

  test('is refused if it arrived before, whatever its outcome', async () => {
    const ours = await started()
    const at = now
    for (const event of [ours, { ...ours, payload: { ...ours.payload, account_id: 'unknown' } }]) {
      expect((await deliver(server, event, { at })).statusCode).toBe(200)
      now = at + 5 * MINUTE
      expect((await deliver(server, event, { at })).statusCode).toBe(200)
      now = at + 5 * MINUTE + 1000
      expect((await deliver(server, event, { at })).statusCode).toBe(401)
      expect((await deliver(server, event)).statusCode).toBe(200) // signed again
      now = at
    }
    await webhooksProcessed(server)
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 1])
  })

  test('is accepted if the first attempt could not be stored', async () => {
    const event = await started()
    const at = now
    vi.spyOn(server.deps.db, 'insertInto').mockImplementationOnce(() => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    })
    expect((await deliver(server, event, { at })).statusCode).toBe(503)
    now += 25 * MINUTE
    expect((await deliver(server, event, { at })).statusCode).toBe(200)
    await webhooksProcessed(server)
    expect(await rows()).toMatchObject([{ attempts: 1, reported_at: new Date(at) }])
  })

  test('is accepted once when it arrives eight times at once', async () => {
    const event = await started()
    const eight = Array.from({ length: 8 }, () => deliver(server, event, { at: now - 25 * MINUTE }))
    const codes = (await Promise.all(eight)).map(({ statusCode }) => statusCode)
    expect(codes.toSorted()).toEqual([200, ...Array(7).fill(401)])
    await webhooksProcessed(server)
    expect(await rows()).toMatchObject([{ attempts: 1, failure: null }])
  })

  test.each([
    ['more than two hours old', -120 * MINUTE - 1000, {}],
    ['more than five minutes ahead', 5 * MINUTE + 1000, {}],
    ['signed with another secret', -6 * MINUTE, { secret: 'other' }],
  ])('is refused and not stored if it is %s', async (_words, ahead, more) => {
    expect((await deliver(server, await started(), { at: now + ahead, ...more })).statusCode).toBe(401)
    expect(await rows()).toEqual([])
  })

  test('is refused when it is unknown whether it arrived before', async () => {
    const validation = { event: 'endpoint.url_validation', event_ts: now, payload: { plainToken: 'x' } }
    for (const event of [validation, await started({ event: 'meeting.something_new' })])
      expect((await deliver(server, event, { at: now - 6 * MINUTE })).statusCode).toBe(401)
  })
})

describe('an event', () => {
  test('is stored, encrypted, before Zoom gets its answer', async () => {
    const { id } = await buildRoomUser(server, host)
    expect((await deliver(server, await joined(id))).statusCode).toBe(200)
    const [kept] = await rows()
    expect(kept).toMatchObject({ event: 'meeting.participant_joined', reported_at: new Date(now) })
    await webhooksProcessed(server)
    for (const table of ['zoom_events', 'sittings', 'sitting_people'] as const) {
      const stored = JSON.stringify(await server.deps.db.selectFrom(table).selectAll().execute())
      expect(stored).not.toMatch(/203\.0\.113|Kim Lee/)
    }
  })

  test('is answered at once, however long the one before it takes', async () => {
    let isDone = () => {}
    const held = vi.spyOn(server.deps.rooms, 'getIfInUse').mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          isDone = () => resolve(null)
        }),
    )
    await deliver(server, await started())
    await eventually(() => expect(held).toHaveBeenCalled())
    now += 1000
    expect((await deliver(server, await started({ event_ts: now, event: 'meeting.ended' }))).statusCode).toBe(200)
    expect(await rows()).toMatchObject([{}, { attempts: 0, processed_at: null }])
    isDone()
    await webhooksProcessed(server)
    expect(await isLive()).toBe(false)
  })

  test('that arrives four times is processed once, and is ignored in other bytes', async () => {
    const event = await started()
    for (let copy = 0; copy < 4; copy++) {
      expect((await deliver(server, event)).statusCode).toBe(200)
      if (copy > 0) await webhooksProcessed(server) // the second comes before the first is processed
    }
    expect(await rows()).toMatchObject([{ attempts: 1, failure: null, host_id: host.id }])
    await deliver(server, await started({ event_ts: now + 5, event: 'meeting.ended' }))
    await deliver(server, JSON.stringify(event, null, 2))
    await webhooksProcessed(server)
    expect(await isLive()).toBe(false)
  })

  test('that cannot be stored is answered with 503, and processed once when it arrives again', async () => {
    const event = await started()
    const gone = vi.spyOn(server.deps.db, 'insertInto').mockImplementation(() => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    })
    expect((await deliver(server, event)).statusCode).toBe(503)
    gone.mockRestore()
    expect(await rows()).toEqual([])
    expect((await deliver(server, event)).statusCode).toBe(200)
    await webhooksProcessed(server)
    expect(await rows()).toMatchObject([{ attempts: 1 }])
    expect(await isLive()).toBe(true)
  })

  test('that fails is retried a little later, and delays no other', async () => {
    const failing = vi.spyOn(server.deps.db, 'transaction').mockImplementationOnce(() => {
      throw new Error('The database is busy')
    })
    await deliver(server, await started())
    await eventually(async () => expect(await rows()).toMatchObject([{ failure: expect.stringMatching(/busy/) }]))
    expect(failing).toHaveBeenCalled()
    const [{ next_attempt_at, processed_at } = { next_attempt_at: new Date(0), processed_at: null }] = await rows()
    expect(processed_at).toBeNull()
    expect(next_attempt_at.getTime()).toBeGreaterThan(now)

    const { id } = await buildRoomUser(server, host)
    await deliver(server, await joined(id, { participant_uuid: 'other' }))
    await eventually(async () => expect((await rows()).filter((row) => row.processed_at)).toHaveLength(1))
    now = next_attempt_at.getTime()
    await deliver(server, await joined(id, { participant_uuid: 'another' }))
    await webhooksProcessed(server)
    expect((await rows()).map(({ event, attempts }) => [event, attempts])).toContainEqual(['meeting.started', 2])
  })

  test('that arrived just before the process died is processed at the next start', async () => {
    const event = await started()
    const webhook = parseWebhook(JSON.stringify(event))
    if (!webhook) throw new Error('This is no event')
    await storeEvent(server.deps, Buffer.from(JSON.stringify(event)), webhook)
    const dead = { lease: 'dead', lease_until: new Date(Date.now() + DAY) }
    await server.deps.db.updateTable('zoom_events').set(dead).execute()

    const next = new JobRunner()
    await next.start(server.deps, [handleZoomEvents])
    await next.idle()
    await next.close()
    expect(await isLive()).toBe(true)
  })

  test('is processed by one of several nodes', async () => {
    const nodes = [new JobRunner(), new JobRunner()]
    for (const node of nodes) await node.start(server.deps, [handleZoomEvents])
    const base = await started()
    for (let at = 0; at < 20; at++) {
      const body = Buffer.from(JSON.stringify({ ...base, event_ts: now + at }))
      const webhook = parseWebhook(body.toString())
      if (webhook) await storeEvent(server.deps, body, webhook)
      nodes[at % 2]?.wake(handleZoomEvents)
    }
    await webhooksProcessed(server)
    for (const node of nodes) await node.close()
    expect((await rows()).map(({ attempts, failure }) => [attempts, failure])).toEqual(Array(20).fill([1, null]))
  })

  test('is leased while a node processes it', async () => {
    let another: Promise<unknown> = Promise.resolve('not asked')
    vi.spyOn(server.deps.db, 'transaction').mockImplementationOnce(() => {
      another = claimEvent(server.deps)
      throw new Error('The work fails')
    })
    await deliver(server, await started())
    await eventually(async () => expect(await rows()).toMatchObject([{ failure: expect.stringMatching(/fails/) }]))
    expect(await another).toBeUndefined()
    expect(await rows()).toMatchObject([{ attempts: 1, lease: null }])
  })

  test('that cannot be decrypted is given up, without affecting the next', async () => {
    const { account_id } = await zoomIdsOf(server, host)
    const odd = { event: 'meeting.ended', event_ts: now, payload: { account_id, object: { id: [] } } }
    expect((await deliver(server, odd)).statusCode).toBe(200)
    now += 1000
    await deliver(server, await started())
    await webhooksProcessed(server)
    expect(await rows()).toMatchObject([
      { failure: expect.stringMatching(/Cannot be read at: .*uuid/) },
      { failure: null },
    ])
    expect(await isLive()).toBe(true)
  })

  test('of an unknown account changes nothing, and leaves nothing readable', async () => {
    const { payload, ...event } = await started()
    const theirs = { ...event, payload: { ...payload, account_id: 'unknown' } }
    expect((await deliver(server, theirs)).statusCode).toBe(200)
    await webhooksProcessed(server)
    expect(await rows()).toMatchObject([{ host_id: null, body_ciphertext: null }])
    expect(await isLive()).toBe(false)
  })

  test('that has no handler is answered and not stored', async () => {
    for (const event of ['meeting.participant_joined_waiting_room', 'meeting.chat_message_sent', 'constructor'])
      expect((await deliver(server, await started({ event }))).statusCode).toBe(200)
    expect(await rows()).toEqual([])
  })

  test('may contain a character that the database cannot store', async () => {
    const { id } = await buildRoomUser(server, host)
    const text = JSON.stringify(await joined(id, { participant_uuid: 'P\u00001' }))
    expect((await deliver(server, text)).statusCode).toBe(200)
    await webhooksProcessed(server)
    expect(await rows()).toMatchObject([{ failure: null, host_id: host.id }])
  })

  test('is deleted with its host, and after a week in any case', async () => {
    await deliver(server, await started())
    await webhooksProcessed(server)
    now += 7 * DAY
    expect(await clearZoomEvents.run(server.deps)).toBe(0)
    now += 1
    expect(await clearZoomEvents.run(server.deps)).toBe(1)
    expect(await rows()).toEqual([])

    await deliver(server, await started())
    await webhooksProcessed(server)
    await server.deps.db.deleteFrom('hosts').where('id', '=', host.id).execute()
    expect(await rows()).toEqual([])
  })
})
