import { beforeEach, describe, expect, test } from 'vitest'
import { SHARED_RECORDINGS_MAX, SharedRecordingsAnswer } from '../../../shared/recordings.ts'
import {
  buildAssistant,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  readAudit,
  type SignedIn,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { buildZoomHost, listRecordings, putRecording, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

const DAY = 86_400_000
const START = '2026-11-20T18:30:00Z'
const NOW = Date.parse('2026-11-21T10:00:00Z')
let now = NOW
const server = await setupWithZoom({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
let host: TestHost
let phone: TestPhone
let id: string

beforeEach(async () => {
  now = NOW
  host = await buildZoomHost(server)
  await putRecording(server, host, START)
  id = (await listRecordings(server, host)).recordings[0]?.id ?? ''
  phone = await buildPhone(server, host, await buildRoomUser(server, host))
})

const share = (days: unknown, { of = id, as = host as SignedIn | null } = {}) =>
  call(server, 'PUT', `/host/recordings/${of}/sharing`, { as, body: { days } })
const heard = async (as: SignedIn = phone) =>
  SharedRecordingsAnswer.parse((await call(server, 'GET', '/mobile/recordings', { as })).body).data.recordings
const read = (path = '', headers = {}) => fetch(`${origin}${path}`, { headers })
const until = (days: number) => new Date(NOW + days * DAY).toISOString()
const countOfLogin = async (as: SignedIn = phone) =>
  (await call(server, 'GET', '/mobile/me', { as })).body.data.room.shared_recordings

test('no phone hears a recording that the host has not shared', async () => {
  expect([await heard(), await countOfLogin()]).toEqual([[], 0])
  expect((await listRecordings(server, host)).recordings[0]?.shared_until).toBeNull()
})

test('users hear it, and cannot save it, for as many days as the host says', async () => {
  const { status, body } = await share(7)
  expect([status, body.data]).toEqual([200, { shared_until: until(7) }])
  const [recording] = await heard()
  expect(recording).toMatchObject({ id, duration: 42, created_at: '2026-11-20T18:30:00.000Z', shared_until: until(7) })
  expect(await countOfLogin()).toBe(1)
  expect((await listRecordings(server, host)).recordings[0]?.shared_until).toBe(until(7))
  const answer = await read(recording?.play_url, { range: 'bytes=0-99' })
  expect(answer.status).toBe(206)
  expect(answer.headers.get('content-disposition')).toMatch(/^inline/)
  expect((await answer.bytes()).length).toBe(100)
  const { play_url = '' } = recording ?? {}
  expect((await read(play_url.replace('kind=listen', 'kind=download'))).status).toBe(422)
  expect((await read(play_url.replace('/mobile', '').replace('kind=listen', 'kind=download'))).status).toBe(404)

  now += 7 * DAY
  const again = { ...host, token: await openSession(server, host.id) }
  const later = await buildPhone(server, again, await buildRoomUser(server, again))
  expect([await heard(later), await countOfLogin(later)]).toEqual([[], 0])
  expect((await listRecordings(server, again)).recordings[0]?.shared_until).toBeNull()
})

describe('a link of a phone', () => {
  let play = ''
  beforeEach(async () => {
    await share(1)
    play = (await heard())[0]?.play_url ?? ''
    expect((await read(play)).status).toBe(200)
  })

  test('ends when the host stops sharing, and a host’s own link goes on', async () => {
    const { status, body } = await share(null)
    expect([status, body.data]).toEqual([200, { shared_until: null }])
    const refused = await read(play)
    expect([refused.status, await refused.json()]).toMatchObject([
      404,
      { message: 'Your host no longer shares this recording.' },
    ])
    const ofHost = (await listRecordings(server, host)).recordings[0]?.file_data.play_url ?? ''
    expect((await read(ofHost)).status).toBe(200)
  })

  test('ends with the session of the phone, and after an hour', async () => {
    await call(server, 'POST', '/mobile/logout', { as: phone })
    expect((await read(play)).status).toBe(403)
    const other = await buildPhone(server, host, await buildRoomUser(server, host))
    const [recording] = await heard(other)
    now += 3_600_000
    expect((await read(recording?.play_url)).status).toBe(403)
  })

  test('ends with the subscription, for phones that are not in the room', async () => {
    await call(server, 'POST', '/mobile/status', { as: phone, body: { left: true } })
    const subscription_end_date = new Date(now - DAY)
    await server.deps.db.updateTable('hosts').set({ subscription_end_date }).where('id', '=', host.id).execute()
    expect((await read(play)).status).toBe(403)
    const { status, body } = await call(server, 'GET', '/mobile/recordings', { as: phone })
    expect([status, body.code]).toEqual([403, 'subscription_inactive'])
  })

  test('is read in sixty parts at once, and other phones have theirs', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await read(play, { range: 'bytes=0-9' }).catch(() => null))?.status),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1) // one was read before
    const other = await buildPhone(server, host, await buildRoomUser(server, host))
    expect((await read((await heard(other))[0]?.play_url)).status).toBe(200)
  })

  test('ends when the recording goes to the trash, and does not come back with it', async () => {
    const uuid = (await listRecordings(server, host)).recordings[0]?.meeting_data.uuid ?? ''
    await call(server, 'DELETE', `/recordings/meetings/${encodeURIComponent(uuid)}/recordings`, { as: host })
    expect((await read(play)).status).toBe(404)
    expect(await heard()).toEqual([])
    await call(server, 'POST', `/recordings/meetings/${encodeURIComponent(uuid)}/recover`, { as: host })
    expect((await listRecordings(server, host)).recordings).toMatchObject([{ id, shared_until: null }])
  })
})

test('phones of another room hear nothing of it', async () => {
  await share(7)
  const other = await buildZoomHost(server)
  expect(await heard(await buildPhone(server, other, await buildRoomUser(server, other)))).toEqual([])
})

test('refuses other numbers of days, another host, a moderator and a phone', async () => {
  for (const days of [0, 31, 1.5, '7', [], {}, undefined]) {
    const { status, body } = await share(days)
    expect([days, status, body.message]).toEqual([days, 422, 'Choose a number of days from 1 to 30'])
  }
  const other = await buildZoomHost(server)
  const moderator = await buildAssistant(server, host, 'moderator')
  const statuses = [other, moderator, phone, null].map(async (as) => (await share(7, { as })).status)
  expect(await Promise.all(statuses)).toEqual([404, 403, 403, 401])
  expect((await share(7, { of: 'x' })).status).toBe(404)
  expect(await heard()).toEqual([])
})

test('a recording that Zoom has not finished cannot be shared', async () => {
  await server.deps.db.updateTable('recordings').set({ status: 'processing' }).execute()
  expect((await share(7)).status).toBe(409)
})

test('no more than so many of a room are shared; one that is shared can still be prolonged or stopped', async () => {
  for (let day = 1; day <= SHARED_RECORDINGS_MAX; day++)
    await putRecording(server, host, `2026-10-${String(day).padStart(2, '0')}T18:30:00Z`)
  const all = (await listRecordings(server, host)).recordings
  expect(all).toHaveLength(SHARED_RECORDINGS_MAX + 1)
  const answers = await Promise.all(all.map((one) => share(7, { of: one.id })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(SHARED_RECORDINGS_MAX)
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
    `Up to ${SHARED_RECORDINGS_MAX} recordings can be shared. Stop sharing another one first.`,
  )
  expect(await heard()).toHaveLength(SHARED_RECORDINGS_MAX)
  const one = (await heard())[0]?.id ?? ''
  expect((await share(30, { of: one })).status).toBe(200)
  expect((await share(null, { of: one })).status).toBe(200)
  expect(await heard()).toHaveLength(SHARED_RECORDINGS_MAX - 1)
})

test('the log says who shared it, until when, and who stopped it; a second stop says nothing', async () => {
  const manager = await buildAssistant(server, host, 'manager', 'Deputy')
  await share(7, { as: manager })
  await share(null)
  await share(null)
  const { entries: all } = await readAudit(server, host, '', '/host/audit')
  const entries = all.filter(({ action }) => /shared$/.test(action))
  expect(entries).toMatchObject([
    { action: 'recording_unshared', actor: { role: 'host' }, before: { shared_until: until(7) } },
    { action: 'recording_shared', actor: { name: 'Deputy' }, after: { shared_until: until(7) } },
  ])
})
