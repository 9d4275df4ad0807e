import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, type TestHost } from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed } from '../../../test/zoom/webhooks.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  host = await buildZoomHost(server)
})

const number = () => host.rooms[0]?.zoom_meeting_id
const meeting = (what: string, body: object = {}) => {
  now += 1000
  return server.control(`/meetings/${number()}${what}`, body)
}
const control = (action: string, as = host) => {
  now += 1000
  return call(server, 'POST', `/host/recording/${action}`, { as })
}
const room = async (as = host) => (await call(server, 'GET', '/host/room', { as })).body.data.room
const atZoom = async () => {
  const { meetings } = await server.control('/state')
  const found = (meetings as { id: number; sitting: { recording: string } | null }[]).find(
    ({ id }) => String(id) === number(),
  )
  return found?.sitting?.recording
}

describe('POST /api/host/recording/:action', () => {
  test('pauses, resumes, stops and starts the recording of a running meeting, and shows it in the room', async () => {
    await receiveWebhooks(server)
    await meeting('/start')
    await webhooksProcessed(server)
    const steps = [
      ['pause', 'paused', 'paused'],
      ['resume', 'recording', 'on'],
      ['stop', 'none', 'off'],
      ['start', 'recording', 'on'],
    ] as const
    for (const [action, shown, held] of steps) {
      const answer = await control(action)
      expect(answer).toMatchObject({ status: 200, body: { data: { room: { is_live: true, recording: shown } } } })
      expect(await atZoom()).toBe(held)
      await webhooksProcessed(server)
      expect((await room()).recording).toBe(shown)
    }
    const written = await server.deps.db
      .selectFrom('audit')
      .select('action')
      .where('action', 'like', 'recording\\_%')
      .orderBy('seq')
      .execute()
    expect(written.map(({ action }) => action)).toEqual(steps.map(([action]) => `recording_${action}`))
  })

  test('works even if Zoom’s start event was lost', async () => {
    await meeting('/start')
    expect((await room()).is_live).toBe(false)
    expect(await control('pause')).toMatchObject({
      ...{ status: 200, body: { data: { room: { is_live: true, recording: 'paused' } } } },
    })
    await receiveWebhooks(server)
    await meeting('/recording', { action: 'resume' })
    await webhooksProcessed(server)
    expect(await room()).toMatchObject({ is_live: true, recording: 'recording' })
  })

  test('a later change at Zoom wins, although its clock is behind ours', async () => {
    await receiveWebhooks(server)
    await meeting('/start')
    await webhooksProcessed(server)
    await control('pause')
    await webhooksProcessed(server)
    now += 120_000
    await server.control('/options', { webhook_hold: true })
    await meeting('/recording', { action: 'resume' })
    now += 120_000
    await control('pause')
    await control('resume')
    await meeting('/recording', { action: 'stop' })
    await server.control('/webhooks/release', {})
    await webhooksProcessed(server)
    expect(await room()).toMatchObject({ recording: 'none' })
  })

  test('refuses without a running meeting, and shows none', async () => {
    expect(await control('pause')).toMatchObject({ status: 409, body: { code: 'meeting_not_live' } })
    await receiveWebhooks(server)
    await meeting('/start')
    await webhooksProcessed(server)
    await server.control('/options', { webhook_hold: true })
    await meeting('/end')
    now += 120_000
    expect(await control('pause')).toMatchObject({ status: 409, body: { code: 'meeting_not_live' } })
    expect(await room()).toMatchObject({ is_live: false, recording: 'none' })
  })

  test('reports a full storage at Zoom', async () => {
    await meeting('/start')
    await control('stop')
    await server.control('/accounts', { email: host.email, settings: { storage_full: true } })
    const answer = await control('start')
    expect(answer).toMatchObject({ status: 409, body: { code: 'zoom_storage_full' } })
    expect(answer.body.message).toMatch(/full/)
  })

  test('does not start a recording that is off for the host, but can stop it', async () => {
    await meeting('/start')
    const body = { recording_enabled: false }
    await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: await buildMaster(server), body })
    for (const action of ['start', 'resume'])
      expect(await control(action)).toMatchObject({ status: 409, body: { code: 'recording_off' } })
    expect((await control('stop')).status).toBe(200)
    expect(await atZoom()).toBe('off')
  })

  test('passes on Zoom’s message for an account that cannot record', async () => {
    await meeting('/start')
    await server.control('/accounts', { email: host.email, settings: { cloud_recording: false } })
    const answer = await control('start')
    expect(answer).toMatchObject({ status: 409, body: { code: 'recording_off' } })
    expect(answer.body.message).toContain('not available for this account')
  })

  test.each([
    ['rejects the grant', { status: 401, code: 124 }, 403, 'zoom_reconnect'],
    ['requires another scope', { status: 400, code: 4711 }, 403, 'zoom_reconnect'],
    ['fails', { status: 500 }, 502, 'zoom_unavailable'],
  ])('does not sign out when Zoom %s', async (_what, kind, status, code) => {
    await meeting('/start')
    await server.control('/faults', { match: { method: 'PATCH' }, kind: 'status', times: 0, ...kind })
    expect(await control('pause')).toMatchObject({ status, body: { code } })
  })

  test('refuses a room without Zoom, and an unknown action', async () => {
    const without = await buildHost(server)
    expect(await control('start', without)).toMatchObject({ status: 409, body: { code: 'room_not_connected' } })
    expect((await control('erase')).status).toBe(422)
  })
})
