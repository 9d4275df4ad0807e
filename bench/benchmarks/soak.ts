import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { PASSWORD } from '../../shared/examples.ts'
import { http } from '../../test/servers/server-process.ts'
import { webhookHeaders } from '../../test/zoom/webhook-headers.ts'
import { type Benchmark, formatMs, type GoalResult, goalUnder } from '../benchmark.ts'
import { bringOnline, type Fixture } from '../fixtures.ts'
import { measureWaits, requestText, statusCall, type WaitTimes } from '../load.ts'
import { residentMb } from '../process-stats.ts'
import { median } from '../statistics.ts'
import { openPhones, openStreams } from '../streams.ts'

const PHONES = 500
const CONSOLES = 50
const STREAMS_PER_SESSION = 5
const MUTE_ALL_INTERVAL_MS = 30_000
const WEBHOOK_INTERVAL_MS = 500
const SAMPLE_MS = 5_000

/** BENCH_MINUTES=5 shortens the run. */
const SOAK_MS = Number(process.env.BENCH_MINUTES ?? 30) * 60_000
/** Memory may grow until then, as code is compiled and caches fill. */
const WARM_UP_MS = Math.min(SOAK_MS * 0.3, 5 * 60_000)
const MB_PER_MINUTE = 1
/** The p99 of the last third may be twice that of the first, or this much if the first is close to zero. */
const P99_MS = 15
const MORE_FILES = 5
const SECRET = 'webhook-secret'
/** A heap limit far below the default of Node.js. */
const ENV = { NODE_OPTIONS: '--max-old-space-size=256', ZOOM_WEBHOOK_SECRET: SECRET }

/** Simulates half an hour of an ordinary day, after which nothing may have grown or slowed down. */
export const soak: Benchmark = {
  name: 'soak',
  onlyWhenNamed: true,
  roomSizes: [PHONES],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      await bringOnline(fixture, fixture.room(PHONES))
      await openPhones(fixture, PHONES)
      await openConsoles(fixture)
      const sampling = takeSamples(fixture.product.pid)
      const others = Promise.all([
        send(fixture, polls(fixture), CONSOLES * 2, SOAK_MS),
        send(fixture, mutes(fixture), 1, SOAK_MS),
        every(MUTE_ALL_INTERVAL_MS, (round) => muteAll(fixture, round)),
        every(WEBHOOK_INTERVAL_MS, (round) => sendWebhook(fixture, round)),
      ])
      const thirds: WaitTimes[] = []
      for (let third = 0; third < 3; third++)
        thirds.push(await send(fixture, statusCalls(fixture), PHONES / 10, SOAK_MS / 3))
      const refused = [...thirds, ...(await others)].reduce((all, one) => all + one.refused, 0)
      return outcomes(await sampling, thirds, refused)
    }, ENV),
}

async function openConsoles(fixture: Fixture): Promise<void> {
  const { room_id, username } = fixture.room(PHONES)
  const tokens: string[] = []
  while (tokens.length < CONSOLES) {
    const login = await http(fixture.product, 'POST', '/auth/host/login', { body: { username, password: PASSWORD } })
    tokens.push(...Array.from({ length: STREAMS_PER_SESSION }, () => login.body.data.token))
  }
  await openStreams(fixture, room_id, tokens)
}

function send({ product: { port } }: Fixture, requests: string[], perSecond: number, ms: number): Promise<WaitTimes> {
  return measureWaits({ port, requests, perSecond, connections: Math.min(CONSOLES, perSecond * 5), ms })
}

/** Builds heartbeats, and for every tenth phone its user's actions. */
function statusCalls({ product: { port }, room }: Fixture): string[] {
  return [true, false].flatMap((isSpeaking) =>
    room(PHONES).phones.map(({ token }, index) =>
      statusCall(port, token, index % 10 === 0 ? { speaker_on: isSpeaking, is_speaking: isSpeaking } : {}),
    ),
  )
}

function polls({ product: { port }, room }: Fixture): string[] {
  const headers = { 'accept-encoding': 'gzip' }
  return [requestText('GET', '/api/host/online-users', { port, token: room(PHONES).token, headers })]
}

function mutes({ product: { port }, room }: Fixture): string[] {
  const { phones, token } = room(PHONES)
  const paths = phones.flatMap(({ id }) => ['mute', 'unmute'].map((action) => `/api/host/users/${id}/${action}`))
  return paths.map((path) => requestText('POST', path, { port, token, body: {} }))
}

async function every(ms: number, call: (round: number) => Promise<Response>): Promise<{ refused: number }> {
  const began = performance.now()
  let refused = 0
  for (let round = 0; performance.now() - began < SOAK_MS; round++) {
    if (!(await call(round)).ok) refused++
    await delay(Math.max(0, began + (round + 1) * ms - performance.now()))
  }
  return { refused }
}

function muteAll({ product: { port }, room }: Fixture, round: number): Promise<Response> {
  const action = round % 2 === 0 ? 'mute' : 'unmute'
  const headers = { authorization: `Bearer ${room(PHONES).token}`, 'idempotency-key': randomUUID() }
  return fetch(`http://127.0.0.1:${port}/api/host/trigger-bulk-mute/${action}`, { method: 'POST', headers })
}

function sendWebhook({ product: { port }, room }: Fixture, round: number): Promise<Response> {
  const { phones } = room(PHONES)
  const participant = { customer_key: phones[round % PHONES]?.id, participant_uuid: `P${round % PHONES}` }
  const event = `meeting.participant_${Math.floor(round / PHONES) % 2 === 0 ? 'joined' : 'left'}`
  const object = { id: '81234567890', uuid: 'soak==', host_id: 'a host', participant }
  const body = JSON.stringify({ event, event_ts: Date.now(), payload: { account_id: 'an account', object } })
  const headers = webhookHeaders(body, SECRET, Date.now())
  return fetch(`http://127.0.0.1:${port}/api/zoom/webhooks`, { method: 'POST', headers, body })
}

interface Sample {
  mb: number
  files: number
}

/** Samples from the end of the warm-up until shortly before the end. */
async function takeSamples(pid: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const began = performance.now()
  await delay(WARM_UP_MS)
  while (performance.now() - began < SOAK_MS - SAMPLE_MS) {
    samples.push({ mb: residentMb(pid), files: readdirSync(`/proc/${pid}/fd`).length })
    await delay(SAMPLE_MS)
  }
  return samples
}

/** Returns the growth from the middle of the first half to the middle of the second. */
function mbPerMinute(samples: Sample[]): number {
  const half = Math.floor(samples.length / 2)
  const medianOf = (part: Sample[]) => median(part.map(({ mb }) => mb))
  const minutes = (samples.length / 2) * (SAMPLE_MS / 60_000)
  return (medianOf(samples.slice(half)) - medianOf(samples.slice(0, half))) / minutes
}

function outcomes(samples: Sample[], thirds: WaitTimes[], refused: number): GoalResult[] {
  const [first, last] = [samples.at(0), samples.at(-1)]
  const [early, late] = [thirds.at(0)?.p99 ?? Number.NaN, thirds.at(-1)?.p99 ?? Number.NaN]
  const path = `${SOAK_MS / 60_000} min, ${PHONES} phones, ${CONSOLES} consoles: memory`
  const growth = (mb: number) => `${mb.toFixed(2)} MB/min`
  const more = (last?.files ?? Number.NaN) - (first?.files ?? 0)
  const count = (value: number) => String(value)
  return [
    goalUnder(path, mbPerMinute(samples), MB_PER_MINUTE, growth, {
      limit: '256 MB heap',
      note: `${first?.mb.toFixed(0)} MB resident after the warm-up, at the end ${last?.mb.toFixed(0)} MB`,
    }),
    goalUnder('status calls, p99 of the last third', late, Math.max(early * 2, P99_MS), formatMs, {
      limit: `${formatMs(early)} at first`,
    }),
    goalUnder('more open files at the end', more, MORE_FILES + 1, count),
    goalUnder('refused calls', refused, 1, count),
  ]
}
