import { setTimeout as delay } from 'node:timers/promises'
import { PASSWORD } from '../../shared/examples.ts'
import { http } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMb, formatMs, type GoalResult, goalUnder } from '../benchmark.ts'
import { bringOnline, type Fixture } from '../fixtures.ts'
import { fetchStreamPath, measureWaits, openSocketStream, requestText, statusCall } from '../load.ts'
import { readMetric } from '../metrics.ts'
import { residentMb } from '../process-stats.ts'

const PHONES = 200
const READERS = 50
const STREAMS_PER_SESSION = 5
const EVENTS = 40_000
/** Each phone reports ten times a second. */
const EVENTS_PER_SECOND = 2_000
const POLLS_PER_SECOND = 100
const LOOK_MS = 100
const GROWTH_MB = 40
const POLL_MS = 250
const CUT_MS = (EVENTS / EVENTS_PER_SECOND + 10) * 1_000

/** Stalls consoles, which stop reading while their room has thousands of events. */
export const stalledReaders: Benchmark = {
  name: 'stalled-readers',
  roomSizes: [PHONES],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { port, pid } = fixture.product
      await bringOnline(fixture, fixture.room(PHONES))
      await Promise.all([report(fixture, 2_000), poll(fixture, 2_000)]) // warms the code up
      const readers = await openUnread(fixture)
      const before = residentMb(pid)
      const began = performance.now()
      let largest = before
      let cutAfter = Number.POSITIVE_INFINITY
      const watching = (async () => {
        while (cutAfter === Number.POSITIVE_INFINITY && performance.now() - began < CUT_MS) {
          await delay(LOOK_MS)
          largest = Math.max(largest, residentMb(pid))
          if ((await readMetric(port, 'parley_event_streams')) === 0) cutAfter = performance.now() - began
        }
      })()
      const ms = (EVENTS / EVENTS_PER_SECOND) * 1_000
      const [{ p99 }] = await Promise.all([poll(fixture, ms), report(fixture, ms), watching])
      for (const socket of readers) socket.destroy()
      return outcomes({ growth: largest - before, cutAfter, p99 })
    }),
}

function outcomes({ growth, cutAfter, p99 }: { growth: number; cutAfter: number; p99: number }): GoalResult[] {
  const path = `${READERS} readers stall, ${EVENTS.toLocaleString('en')} events`
  return [
    goalUnder(`${path}: memory grows by`, growth, GROWTH_MB, formatMb),
    goalUnder('the last of them is cut after', cutAfter, CUT_MS, formatMs),
    goalUnder('polls during this, p99', p99, POLL_MS, formatMs),
  ]
}

async function openUnread(fixture: Fixture) {
  const { port } = fixture.product
  const { username, room_id } = fixture.room(PHONES)
  const sockets = []
  let token = ''
  for (let reader = 0; reader < READERS; reader++) {
    if (reader % STREAMS_PER_SESSION === 0)
      token = (await http({ port }, 'POST', '/auth/host/login', { body: { username, password: PASSWORD } })).body.data
        .token
    const socket = await openSocketStream(port, await fetchStreamPath(port, room_id, token), () => {})
    socket.pause().on('error', () => {})
    sockets.push(socket)
  }
  return sockets
}

/** Sends status calls, each of which is one event. */
function report({ product: { port }, room }: Fixture, ms: number) {
  const { phones } = room(PHONES)
  const requests = [true, false].flatMap((speaker_on) =>
    phones.map(({ token }) => statusCall(port, token, { speaker_on })),
  )
  return measureWaits({ port, requests, perSecond: EVENTS_PER_SECOND, connections: 20, ms })
}

function poll({ product: { port }, room }: Fixture, ms: number) {
  const requests = [requestText('GET', '/api/host/online-users', { port, token: room(PHONES).token })]
  return measureWaits({ port, requests, perSecond: POLLS_PER_SECOND, connections: 10, ms })
}
