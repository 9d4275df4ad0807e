import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { Metrics } from '../lib/metrics.ts'
import { createMeeting, listRecordings, readMeeting, readRecording, readUser, trashRecording } from './calls.ts'
import { createClient, meetingPath, type ZoomClient } from './client.ts'
import { deadlineIn } from './deadline.ts'
import { plainText, toAppError, ZoomError, type ZoomFault } from './errors.ts'
import { retryAfterMs } from './response.ts'
import { ZoomTrace } from './zoom-trace.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | 'hang' | 'drop'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const USER = { id: 'u1', account_id: 'a1', email: 'ana@example.com', type: 2 }
let server: Server
let client: ZoomClient
let answers: Answer[] = []
let asked: { method: string; url: string; authorization: string | undefined }[] = []
let waits: number[] = []
let counted: ZoomFault[] = []
let lines: string[] = []

beforeAll(async () => {
  server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = createClient({
    baseUrl: `http://127.0.0.1:${port}/v2`,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    now: () => NOW,
    trace: new ZoomTrace(() => NOW),
    metrics: new Metrics(),
    errors: { note: (fault) => void counted.push(fault) },
    sleep: async (ms) => void waits.push(ms),
  })
})
afterAll(() => server.close())
beforeEach(() => {
  answers = []
  asked = []
  waits = []
  counted = []
  lines = []
})

function answer(request: IncomingMessage, response: ServerResponse) {
  asked.push({ method: request.method ?? '', url: request.url ?? '', authorization: request.headers.authorization })
  const next = answers.shift() ?? { body: USER }
  if (next === 'hang') return
  if (next === 'drop') return void request.socket.destroy()
  const { status = 200, headers = {}, body } = next
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'x-zm-trackingid': 'track-7', ...headers }).end(text)
}

const callUser = () => client.call(readUser, 'token', deadlineIn(5000))
const faultOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof ZoomError)) throw new Error(`No ZoomError but ${error}`)
  return error
}

test('each attempt waits in the queue, and a per-second limit delays the others too', async () => {
  const steps: string[] = []
  const gate = {
    acquire: async () => void steps.push(`acquire ${asked.length}`),
    pause: (ms: number | null) => void steps.push(`pause ${ms}`),
  }
  const limit = { status: 429, body: { code: 429, message: 'maximum per-second rate limit' } }
  answers = [limit, { ...limit, headers: { 'retry-after': '2' } }]
  expect(await client.call(readUser, 'token', deadlineIn(5000), gate)).toMatchObject({ id: 'u1' })
  expect(steps).toEqual(['acquire 0', 'pause null', 'acquire 1', 'pause 2000', 'acquire 2'])
})

describe('the client', () => {
  test('counts each attempt that failed, and none that succeeded', async () => {
    answers = [{ status: 503 }, 'drop', { body: USER }]
    await callUser()
    expect(counted).toEqual(['unavailable', 'unavailable'])
  })

  test('reads the fields it needs from an answer, and numbers that are text', async () => {
    answers = [{ body: { ...USER, type: '2', pmi: 3_542_471_135, jid: 'x', newest: { key: [] } } }]
    expect(await callUser()).toMatchObject({ id: 'u1', type: 2, pmi: '3542471135' })
    expect(asked).toEqual([{ method: 'GET', url: '/v2/users/me', authorization: 'Bearer token' }])
  })

  test('reads a meeting whose number is text, and skips an unreadable recording in a list', async () => {
    answers = [{ body: { id: '97763643886' } }, { body: { meetings: [{ nonsense: true }, buildRecording()] } }]
    expect(await client.call(readMeeting('97763643886'), 't', deadlineIn(5000))).toMatchObject({ id: '97763643886' })
    const list = await client.call(listRecordings('2026-10-01', '2026-10-28', null), 't', deadlineIn(5000))
    expect(list.meetings).toMatchObject([{ uuid: 'u==', id: '97763643886' }])
  })

  test.each<[string, Answer, ZoomFault]>([
    ['an expired token', { status: 401, body: { code: 124, message: 'Invalid access token.' } }, 'token'],
    [
      'an expired token with status 400',
      { status: 400, body: { code: 124, message: 'Access token is expired.' } },
      'token',
    ],
    ['a missing scope', { status: 400, body: { code: 4711, message: 'does not contain scopes:[x].' } }, 'scope'],
    ['a missing scope with status 401', { status: 401, body: { code: 4700, message: 'no scopes' } }, 'scope'],
    [
      'a missing plan',
      { status: 400, body: { code: 200, message: 'Only available for paid account: a1.' } },
      'refused',
    ],
    ['a refusal with status 200', { status: 200, body: { code: 200, message: 'No permission.' } }, 'refused'],
    ['an error code that is text', { status: 400, body: { code: '300', message: 'Validation Failed.' } }, 'invalid'],
    [
      'a meeting that is gone',
      { status: 404, body: { code: 3001, message: 'Meeting does not exist: 1.' } },
      'not_found',
    ],
    ['a deleted account', { status: 404, body: { code: 1001, message: 'User does not exist.' } }, 'refused'],
    ['a daily limit', { status: 429, body: { code: 429, message: 'maximum daily rate limit' } }, 'rate_limit'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unavailable'],
    ['a page with status 404', { status: 404, body: '<html>' }, 'unavailable'],
    ['an empty answer', { status: 200 }, 'unavailable'],
    ['an answer without a required field', { body: { id: 'u1' } }, 'unavailable'],
  ])('recognizes %s', async (_what, given, fault) => {
    answers = [given, given, given]
    expect((await faultOf(callUser())).fault).toBe(fault)
  })

  test('retries after a page instead of JSON, a Zoom error or a dropped connection', async () => {
    answers = [{ body: '<html>Sorry</html>' }, 'drop', { body: USER }]
    expect(await callUser()).toMatchObject({ id: 'u1' })
    expect(waits).toHaveLength(2)
    expect(waits[0]).toBeGreaterThanOrEqual(150)
    expect(waits[1]).toBeGreaterThanOrEqual(300)
  })

  test('gives up after three attempts', async () => {
    answers = [{ status: 503 }, { status: 502 }, { status: 500, body: '<error/>' }, { body: USER }]
    expect((await faultOf(callUser())).fault).toBe('unavailable')
    expect(asked).toHaveLength(3)
  })

  test('never creates a meeting twice', async () => {
    answers = [{ status: 503 }, { status: 201, body: { id: 1 } }]
    await faultOf(client.call(createMeeting({}), 't', deadlineIn(5000)))
    expect(asked).toHaveLength(1)
  })

  test('waits as long as a rate limit asks, and retries a refused creation', async () => {
    const limited = { status: 429, headers: { 'retry-after': '2' }, body: { code: 429, message: 'per-second' } }
    answers = [limited, { status: 201, body: { id: 1 } }]
    await client.call(createMeeting({}), 't', deadlineIn(5000))
    expect(waits).toEqual([2000])
  })

  test('does not wait until tomorrow, or longer than its deadline', async () => {
    const headers = { 'x-ratelimit-type': 'Daily-limit', 'retry-after': '2026-11-21T10:00:01Z' }
    answers = [{ status: 429, headers, body: { code: 429, message: 'enough' } }]
    await faultOf(callUser())
    answers = [{ status: 429, headers: { 'retry-after': '60' }, body: { code: 429, message: 'enough' } }]
    await faultOf(callUser())
    expect(waits).toEqual([])
  })

  test('returns by its deadline when Zoom does not answer', async () => {
    answers = ['hang']
    expect((await faultOf(client.call(readUser, 't', deadlineIn(100)))).fault).toBe('unavailable')
  })

  test('logs the tracking id that Zoom’s support asks for, and never a token', async () => {
    answers = [{ status: 400, body: { code: 300, message: 'no' } }]
    await faultOf(client.call(readUser, 'very-secret', deadlineIn(5000)))
    expect(lines.join()).toContain('track-7')
    expect(lines.join()).not.toContain('very-secret')
  })

  test('encodes a meeting UUID as Zoom requires, and names the trash action', async () => {
    answers = [{ body: buildRecording() }, { status: 204 }]
    await client.call(readRecording('/abc//d=='), 't', deadlineIn(5000))
    await client.call(trashRecording('a/b+c=='), 't', deadlineIn(5000))
    expect(asked.map(({ url }) => url)).toEqual([
      '/v2/meetings/%252Fabc%252F%252Fd%253D%253D/recordings',
      '/v2/meetings/a%2Fb%2Bc%3D%3D/recordings?action=trash',
    ])
  })
})

test.each([
  ['97763643886', '97763643886'],
  ['aDYlohsHRtCd4ii1uC2+hA==', 'aDYlohsHRtCd4ii1uC2%2BhA%3D%3D'],
  ['a/b==', 'a%2Fb%3D%3D'],
  ['/ab==', '%252Fab%253D%253D'],
  ['a//b==', 'a%252F%252Fb%253D%253D'],
  ['../users', '..%2Fusers'],
])('the meeting %s is %s in a path', (id, path) => {
  expect(meetingPath(id)).toBe(path)
})

test.each([
  ['30', 30_000],
  ['0', 0],
  ['2026-11-21T10:00:30Z', 30_000],
  ['Sat, 21 Nov 2026 10:01:00 GMT', 60_000],
  ['2026-11-21T09:00:00Z', 0],
  ['soon', null],
  ['-5', null],
  ['', null],
  [null, null],
])('Retry-After: %s means %s ms', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms)
})

test.each<[ZoomFault, string, number, string]>([
  ['token', 'zoom_reconnect', 403, 'Zoom authorization failed. Please reconnect Zoom and try again.'],
  ['scope', 'zoom_reconnect', 403, 'Zoom authorization failed. Please reconnect Zoom and try again.'],
  ['grant', 'zoom_reconnect', 403, 'Zoom authorization failed. Please reconnect Zoom and try again.'],
  ['refused', 'zoom_unavailable', 502, 'Zoom says: Not for you.'],
  ['unavailable', 'zoom_unavailable', 502, 'Zoom says: Not for you.'],
])('the error %s becomes %s with status %i', (fault, code, status, message) => {
  const error = toAppError(new ZoomError(fault, 'internal', { zoomMessage: 'Not for you.' }))
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code, status, message })
})

test("reduces Zoom's messages to one line of plain text", () => {
  expect(plainText('<b>Ana</b> left.<br>Reason:\r\n\u202eevil')).toBe('Ana left. Reason: evil')
})

function buildRecording() {
  return { uuid: 'u==', id: 97_763_643_886, start_time: '2026-10-01T12:02:13Z', duration: 42, recording_files: [] }
}
