import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, formatMs, goalUnder } from '../benchmark.ts'
import { bringOnline, type Fixture } from '../fixtures.ts'
import { Connection, fetchStreamPath, measureWaits, openSocketStream, requestText, statusCall } from '../load.ts'
import { median, quantile } from '../statistics.ts'
import { openPhones } from '../streams.ts'

const PHONES = 1_000
const CHANGES = 160
const INTERVAL_MS = 50
const GOAL_MS = 50

/** Measures raised hands, which are published at once; voice changes are batched on purpose. */
export const phoneToConsole: Benchmark = {
  name: 'phone-to-console',
  roomSizes: [PHONES],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { port } = fixture.bare
      await bringOnline(fixture, fixture.room(PHONES))
      await openPhones(fixture, PHONES)
      const waits = await measureHands(fixture)
      const requests = [requestText('POST', '/echo', { port, body: { wants_to_speak: true } })]
      const echo = await measureWaits({ port, requests, perSecond: 1000 / INTERVAL_MS, connections: 2, ms: 4_000 })
      const path = `one change from phone to console, p99 (${PHONES.toLocaleString('en')} phones, 20 a second)`
      return [
        goalUnder(path, quantile(waits, 0.99), GOAL_MS, formatMs, {
          limit: `${formatMs(echo.p99)} round`,
          note: `${waits.length} changes, median ${formatMs(median(waits))}`,
        }),
      ]
    }),
}

/** Measures phone after phone, from its call to the event in the console's stream. */
async function measureHands({ product: { port }, room }: Fixture): Promise<number[]> {
  const { room_id, token, phones } = room(PHONES)
  let onEvent = () => {}
  const stream = await openSocketStream(port, await fetchStreamPath(port, room_id, token), (chunk) => {
    if (chunk.includes('event: user-speaker-toggle\n')) onEvent()
  })
  const connection = new Connection(port)
  const waits: number[] = []
  for (const phone of phones.slice(0, CHANGES)) {
    const received = new Promise<void>((resolve) => {
      onEvent = resolve
    })
    const began = performance.now()
    await connection.send(statusCall(port, phone.token, { wants_to_speak: true }))
    await received
    waits.push(performance.now() - began)
    await delay(INTERVAL_MS)
  }
  connection.close()
  stream.destroy()
  return waits
}
