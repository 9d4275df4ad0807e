import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ANA, catchWebhooks, RAVI, startApp } from '../../test/zoom/connected-app.ts'

const SECRET = 'a-secret-token'
let zoom: Awaited<ReturnType<typeof startApp>>

beforeAll(async () => {
  zoom = await startApp({ webhookSecret: SECRET })
})
afterAll(() => zoom.close())

const hmac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')

/** Resets the emulator, with webhooks sent to a local address. */
async function listen(...statuses: number[]) {
  zoom.reset()
  const target = await catchWebhooks(...statuses)
  onTestFinished(() => void target.close())
  target.replyWith(({ body }) => {
    const plainToken = 'payload' in body ? Object(body.payload).plainToken : undefined
    return plainToken ? { plainToken, encryptedToken: hmac(plainToken) } : {}
  })
  const saved = await zoom.control('/webhooks/endpoint', { url: target.url })
  expect(saved.body).toEqual({ validated: true, detail: 'Validated.' })
  target.received.length = 0
  return target
}

const settle = () => zoom.control('/webhooks/settle', {})

async function createMeeting(email: string) {
  const { call } = await zoom.connect(email)
  const made = await call('POST', '/users/me/meetings', { type: 3, settings: { auto_recording: 'cloud' } })
  return { call, id: made.body.id, path: `/meetings/${made.body.id}` }
}

test.each(['compact', 'pretty', 'escaped'])('the signature covers the raw bytes, %s', async (webhook_style) => {
  const target = await listen()
  await zoom.control('/options', { webhook_style })
  const { path } = await createMeeting(ANA)
  await zoom.control(`${path}/start`, {})
  await settle()
  expect(target.received.length).toBeGreaterThan(0)
  for (const { headers, raw } of target.received) {
    const timestamp = headers['x-zm-request-timestamp']
    expect(timestamp).toMatch(/^\d{10}$/) // seconds
    expect(headers['x-zm-signature']).toBe(`v0=${hmac(`v0:${timestamp}:${raw}`)}`)
  }
})

test('sends every event of a recorded sitting, with a token that downloads its file', async () => {
  const target = await listen()
  await zoom.control('/options', { processing_ms: 0 })
  const { id, path } = await createMeeting(ANA)
  await zoom.control(`${path}/start`, {})
  await zoom.control(`${path}/participants/join`, { user_name: 'Kim', customer_key: 'user-1' })
  await zoom.control(`${path}/recording`, { action: 'pause' })
  await zoom.control(`${path}/recording`, { action: 'resume' })
  await zoom.control(`${path}/participants/leave`, { customer_key: 'user-1' })
  await zoom.control(`${path}/end`, {})
  await target.until(9)

  const bodies = Object.fromEntries(target.received.map(({ body }) => [body.event, JSON.parse(JSON.stringify(body))]))
  expect(Object.keys(bodies).toSorted()).toEqual([
    'meeting.ended',
    'meeting.participant_joined',
    'meeting.participant_left',
    'meeting.started',
    'recording.completed',
    'recording.paused',
    'recording.resumed',
    'recording.started',
    'recording.stopped',
  ])
  expect(bodies['meeting.started'].payload.object).toMatchObject({ id: String(id), type: 3, host_email: ANA })
  expect(bodies['recording.started'].payload.object).toMatchObject({ id, recording_file: { recording_end: '' } })
  expect(bodies['meeting.participant_joined'].payload.object.participant).toMatchObject({ customer_key: 'user-1' })
  expect(bodies['meeting.participant_left'].payload.object.participant.leave_reason).toContain('<br>Reason:')

  const { download_token, payload } = bodies['recording.completed']
  expect(payload.object.recording_files).toHaveLength(2) // one before the pause, one after
  const url = payload.object.recording_files[0].download_url
  expect(url).toContain('/rec/webhook_download/')
  const answer = await fetch(url, { headers: { authorization: `Bearer ${download_token}` }, redirect: 'manual' })
  expect(answer.status).toBe(302)
})

test('reports the transcript after the sound, alone and with a token of its own', async () => {
  const target = await listen()
  await createMeeting(ANA)
  await zoom.control('/accounts', { email: ANA, settings: { recording_audio_transcript: true } })
  await zoom.control('/recordings', { email: ANA, start_time: new Date().toISOString(), duration_minutes: 5 })
  await zoom.control('/recordings/finish', {})
  await settle()
  const bodies = target.received.map(({ raw }) => JSON.parse(raw))
  expect(bodies.map(({ event }) => event)).toEqual(['recording.completed', 'recording.transcript_completed'])
  const [sound, transcript] = bodies.map(({ payload }) => payload.object)
  expect(sound.recording_files).toMatchObject([{ file_type: 'M4A' }])
  expect(transcript).toMatchObject({ uuid: sound.uuid, host_id: sound.host_id, id: sound.id })
  expect(transcript.recording_files).toMatchObject([
    { file_type: 'TRANSCRIPT', file_extension: 'VTT', recording_type: 'audio_transcript', status: 'completed' },
  ])
  const [file] = transcript.recording_files
  const read = (token: string) =>
    fetch(file.download_url, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' })
  expect((await read(bodies[1].download_token)).status).toBe(302)
  expect((await read('another')).headers.get('content-type')).toContain('text/html')
})

test('sends trash, recovery and deletion with the operator', async () => {
  const target = await listen()
  const { call } = await createMeeting(ANA)
  const body = { email: ANA, start_time: new Date().toISOString(), duration_minutes: 5, notify: false }
  const { id } = (await zoom.control('/recordings', body)).body.recording
  await call('DELETE', `/meetings/${id}/recordings`)
  await call('PUT', `/meetings/${id}/recordings/status`, { action: 'recover' })
  await call('DELETE', `/meetings/${id}/recordings?action=delete`)
  await settle()
  const events = target.received.map((received) => received.body.event)
  expect(events.toSorted()).toEqual(['recording.deleted', 'recording.recovered', 'recording.trashed'])
  for (const { raw } of target.received) expect(JSON.parse(raw).payload).toMatchObject({ operator: ANA })
})

test('retries a failure after 5, 20 and 60 minutes, sped up, then gives up', async () => {
  const target = await listen(200, 500, 503, 500, 500)
  await zoom.control('/options', { webhook_time_scale: 0 })
  await zoom.connect(ANA)
  await zoom.control('/webhooks', { event: 'meeting.unknown', payload: {} })
  await target.until(4)
  await settle()
  const { deliveries } = (await zoom.control('/webhooks')).body
  expect(deliveries).toMatchObject([{ event: 'meeting.unknown', state: 'lost' }])
  expect(deliveries[0].attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    '500',
    '503',
    '500',
    '500',
  ])
})

test('does not retry after a refusal', async () => {
  await listen(200, 401)
  await zoom.control('/webhooks', { event: 'any' })
  const { deliveries } = (await settle()).body
  expect(deliveries).toMatchObject([{ state: 'refused', attempts: [{ outcome: '401' }] }])
})

test('sends app_deauthorized to a removed app, and nothing about that user afterwards', async () => {
  const target = await listen()
  const { call, path } = await createMeeting(ANA)
  await zoom.control('/deauthorize', { email: ANA })
  await settle()
  expect(JSON.parse(target.received[0]?.raw ?? '')).toMatchObject({
    event: 'app_deauthorized',
    payload: { client_id: 'parley-test', event_ts: expect.any(Number) },
  })
  expect((await call('GET', '/users/me')).status).toBe(401)
  await zoom.control(`${path}/start`, {})
  await settle()
  expect(target.received).toHaveLength(1)
})

test('sends wrong signatures, duplicates, and nothing to an unverified URL', async () => {
  const target = await listen()
  await zoom.control('/options', { webhook_signature: 'wrong', webhook_copies: 2 })
  await zoom.control('/webhooks', { event: 'any' })
  await settle()
  const [first, second] = target.received
  expect(first?.raw).toBe(second?.raw)
  expect(first?.headers['x-zm-signature']).not.toBe(
    `v0=${hmac(`v0:${first?.headers['x-zm-request-timestamp']}:${first?.raw}`)}`,
  )

  target.replyWith(() => ({ plainToken: 'x', encryptedToken: 'y' }))
  const saved = await zoom.control('/webhooks/endpoint', { url: target.url })
  expect(saved.body).toMatchObject({ validated: false })
})

test('sends nothing without a secret', async () => {
  const target = await catchWebhooks()
  onTestFinished(() => void target.close())
  const silent = await startApp({ webhookUrl: target.url })
  await silent.connect(RAVI)
  await silent.control('/webhooks', { event: 'any' })
  expect((await silent.control('/webhooks/settle', {})).body.deliveries).toEqual([])
  await silent.close()
  expect(target.received).toEqual([])
})
