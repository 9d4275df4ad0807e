import { beforeEach, expect, test } from 'vitest'
import type { ZoomBehaviour } from '../../../emulator/state/options.ts'
import { SeatTicket } from '../../../shared/seat.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { TestSeat } from '../../../test/factories/seat.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed, zoomIdsOf } from '../../../test/zoom/webhooks.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setupWithZoom({
  now: () => now,
  config: { HOST_SEAT: true, ZOOM_SDK_KEY: 'sdk-key', ZOOM_SDK_SECRET: 'sdk-secret' },
  sdk: { sdkKey: 'sdk-key', sdkSecret: 'sdk-secret' },
})

let master: SignedIn & { id: string; email: string }
let host: TestHost
let phone: SignedIn & { id: string }
beforeEach(async () => {
  now += 3_600_000
  master = await buildMaster(server)
  host = await buildZoomHost(server)
  phone = await buildPhone(server, host, await buildRoomUser(server, host, { username: 'anita' }))
})

const meetingNumber = () => String(host.rooms[0]?.zoom_meeting_id)
const meeting = (what: string, body: object = {}) => server.control(`/meetings/${meetingNumber()}${what}`, body)
const ask = (as?: SignedIn) => call(server, 'GET', '/admin/field-report', as ? { as } : {})
async function report(): Promise<string> {
  const { status, body } = await ask(master)
  expect(status).toBe(200)
  expect(body.data.file_name).toMatch(/^parley-server-2026-\d\d-\d\dT\d{4}\.txt$/)
  return body.data.text
}

test('shows calls, events, tickets and refusals, and nothing that names anybody', async () => {
  await receiveWebhooks(server)
  await meeting('/start')
  await webhooksProcessed(server)
  await call(server, 'POST', '/mobile/join-ticket', { as: phone }) // of another account: the host is not in it
  await call(server, 'POST', '/mobile/status', { as: phone, body: { audio: 'refused', zoom_code: 3008 } })
  await server.control('/faults', { kind: 'status', status: 500, times: 1 })
  await call(server, 'POST', '/mobile/join-ticket', { as: phone })

  const text = await report()
  expect(text).toMatch(/^Field report of a Parley server\n=+\nMade on 2026-11-21 \d\d:00:00 UTC\./)
  expect(text).toMatch(/^Parley \d+\.\d+\.\d+/m)
  expect(text).toContain('Meeting SDK for Web 6.2.0')
  expect(text).toMatch(/^POST \/users\/me\/meetings: \d+ times, 0 failed, \d+ ms at most$/m)
  expect(text).toMatch(/UTC {2}meeting\.started: -?\d+ ms after Zoom's time, handled at attempt 1$/m)
  expect(text).toMatch(/UTC {2}ticket for a guest: host_not_present, \d+ ms$/m)
  expect(text).toMatch(/UTC {2}Zoom refused a phone \(android\): code 3008$/m)
  expect(text).toMatch(/^room 1: /m)

  await expectNobody(text)
})

/** No name, token, number or passcode of anybody is in the report. */
async function expectNobody(text: string): Promise<void> {
  const { account_id, host_id: zoom_user_id } = await zoomIdsOf(server, host)
  const { body } = await call(server, 'GET', '/host/room', { as: host })
  const secrets = [
    ...['anita', host.username, master.email, host.id, phone.id, phone.token, master.token, account_id, zoom_user_id],
    ...[meetingNumber(), body.data.room.password, body.data.room.room_id, body.data.room.room_name, 'sdk-secret'],
  ]
  for (const secret of secrets) expect(text).not.toContain(secret)
}

test.each([
  { fault: { kind: 'status', status: 500 }, line: 'unavailable, status 500, code 500' },
  { fault: { kind: 'status', status: 401, code: 124 }, line: 'token, status 401, code 124' },
  { fault: { kind: 'status', status: 429 }, line: 'rate_limit, status 429, code 429' },
  { fault: { kind: 'drop' }, line: 'unavailable, status none, code none' },
  { fault: { kind: 'html' }, line: 'unavailable, status 200, code none' },
  { fault: { kind: 'html', status: 502 }, line: 'unavailable, status 502, code none' },
  { fault: { kind: 'xml', status: 503 }, line: 'unavailable, status 503, code none' },
  { fault: { kind: 'slow', delay_ms: 1 }, line: 'ok' },
])('names the failure of a call to Zoom under the fault $fault, and nobody', async ({ fault, line }) => {
  await meeting('/start')
  await server.control('/faults', { match: { path: '/v2/users/me/token' }, message: 'Ask anita', ...fault })
  await call(server, 'POST', '/host/seat', { as: host, body: { seat_id: crypto.randomUUID(), as: 'host' } })
  const text = await report()
  const hour = new Date(now).toISOString().slice(0, 13).replace('T', ' ')
  const calls = text.split('\n').filter((one) => one.startsWith(hour) && one.includes('  GET /users/me/token: '))
  const outcomes = calls.map((one) => one.replace(/^.*token: /, '').replace(/, \d+ ms$/, ''))
  expect(outcomes[0]).toBe(line) // and then, once more, without the fault
  expect(text).not.toContain('Ask anita')
  await expectNobody(text)
})

/** Takes the seat beside the host's own app, joins as its page does, reports what came of that, and leaves. */
async function sitBesideHost(): Promise<void> {
  await meeting('/start')
  await meeting('/participants/join', { host: true })
  const seat = new TestSeat(server, host)
  const sdk = `${new URL(server.zoom.apiUrl).origin}/sdk`
  const { status, body } = await seat.take()
  expect(status).toBe(200)
  const { signature, meeting_number, passcode, user_name, customer_key, zak } = SeatTicket.parse(body.data.ticket)
  const answer = await fetch(`${sdk}/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signature, meeting_number, passcode, user_name, customer_key, zak }),
  })
  const { code, token } = await answer.json()
  if (code !== undefined) return void (await seat.release({ zoom_code: code }))
  await seat.report({ state: { connection: 'joining', powers: 'none' } })
  await seat.report({ full: true })
  await seat.report() // nothing new
  await fetch(`${sdk}/leave`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  await seat.release()
}

const SAT = [
  'ticket for a seat as host: given',
  'seat: joining, powers none, code none',
  'seat: in, powers host, code none',
  'seat: ended, powers host, code none',
]
const REFUSED = ['ticket for a seat as host: given', 'seat: ended, powers none, code 4008']

test.each<[Partial<ZoomBehaviour>, string[]]>([
  [{}, SAT],
  [{ host_twice: 'both' }, SAT],
  [{ host_twice: 'transfer' }, SAT],
  [{ host_twice: 'refuse' }, REFUSED],
  [{ host_left: 'cohost' }, SAT],
  [{ host_left: 'nobody' }, SAT],
  [{ host_left: 'guest' }, SAT],
  [{ coop: true }, SAT],
  [{ grace: true }, SAT],
  [{ app_answers: false }, SAT],
  [{ app_account: 'another' }, SAT],
  [{ access_token_seconds: 1 }, SAT],
  [{ second_limits: false }, SAT],
  [{ daily_limit: 0 }, SAT],
  [{ sdk_dead_ms: 1 }, SAT],
  [{ webhook_hold: true }, SAT],
  [{ webhook_copies: 3 }, SAT],
  [{ webhook_style: 'escaped' }, SAT],
  [{ webhook_signature: 'wrong' }, SAT],
  [{ webhook_signature: 'old' }, SAT],
])('says what became of a seat where Zoom behaves as %j, and names nobody', async (behaviour, lines) => {
  await receiveWebhooks(server)
  await server.control('/options', behaviour)
  await sitBesideHost()
  const text = await report()
  const seats = text.split('\n').filter((one) => / {2}(ticket for a seat|seat:)/.test(one))
  expect(seats.slice(-lines.length).map((one) => one.replace(/^.*UTC {2}/, '').replace(/, \d+ ms$/, ''))).toEqual(lines)
  await expectNobody(text)
})

test('says why a seat got no ticket', async () => {
  await server.control('/options', { app_answers: false })
  expect((await new TestSeat(server, host).take({ as: 'guest' })).status).toBe(409)
  expect(await report()).toMatch(/UTC {2}ticket for a seat as guest: conflict, \d+ ms$/m)
})

test('has no more of one seat than its share, whatever its console reports', async () => {
  const seat = new TestSeat(server, host)
  await seat.take()
  for (let at = 0; at < 60; at++) {
    now += 250
    expect((await seat.report({ state: { zoom_code: at } })).status).toBe(200)
  }
  const hour = new Date(now).toISOString().slice(0, 13).replace('T', ' ')
  const ofSeat = (await report()).split('\n').filter((one) => one.startsWith(hour) && one.includes('UTC  seat: '))
  expect(ofSeat.length).toBeGreaterThanOrEqual(30)
  expect(ofSeat.length).toBeLessThanOrEqual(32)
  for (const zoom_code of [-1, 0.5, 1e9, 'anita'])
    expect((await seat.report({ state: { zoom_code: zoom_code as number } })).status).toBe(422)
})

test('is bounded: the newest entries remain', async () => {
  for (let count = 0; count < 2_000; count++)
    server.deps.zoomTrace.noteCall({ method: 'GET', path: `/meetings/${count}`, ms: count })
  const text = await report()
  expect(text).toContain('GET /meetings/:id: ok, 1999 ms')
  expect(text).not.toContain('GET /meetings/:id: ok, 1500 ms')
  expect(text.length).toBeLessThan(60_000)
})

test('leaves the ids of paths out, however they look', async () => {
  for (const path of ['/meetings/a%2Fb%3D%3D/recordings', '/users/ana@example.org', '/past_meetings/xYz=='])
    server.deps.zoomTrace.noteCall({ method: 'GET', path, ms: 1 })
  const text = await report()
  expect(text).toContain('GET /meetings/:id/recordings: ok')
  expect(text).toContain('GET /users/:id: ok')
  expect(text).toContain('GET /past_meetings/:id: ok')
})

test('masters alone get it, twelve times a minute', async () => {
  expect((await ask()).status).toBe(401)
  expect((await ask(host)).status).toBe(403)
  expect((await ask(await buildHost(server))).status).toBe(403)
  expect((await ask(phone)).status).toBe(403)
  for (let count = 0; count < 12; count++) expect((await ask(master)).status).toBe(200)
  expect(await ask(master)).toMatchObject({ status: 429, body: { code: 'too_many' } })
})
