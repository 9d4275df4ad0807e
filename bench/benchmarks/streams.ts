import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, formatMs, type GoalResult, goalUnder } from '../benchmark.ts'
import { collectGarbage } from '../collect-garbage.ts'
import type { Fixture } from '../fixtures.ts'
import { measureWaits, requestText, statusCall } from '../load.ts'
import { cpuSeconds, residentMb } from '../process-stats.ts'
import { median } from '../statistics.ts'
import { broadcasts, formatKb, HEAP_SETTLE_MS, MAX_KB_PER_STREAM, openPhones, reportsPerSecond } from '../streams.ts'

const PEOPLE = 200
const STREAMS = 10_000
const P99_MS = 15
/** More than 50 consoles send. */
const POLLS_PER_SECOND = 200
/** Each phone sends one every ten seconds. */
const HEARTBEATS_PER_SECOND = STREAMS / 10
const HEARTBEATS_MS = 5_000
const BROADCAST_INTERVAL_MS = 500
/** A single 50 ms pause of the machine affects over 1 % of all waits; the median round has none. */
const ROUNDS = 3
const ROUND_MS = 5_000

export const streams: Benchmark = {
  name: 'streams',
  roomSizes: [PEOPLE, STREAMS],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { pid } = fixture.product
      await measurePolls(fixture) // loads both rooms, and warms up the code
      const alone = await measurePolls(fixture)
      await collectGarbage(fixture.product)
      const before = residentMb(pid)
      await openPhones(fixture, STREAMS)
      await delay(HEAP_SETTLE_MS)
      const kb = () => ((residentMb(pid) - before) * 1024) / STREAMS
      const uncollected = kb()
      await collectGarbage(fixture.product)
      const memory = `memory a stream (${STREAMS.toLocaleString('en')} phones)`
      const note = `after garbage was collected; ${formatKb(uncollected)} before`
      return [
        goalUnder(memory, kb(), MAX_KB_PER_STREAM, formatKb, { note }),
        await measureHeartbeats(fixture),
        await measurePollsBesideStreams(fixture, alone.p99),
      ]
    }),
}

function measurePolls({ product: { port }, room }: Fixture, ms = 3_000) {
  const requests = [requestText('GET', '/api/host/online-users', { port, token: room(PEOPLE).token })]
  return measureWaits({ port, requests, perSecond: POLLS_PER_SECOND, connections: 20, ms })
}

async function measureHeartbeats({ product: { port, pid }, room }: Fixture): Promise<GoalResult> {
  const requests = room(STREAMS).phones.map(({ token }) => statusCall(port, token))
  const began = cpuSeconds(pid)
  const pace = { perSecond: HEARTBEATS_PER_SECOND, connections: 20, ms: HEARTBEATS_MS }
  const { count } = await measureWaits({ port, requests, ...pace })
  const calls = count + (HEARTBEATS_MS / 1000) * reportsPerSecond(STREAMS)
  const share = ((cpuSeconds(pid) - began) / calls) * HEARTBEATS_PER_SECOND
  const path = `their heartbeats, ${HEARTBEATS_PER_SECOND.toLocaleString('en')} a second`
  const inPercent = (value: number) => `${Math.round(value * 100)} %`
  return goalUnder(path, share, 1, inPercent, { limit: 'one core' })
}

async function measurePollsBesideStreams(fixture: Fixture, aloneP99: number): Promise<GoalResult> {
  // Ten thousand phones have CPUs of their own, so the simulating process yields to the server and the consoles.
  setPriority(fixture.clients.pid, constants.priority.PRIORITY_LOW)
  const { muteAll, unmuteAll } = broadcasts(fixture, STREAMS)
  let isOver = false
  const broadcasting = (async () => {
    for (let round = 0; !isOver; round++) {
      const broadcast = round % 2 === 0 ? muteAll : unmuteAll
      await Promise.all([broadcast(), delay(BROADCAST_INTERVAL_MS)])
    }
  })()
  const p99s: number[] = []
  for (let round = 0; round < ROUNDS; round++) p99s.push((await measurePolls(fixture, ROUND_MS)).p99)
  isOver = true
  await broadcasting
  const path = `polls' p99 while ${STREAMS.toLocaleString('en')} streams are written to`
  return goalUnder(path, median(p99s), P99_MS, formatMs, { limit: `${formatMs(aloneP99)} alone` })
}
