import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ANA, BEA, RAVI, startApp } from '../../test/zoom/connected-app.ts'

let zoom: Awaited<ReturnType<typeof startApp>>

beforeAll(async () => {
  const started = Date.now()
  zoom = await startApp({ now: () => started }) // the clock only advances when the test moves it
})
beforeEach(() => zoom.reset())
afterAll(() => zoom.close())

const room = {
  topic: 'Study circle',
  type: 3,
  settings: { audio: 'voip', mute_upon_entry: true, auto_recording: 'cloud' },
}

test('creates, reads, changes and deletes a meeting', async () => {
  const { call } = await zoom.connect(ANA)
  const made = await call('POST', '/users/me/meetings', room)
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ type: 3, status: 'waiting', host_email: ANA, settings: room.settings })
  expect(made.body).not.toHaveProperty('start_time')
  expect(made.body.password).toMatch(/^\d{6}$/)
  expect(String(made.body.id)).toHaveLength(11)

  const path = `/meetings/${made.body.id}`
  expect((await call('PATCH', path, { topic: 'Renamed', settings: { auto_recording: 'none' } })).status).toBe(204)
  expect((await call('GET', path)).body).toMatchObject({
    topic: 'Renamed',
    settings: { audio: 'voip', auto_recording: 'none' },
  })

  expect((await call('DELETE', path)).status).toBe(204)
  expect(await call('GET', path)).toMatchObject({
    status: 404,
    body: { code: 3001, message: `Meeting does not exist: ${made.body.id}.` },
  })
})

test('drops silently what the plan or the portal forbids', async () => {
  const basic = await zoom.connect(BEA)
  const made = await basic.call('POST', '/users/me/meetings', room)
  expect(made).toMatchObject({ status: 201, body: { settings: { auto_recording: 'none', audio: 'voip' } } })

  await zoom.control('/accounts', { email: ANA, settings: { locked: { waiting_room: true } } })
  const { call } = await zoom.connect(ANA)
  const settings = { disable_participant_video: true, waiting_room: false, breakout_room: { enable: true } }
  expect((await call('POST', '/users/me/meetings', { type: 3, settings })).body.settings).toMatchObject({
    disable_participant_video: false,
    waiting_room: true,
    breakout_room: { enable: false },
  })
})

test('names a bad field, and refuses bad JSON', async () => {
  const { call, access_token } = await zoom.connect(ANA)
  const body = { type: 3, duration: 0, settings: { audio: 'radio' } }
  expect(await call('POST', '/users/me/meetings', body)).toMatchObject({
    status: 400,
    body: { code: 300, message: 'Validation Failed.', errors: [{ field: 'duration' }, { field: 'settings.audio' }] },
  })
  const broken = await fetch(`${zoom.apiUrl}/users/me/meetings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: '{',
  })
  expect(broken.status).toBe(400)
  expect(await broken.json()).toEqual({ code: 300, message: 'Request Body should be a valid JSON object.' })
})

test('creates and updates share a daily limit', async () => {
  await zoom.control('/options', { daily_limit: 2 })
  const { call } = await zoom.connect(ANA)
  const { id } = (await call('POST', '/users/me/meetings', room)).body
  await call('PATCH', `/meetings/${id}`, { topic: 'Again' })
  const over = await call('PATCH', `/meetings/${id}`, { topic: 'Once more' })
  expect(over).toMatchObject({ status: 429, body: { code: 429 } })
  expect(over.headers.get('retry-after')).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)

  await zoom.control('/clock', { advance_seconds: 24 * 3600 })
  const tomorrow = await zoom.connect(ANA)
  expect((await tomorrow.call('PATCH', `/meetings/${id}`, { topic: 'Tomorrow' })).status).toBe(204)
})

test('limits an account’s calls of a class per second, over all its users', async () => {
  const ana = await zoom.connect(ANA)
  const ravi = await zoom.connect(RAVI)
  const { account_id } = (await ana.call('GET', '/users/me')).body
  await zoom.control('/accounts', { email: BEA, account_id })
  const bea = await zoom.connect(BEA)
  await zoom.control('/options', { second_limits: true })
  for (let time = 0; time < 4; time++) expect((await ana.call('GET', '/users/me')).status).toBe(200)

  const over = await bea.call('GET', '/users/me') // four calls a second on the Basic plan
  const message = 'You have reached the maximum per-second rate limit for this API. Try again later.'
  expect(over).toMatchObject({ status: 429, body: { code: 429, message } })
  const said = ['category', 'type', 'limit', 'remaining'].map((name) => over.headers.get(`x-ratelimit-${name}`))
  expect([...said, over.headers.get('retry-after')]).toEqual(['Light', 'QPS', '4', '0', null])
  expect((await bea.call('GET', '/users/me/settings')).status).toBe(200) // a different rate-limit class
  expect((await ravi.call('GET', '/users/me')).status).toBe(200)
  await zoom.control('/clock', { advance_seconds: 1 })
  expect((await bea.call('GET', '/users/me')).status).toBe(200)
})

test('the personal meeting cannot be deleted, nor read by another host', async () => {
  const ana = await zoom.connect(ANA)
  const { pmi } = (await ana.call('GET', '/users/me')).body
  expect((await ana.call('GET', `/meetings/${pmi}`)).body).toMatchObject({ type: 4, pmi: String(pmi) })
  expect(await ana.call('DELETE', `/meetings/${pmi}`)).toMatchObject({ status: 400, body: { code: 3018 } })

  const ravi = await zoom.connect(RAVI)
  expect(await ravi.call('GET', `/meetings/${pmi}`)).toMatchObject({ status: 404, body: { code: 3001 } })
})

test('each start is a new sitting, and a guest token is issued whether or not the host has joined', async () => {
  const { call } = await zoom.connect(ANA)
  const made = (await call('POST', '/users/me/meetings', room)).body
  const path = `/meetings/${made.id}`
  const obf = () => call('GET', `/users/me/token?type=onbehalf&meeting_id=${made.id}`)
  const record = (method: string) => call('PATCH', `/live_meetings/${made.id}/events`, { method })

  expect((await obf()).body.token).toBeTruthy()
  expect(await record('recording.start')).toMatchObject({ status: 404, body: { code: 3001 } })

  await zoom.control(`${path}/start`, {})
  const started = (await call('GET', path)).body
  expect(started.status).toBe('started')
  expect(started.uuid).not.toBe(made.uuid)
  expect((await record('recording.pause')).status).toBe(202)

  await zoom.control(`${path}/participants/leave`, { host: true })
  expect((await obf()).status).toBe(200)

  await zoom.control(`${path}/end`, {})
  expect((await call('GET', path)).body.status).toBe('waiting')
})

test('refuses the retired token type, and issues a ZAK', async () => {
  const { call } = await zoom.connect(ANA)
  expect((await call('GET', '/users/me/token')).status).toBe(400)
  expect((await call('GET', '/users/me/token?type=zak')).body.token).toBeTruthy()
})
