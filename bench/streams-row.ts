import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { requestText } from './connection.ts'
import { cpuSeconds } from './cpu-time.ts'
import { Waits } from './load-rate.ts'
import { REPORT_EVERY_MS } from './load-streams.ts'
import { inMs, type Outcome, type Row } from './row.ts'
import type { Stage } from './stage.ts'
import { openPhones, tellers } from './streams.ts'
import { SETTLED_MS } from './world.ts'

const PEOPLE = 200
const STREAMS = 10_000
const KB_A_STREAM = 25
const P99_MS = 15
/** 50 consoles. */
const POLLS_A_SECOND = 200
/** Each phone once in ten seconds. */
const HEARTBEATS_A_SECOND = STREAMS / 10
/** Those that keep the streams open, besides. */
const REPORTS_A_SECOND = (STREAMS * 1000) / REPORT_EVERY_MS
const MEASURED_MS = 8_000
const BROADCAST_MS = 500

/** What ten thousand streams cost: memory, the phones' heartbeats, and the patience of those who poll. */
export const streamsRow: Row = {
  name: 'streams',
  rooms: [PEOPLE, STREAMS],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      await polls(stage) // both rooms are loaded, and the code is warm
      const alone = await polls(stage)
      const before = memoryOf(stage)
      await openPhones(stage, STREAMS)
      await delay(SETTLED_MS)
      const kb = (memoryOf(stage) - before) / STREAMS
      const heartbeats = await measureHeartbeats(stage)
      return [
        {
          path: `memory a stream (${STREAMS.toLocaleString('en')} phones)`,
          product: `${kb.toFixed(1)} kB`,
          limit: '',
          ratio: null,
          goal: `under ${KB_A_STREAM} kB`,
          isMet: kb < KB_A_STREAM,
        },
        heartbeats,
        await measurePolls(stage, alone.p99),
      ]
    }),
}

function memoryOf({ product }: Stage): number {
  const status = readFileSync(`/proc/${product.child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
}

function polls({ onlooker, product: { port }, room }: Stage, ms = 3_000) {
  const requests = [requestText('GET', '/api/host/online-users', { port, token: room(PEOPLE).token })]
  return onlooker.call(Waits, 'measureWaits', { port, requests, perSecond: POLLS_A_SECOND, connections: 20, ms })
}

async function measureHeartbeats({ load, product, room }: Stage): Promise<Outcome> {
  const { port } = product
  const requests = room(STREAMS).phones.map(({ token }) =>
    requestText('POST', '/api/mobile/status', { port, token, body: {} }),
  )
  const pid = product.child.pid ?? 0
  const began = cpuSeconds(pid)
  const ms = 5_000
  const asked = { port, requests, perSecond: HEARTBEATS_A_SECOND, connections: 20, ms }
  const { count } = await load.call(Waits, 'measureWaits', asked)
  const share = ((cpuSeconds(pid) - began) / (count + (ms / 1000) * REPORTS_A_SECOND)) * HEARTBEATS_A_SECOND
  return {
    path: `their heartbeats, ${HEARTBEATS_A_SECOND.toLocaleString('en')} a second`,
    product: `${Math.round(share * 100)} % of a core`,
    limit: 'one core',
    ratio: null,
    goal: 'under 100 %',
    isMet: share < 1,
  }
}

async function measurePolls(stage: Stage, aloneP99: number): Promise<Outcome> {
  // Ten thousand phones have processors of their own; here their stand-in is not to take that of server and consoles.
  setPriority(stage.load.child.pid ?? 0, constants.priority.PRIORITY_LOW)
  const { mute, unmute } = tellers(stage, STREAMS)
  let isOver = false
  const telling = (async () => {
    for (let round = 0; !isOver; round++) {
      const tell = round % 2 === 0 ? mute : unmute
      await Promise.all([tell(), delay(BROADCAST_MS)])
    }
  })()
  const { p99 } = await polls(stage, MEASURED_MS)
  isOver = true
  await telling
  return {
    path: `polls' p99 while ${STREAMS.toLocaleString('en')} streams are written to`,
    product: inMs(p99),
    limit: `${inMs(aloneP99)} alone`,
    ratio: null,
    goal: `under ${P99_MS} ms`,
    isMet: p99 < P99_MS,
  }
}
