import { createHmac, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { http } from '../test/server-process.ts'
import { Connection, requestText } from './connection.ts'
import { Waits } from './load-rate.ts'
import { bringOnline } from './rates.ts'
import { inMs, type Outcome, type Row } from './row.ts'
import type { Stage } from './stage.ts'
import { openPhones } from './streams.ts'
import { PASSWORD } from './world.ts'

const PHONES = 500
const CONSOLES = 50
const STREAMS_A_SESSION = 5
/** Each console twice a second, each phone once in ten seconds. */
const POLLS_A_SECOND = CONSOLES * 2
const STATUS_A_SECOND = PHONES / 10
const MUTES_A_SECOND = 1
const MUTE_ALL_EVERY_MS = 30_000
const WEBHOOK_EVERY_MS = 500
const SAMPLE_MS = 5_000

/** BENCH_MINUTES=5 for a shorter one. */
const SOAK_MS = Number(process.env.BENCH_MINUTES ?? 30) * 60_000
/** Until then memory may grow: code is compiled, and caches fill. */
const WARM_UP_MS = Math.min(SOAK_MS * 0.3, 5 * 60_000)
const MB_A_MINUTE = 1
/** What a room may take beyond the first third's p99: as much again, or this where that is next to nothing. */
const P99_MS = 15
const MORE_FILES = 5
const SECRET = 'webhook-secret'
/** Far less than Node.js would take by itself. */
const HEAP = { NODE_OPTIONS: '--max-old-space-size=256', ZOOM_WEBHOOK_SECRET: SECRET }

/** Half an hour of an ordinary day, after which nothing has grown or become slower. */
export const soakRow: Row = {
  name: 'soak',
  onlyWhenAsked: true,
  rooms: [PHONES],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      await bringOnline(stage, stage.room(PHONES))
      await openPhones(stage, PHONES)
      await openConsoles(stage)
      const watching = watch(stage.product.child.pid ?? 0)
      const others = [paced(stage, polls(stage), POLLS_A_SECOND), paced(stage, mutes(stage), MUTES_A_SECOND)]
      const ticking = [every(MUTE_ALL_EVERY_MS, muteAll(stage)), every(WEBHOOK_EVERY_MS, webhooks(stage))]
      const thirds: z.infer<typeof Waits>[] = []
      for (let third = 0; third < 3; third++) thirds.push(await statusCalls(stage))
      const refused = await Promise.all([...others.map(async (one) => (await one).refused ?? 0), ...ticking])
      const samples = await watching
      return outcomes(samples, thirds, sum([...refused, ...thirds.map((third) => third.refused ?? 0)]))
    }, HEAP),
}

async function openConsoles({ load, product: { port }, room }: Stage): Promise<void> {
  const { room_id, username } = room(PHONES)
  const tokens: string[] = []
  while (tokens.length < CONSOLES) {
    const { body } = await http({ port }, 'POST', '/auth/host/login', { body: { username, password: PASSWORD } })
    tokens.push(...Array.from({ length: STREAMS_A_SESSION }, () => body.data.token))
  }
  const asked = { name: 'consoles', port, room_id, tokens, isOfPhones: false }
  await load.call(z.boolean(), 'openStreams', asked)
}

/** Heartbeats, and of each tenth phone what it does. */
function statusCalls({ load, product: { port }, room }: Stage) {
  const requests = [true, false].flatMap((isSpeaking) =>
    room(PHONES).phones.map(({ token }, place) => {
      const body = place % 10 === 0 ? { speaker_on: isSpeaking, is_speaking: isSpeaking } : {}
      return requestText('POST', '/api/mobile/status', { port, token, body })
    }),
  )
  const asked = { port, requests, perSecond: STATUS_A_SECOND, connections: 50, ms: SOAK_MS / 3 }
  return load.call(Waits, 'measureWaits', asked)
}

const polls = ({ product: { port }, room }: Stage) => [
  requestText('GET', '/api/host/online-users', {
    port,
    token: room(PHONES).token,
    headers: { 'accept-encoding': 'gzip' },
  }),
]

const mutes = ({ product: { port }, room }: Stage) =>
  room(PHONES).phones.flatMap(({ id }) =>
    ['mute', 'unmute'].map((action) =>
      requestText('POST', `/api/host/users/${id}/${action}`, { port, token: room(PHONES).token, body: {} }),
    ),
  )

function paced({ onlooker, product: { port } }: Stage, requests: string[], perSecond: number) {
  const connections = Math.min(CONSOLES, perSecond * 5)
  return onlooker.call(Waits, 'measureWaits', { port, requests, perSecond, connections, ms: SOAK_MS })
}

/** How many were refused. */
async function every(ms: number, ask: (round: number) => Promise<number>): Promise<number> {
  const began = performance.now()
  let refused = 0
  for (let round = 0; performance.now() - began < SOAK_MS; round++) {
    if ((await ask(round)) !== 200) refused++
    await delay(Math.max(0, began + (round + 1) * ms - performance.now()))
  }
  return refused
}

const askOnce = async (port: number, request: string) => {
  const connection = new Connection(port)
  const { status } = await connection.ask(request)
  connection.close()
  return status
}

const muteAll =
  ({ product: { port }, room }: Stage) =>
  (round: number) => {
    const path = `/api/host/trigger-bulk-mute/${round % 2 === 0 ? 'mute' : 'unmute'}`
    const headers = { 'idempotency-key': randomUUID() }
    return askOnce(port, requestText('POST', path, { port, token: room(PHONES).token, headers, body: {} }))
  }

/** Each is verified, kept, and worked on afterwards. */
const webhooks =
  ({ product: { port }, room }: Stage) =>
  (round: number) => {
    const { phones } = room(PHONES)
    const participant = { customer_key: phones[round % PHONES]?.id, participant_uuid: `P${round % PHONES}` }
    const event = `meeting.participant_${Math.floor(round / PHONES) % 2 === 0 ? 'joined' : 'left'}`
    const object = { id: '81234567890', uuid: 'soak==', host_id: 'somebody', participant }
    const body = { event, event_ts: Date.now(), payload: { account_id: 'an account', object } }
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signed = createHmac('sha256', SECRET)
      .update(`v0:${timestamp}:${JSON.stringify(body)}`)
      .digest('hex')
    const headers = { 'x-zm-signature': `v0=${signed}`, 'x-zm-request-timestamp': timestamp }
    return askOnce(port, requestText('POST', '/api/zoom/webhooks', { port, body, headers }))
  }

interface Sample {
  minute: number
  mb: number
  files: number
}

/** What the process holds, from the end of the warm-up until shortly before the end. */
async function watch(pid: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const began = performance.now()
  await delay(WARM_UP_MS)
  while (performance.now() - began < SOAK_MS - SAMPLE_MS) {
    const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    const minute = (performance.now() - began) / 60_000
    samples.push({ minute, mb: kb / 1024, files: readdirSync(`/proc/${pid}/fd`).length })
    await delay(SAMPLE_MS)
  }
  return samples
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

/** By least squares. */
function slope(samples: Sample[]): number {
  const middle = sum(samples.map(({ minute }) => minute)) / samples.length
  const mean = sum(samples.map(({ mb }) => mb)) / samples.length
  const rise = sum(samples.map(({ minute, mb }) => (minute - middle) * (mb - mean)))
  return rise / sum(samples.map(({ minute }) => (minute - middle) ** 2))
}

function outcomes(samples: Sample[], thirds: z.infer<typeof Waits>[], refused: number): Outcome[] {
  const [first, last] = [samples[0], samples.at(-1)]
  const [early, late] = [thirds[0]?.p99 ?? Number.NaN, thirds[2]?.p99 ?? Number.NaN]
  const growth = slope(samples)
  const minutes = `${SOAK_MS / 60_000} min`
  return [
    {
      path: `${minutes}, ${PHONES} phones, ${CONSOLES} consoles: memory`,
      product: `${growth.toFixed(2)} MB/min`,
      limit: '256 MB heap',
      ratio: null,
      goal: `under ${MB_A_MINUTE} MB/min`,
      isMet: growth < MB_A_MINUTE,
      note: `after ${(WARM_UP_MS / 60_000).toFixed(1)} min ${first?.mb.toFixed(0)} MB resident, at the end ${last?.mb.toFixed(0)} MB`,
    },
    {
      path: 'status calls, p99 of the last third',
      product: inMs(late),
      limit: `${inMs(early)} at first`,
      ratio: late / early,
      goal: `flat, or ${P99_MS} ms`,
      isMet: late < Math.max(early * 2, P99_MS),
    },
    {
      path: 'open files at the end',
      product: String(last?.files),
      limit: `${first?.files} at first`,
      ratio: null,
      goal: `${MORE_FILES} more at most`,
      isMet: (last?.files ?? Number.NaN) <= (first?.files ?? 0) + MORE_FILES,
    },
    {
      path: 'calls that were refused',
      product: String(refused),
      limit: '',
      ratio: null,
      goal: 'none',
      isMet: refused === 0,
    },
  ]
}
