import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { buildHost, buildMaster, call, type TestHost } from '../../test/factories/accounts.ts'
import { buildZoomHost, consent, setupWithZoom } from '../../test/zoom/emulated-zoom.ts'
import { clearOAuthResults } from '../features/zoom-accounts/clear-oauth-results.ts'
import { readMeeting, readUser, readUserSettings, updateMeeting } from './calls.ts'
import { createClient } from './client.ts'
import { deadlineIn } from './deadline.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let now = 0
let host: TestHost

const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) })
const server = await setupWithZoom({ now: () => now, log })
beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z')
  host = await buildZoomHost(server)
})

const warnings = async () =>
  (await call(server, 'GET', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })).body.data.zoom_warnings
const isInstalled = async (email: string) => {
  const { accounts } = await server.control('/state')
  return (accounts as { email: string; installed: boolean }[]).find((one) => one.email === email)?.installed
}

describe('the daily limit of a hundred meeting changes', () => {
  const rename = (to: string) =>
    server.deps.zoom.callFor(host.id, updateMeeting(host.rooms[0]?.zoom_meeting_id ?? '', { topic: to }))

  test('is counted, with a warning when it is nearly used up', async () => {
    for (let time = 0; time < 78; time++) await rename(`Room ${time}`)
    expect(await warnings()).toEqual([])
    await rename('Another')
    const [warning] = await warnings()
    expect(warning).toMatchObject({ code: 'daily_limit', message: expect.stringContaining('changed 80 times today') })
    now = Date.parse('2026-11-22T00:00:00Z')
    expect(await warnings()).toEqual([])
  })

  test('used up by another app is reported, not retried until the next day, and blocks nothing else', async () => {
    await server.control('/options', { daily_limit: 1 })
    await expect(rename('One too many')).rejects.toMatchObject({ fault: 'rate_limit' })
    expect(await warnings()).toMatchObject([{ message: expect.stringContaining('takes no more changes') }])
    await server.control('/options', { daily_limit: 100 })
    await expect(rename('Still too early')).rejects.toMatchObject({ fault: 'rate_limit' })
    const meeting = host.rooms[0]?.zoom_meeting_id ?? ''
    expect(await server.deps.zoom.callFor(host.id, readMeeting(meeting))).toMatchObject({ id: meeting })
    now += DAY
    await rename('The next day')
    expect(await server.deps.zoom.callFor(host.id, readMeeting(meeting))).toMatchObject({ topic: 'The next day' })
  })
})

test('waits out a per-second limit, longer each time, until the call succeeds', async () => {
  const token = await server.deps.zoom.tokens.accessToken(host.id)
  const waits: number[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
    now += ms
  }
  const client = createClient({
    baseUrl: server.zoom.apiUrl,
    log: server.deps.log,
    now: () => now,
    trace: server.deps.zoomTrace,
    metrics: server.deps.metrics,
    sleep,
  })
  await server.control('/accounts', { email: host.zoom_user_email, type: 1 })
  await server.control('/options', { second_limits: true })
  const ask = () => client.call(readUserSettings, token, deadlineIn(15_000))
  await ask()
  await ask()
  expect(waits).toEqual([])
  await ask() // the third in a second, which Basic accounts may not make
  await server.control('/faults', { kind: 'status', status: 429, code: 429, message: 'per-second', times: 2 })
  await ask()
  const seconds = waits.map((ms) => Math.floor(ms / 1000))
  expect(seconds).toEqual([1, 1, expect.toBeOneOf([2, 3])])
})

test('a limit applies to all hosts of one Zoom account, and to no others', async () => {
  const as = await buildMaster(server)
  const colleague = await buildHost(server)
  const stranger = await buildZoomHost(server)
  const { accounts } = await server.control('/state')
  const own = (accounts as { email: string; account_id: string }[]).find(({ email }) => email === host.zoom_user_email)
  await server.control('/accounts', { email: colleague.email, account_id: own?.account_id })
  await consent(server, colleague.email, { host_id: colleague.id, as })

  await server.control('/faults', { kind: 'status', status: 429, message: 'maximum daily rate limit' })
  const ask = ({ id }: TestHost) => server.deps.zoom.callFor(id, readUser)
  await expect(ask(host)).rejects.toMatchObject({ fault: 'rate_limit' })
  await expect(ask(colleague)).rejects.toMatchObject({ fault: 'rate_limit' })
  expect(await ask(stranger)).toMatchObject({ email: stranger.email })
  now += DAY
  expect(await ask(colleague)).toMatchObject({ email: colleague.email })
})

test('stops calling Zoom while it is down, and tries again later', async () => {
  const recordings = () => call(server, 'GET', '/recordings?fetch_live=true', { as: host })
  const hits = async () => ((await server.control('/state')).faults as { hits: number }[])[0]?.hits ?? 0
  await server.control('/faults', { match: { path: '/v2/*' }, kind: 'html', status: 502, times: 0 })
  for (let time = 0; time < 6; time++) await recordings()
  await eventually(async () => {
    const before = await hits()
    const { status, body } = await recordings()
    expect({ status, stale: body.data.stale }).toEqual({ status: 200, stale: true })
    expect(await hits()).toBe(before) // a call in flight may have retried once
  })
  await server.control('/faults', undefined, 'DELETE')
  now += MINUTE
  expect((await recordings()).body.data.stale).toBe(false)
})

test('refuses more than 30 consent URLs a minute', async () => {
  const as = await buildMaster(server)
  const query = 'email=a@example.com&return_url=http://master.localhost:3000/oauth-success'
  const url = () => call(server, 'GET', `/oauth/url?${query}`, { as })
  for (let time = 0; time < 30; time++) expect((await url()).status).toBe(200)
  expect(await url()).toMatchObject({ status: 429, body: { code: 'too_many' } })
  now += MINUTE
  expect((await url()).status).toBe(200)
})

describe('revokes an unused grant at Zoom', () => {
  test('when its host connects another Zoom account', async () => {
    const as = await buildMaster(server)
    const old = host.zoom_user_email ?? ''
    await consent(server, 'another@example.com', { host_id: host.id, as })
    expect(await isInstalled('another@example.com')).toBe(true)
    expect(await isInstalled(old)).toBe(false)
  })

  test('when its host’s form is saved with another account', async () => {
    const as = await buildMaster(server)
    const old = host.zoom_user_email ?? ''
    const end = await consent(server, 'another@example.com', { as })
    const oauth_result_id = end.searchParams.get('oauth_result')
    const body = { username: host.username, zoom_user_email: 'another@example.com', oauth_result_id }
    expect((await call(server, 'PUT', `/admin/hosts/${host.id}`, { as, body })).status).toBe(200)
    expect(await isInstalled(old)).toBe(false)
  })

  test('when it was not claimed in time, even after its access token expired', async () => {
    const as = await buildMaster(server)
    await consent(server, 'early@example.com', { as })
    now += 61 * MINUTE
    await consent(server, 'late@example.com', { as })
    now += 9 * MINUTE
    await clearOAuthResults.run(server.deps)
    expect(await isInstalled('early@example.com')).toBe(false)
    expect(await isInstalled('late@example.com')).toBe(true)
    now += 2 * MINUTE
    await clearOAuthResults.run(server.deps)
    expect(await isInstalled('late@example.com')).toBe(false)
  })

  test('once, where the same Zoom user consented several times', async () => {
    const as = await buildMaster(server)
    for (let time = 0; time < 3; time++) await consent(server, 'thrice@example.com', { as })
    now += 11 * MINUTE
    logged.length = 0
    await clearOAuthResults.run(server.deps)
    expect(await isInstalled('thrice@example.com')).toBe(false)
    expect(logged).toEqual([])
  })

  test('but not one of a host, or of a later attempt', async () => {
    const as = await buildMaster(server)
    const unconnected = await buildHost(server)
    await consent(server, unconnected.email, { as })
    await consent(server, 'twice@example.com', { as })
    now += 8 * MINUTE
    await consent(server, unconnected.email, { host_id: unconnected.id, as })
    await consent(server, 'twice@example.com', { as })
    now += 3 * MINUTE
    await clearOAuthResults.run(server.deps)
    expect(await isInstalled(unconnected.email)).toBe(true)
    expect(await isInstalled('twice@example.com')).toBe(true)
  })
})
