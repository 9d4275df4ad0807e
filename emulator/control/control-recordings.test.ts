import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ANA, catchWebhooks, startApp } from '../../test/zoom/connected-app.ts'

const SECRET = 'a-secret-token'
let zoom: Awaited<ReturnType<typeof startApp>>

beforeAll(async () => {
  zoom = await startApp({ webhookSecret: SECRET })
})
afterAll(() => zoom.close())

/** Resets the emulator, with Ana's app connected and webhooks sent to a local address. */
async function listen() {
  zoom.reset()
  const target = await catchWebhooks()
  onTestFinished(() => void target.close())
  target.replyWith(({ body }) => {
    const plainToken = 'payload' in body ? Object(body.payload).plainToken : undefined
    return plainToken
      ? { plainToken, encryptedToken: createHmac('sha256', SECRET).update(plainToken).digest('hex') }
      : {}
  })
  await zoom.control('/webhooks/endpoint', { url: target.url })
  const { call } = await zoom.connect(ANA)
  const made = await call('POST', '/users/me/meetings', { type: 3 })
  target.received.length = 0
  const received = async () => {
    await zoom.control('/webhooks/settle', {})
    return target.received.splice(0).map(({ raw }) => JSON.parse(raw))
  }
  return { call, path: `/meetings/${made.body.id}`, received }
}

async function addRecording(start_time: string) {
  const { body } = await zoom.control('/recordings', { email: ANA, start_time, duration_minutes: 5, notify: false })
  return body.recording.uuid as string
}

test('sends one event for a batch of recordings', async () => {
  const { call, received } = await listen()
  const today = new Date().toISOString().slice(0, 10)
  const [one, two] = [await addRecording(`${today}T01:00:00Z`), await addRecording(`${today}T02:00:00Z`)]
  const listed = async () => (await call('GET', '/users/me/recordings')).body.meetings.length

  await zoom.control('/recordings/batch', { email: ANA, action: 'trash', uuids: [one, two] })
  expect(await received()).toMatchObject([
    {
      event: 'recording.batch_trashed',
      payload: { operator: ANA, operation: 'trash_user_recordings', object: { meeting_uuids: [one, two] } },
    },
  ])
  expect(await listed()).toBe(0)

  await zoom.control('/recordings/batch', { email: ANA, action: 'recover', uuids: [one] })
  expect(await received()).toMatchObject([
    {
      event: 'recording.batch_recovered',
      payload: { object: { meetings: [{ meeting_uuid: one, recording_file_ids: [expect.any(String)] }] } },
    },
  ])
  expect(await listed()).toBe(1)

  await zoom.control('/recordings/batch', { email: ANA, action: 'delete' })
  expect(await received()).toMatchObject([{ event: 'recording.batch_deleted' }])
  expect(await listed()).toBe(0)
})

test('sends a new topic in both forms that Zoom documents', async () => {
  const { received } = await listen()
  const uuid = await addRecording('2026-11-20T01:00:00Z')
  await zoom.control('/recordings/rename', { email: ANA, uuid, topic: 'New' })
  await zoom.control('/recordings/rename', { email: ANA, uuid, topic: 'Newer', form: 'schema' })
  expect(await received()).toMatchObject([
    { event: 'recording.renamed', payload: { object: { uuid }, recording_file: { uuid, topic: 'New' } } },
    { payload: { object: { topic: 'Newer' }, old_object: { topic: 'New' } } },
  ])
})

test('sends an event when the storage fills up', async () => {
  const { received } = await listen()
  await zoom.control('/storage', { email: ANA, used_percentage: 93 })
  expect(await received()).toMatchObject([
    { event: 'recording.cloud_storage_usage_updated', payload: { object: { storage_used_percentage: 93 } } },
  ])
})

test('delivers held events on release, in the order requested', async () => {
  const { path, received } = await listen()
  await zoom.control('/options', { webhook_hold: true })
  await zoom.control(`${path}/start`, {})
  await zoom.control(`${path}/participants/join`, { customer_key: 'one' })
  await zoom.control(`${path}/end`, {})
  expect(await received()).toEqual([])
  await zoom.control('/webhooks/release', { order: 'reversed' })
  const events = (await received()).map(({ event }: { event: string }) => event)
  expect(events).toEqual(['meeting.ended', 'meeting.participant_joined', 'meeting.started'])
  await zoom.control('/webhooks/release', {})
  expect(await received()).toEqual([])
})

test('does not count a participant in the waiting room as joined', async () => {
  const { path, received } = await listen()
  await zoom.control(`${path}/start`, {})
  await zoom.control(`${path}/participants/join`, { customer_key: 'one', waiting_room: true })
  expect((await received()).map(({ event }: { event: string }) => event).sort()).toEqual([
    'meeting.participant_joined_waiting_room',
    'meeting.started',
  ])
})

test("sends the user's choice on data retention when the app is removed", async () => {
  const { received } = await listen()
  await zoom.control('/deauthorize', { email: ANA, user_data_retention: 'false' })
  expect(await received()).toMatchObject([{ event: 'app_deauthorized', payload: { user_data_retention: 'false' } }])
})
