import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, inMs, type Outcome, under } from '../benchmark.ts'
import { requestText, statusCall } from '../connection.ts'
import { cpuSeconds } from '../cpu-time.ts'
import type { Fixture } from '../fixtures.ts'
import { Waits } from '../load-rates.ts'
import { REPORT_INTERVAL_MS } from '../load-streams.ts'
import { broadcasts, openPhones } from '../streams.ts'

const PEOPLE = 200
const STREAMS = 10_000
const KB_PER_STREAM = 25
const P99_MS = 15
/** More than 50 consoles send. */
const POLLS_PER_SECOND = 200
/** Each phone once in ten seconds. */
const HEARTBEATS_PER_SECOND = STREAMS / 10
/** Those that keep the streams open, besides. */
const REPORTS_PER_SECOND = (STREAMS * 1000) / REPORT_INTERVAL_MS
const HEARTBEATS_MS = 5_000
const BROADCAST_INTERVAL_MS = 500
/** Until what the opening of the streams left is collected. */
const SETTLE_MS = 3_000

export const streams: Benchmark = {
  name: 'streams',
  roomSizes: [PEOPLE, STREAMS],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      await measurePolls(fixture) // loads both rooms, and warms the code up
      const alone = await measurePolls(fixture)
      const before = residentKb(fixture)
      await openPhones(fixture, STREAMS)
      await delay(SETTLE_MS)
      const kb = (residentKb(fixture) - before) / STREAMS
      const memory = `memory a stream (${STREAMS.toLocaleString('en')} phones)`
      return [
        under(memory, kb, KB_PER_STREAM, (value) => `${value.toFixed(1)} kB`),
        await measureHeartbeats(fixture),
        await measurePollsBesideStreams(fixture, alone.p99),
      ]
    }),
}

function residentKb({ product }: Fixture): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))?.[1])
}

function measurePolls({ observer, product: { port }, room }: Fixture, ms = 3_000) {
  const requests = [requestText('GET', '/api/host/online-users', { port, token: room(PEOPLE).token })]
  return observer.call(Waits, 'measureWaits', { port, requests, perSecond: POLLS_PER_SECOND, connections: 20, ms })
}

async function measureHeartbeats({ loadWorker, product: { port, pid }, room }: Fixture): Promise<Outcome> {
  const requests = room(STREAMS).phones.map(({ token }) => statusCall(port, token))
  const pace = { perSecond: HEARTBEATS_PER_SECOND, connections: 20, ms: HEARTBEATS_MS }
  const began = cpuSeconds(pid)
  const { count } = await loadWorker.call(Waits, 'measureWaits', { port, requests, ...pace })
  const calls = count + (HEARTBEATS_MS / 1000) * REPORTS_PER_SECOND
  const share = ((cpuSeconds(pid) - began) / calls) * HEARTBEATS_PER_SECOND
  const path = `their heartbeats, ${HEARTBEATS_PER_SECOND.toLocaleString('en')} a second`
  const inPercent = (value: number) => `${Math.round(value * 100)} %`
  return under(path, share, 1, inPercent, { limit: 'one core' })
}

async function measurePollsBesideStreams(fixture: Fixture, aloneP99: number): Promise<Outcome> {
  // Ten thousand phones have processors of their own, so their stand-in yields to the server and the consoles.
  setPriority(fixture.loadWorker.pid, constants.priority.PRIORITY_LOW)
  const { muteAll, unmuteAll } = broadcasts(fixture, STREAMS)
  let isOver = false
  const broadcasting = (async () => {
    for (let round = 0; !isOver; round++) {
      const broadcast = round % 2 === 0 ? muteAll : unmuteAll
      await Promise.all([broadcast(), delay(BROADCAST_INTERVAL_MS)])
    }
  })()
  const { p99 } = await measurePolls(fixture, 8_000)
  isOver = true
  await broadcasting
  const path = `polls' p99 while ${STREAMS.toLocaleString('en')} streams are written to`
  return under(path, p99, P99_MS, inMs, { limit: `${inMs(aloneP99)} alone` })
}
