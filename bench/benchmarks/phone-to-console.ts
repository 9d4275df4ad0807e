import { type Benchmark, inMs, under } from '../benchmark.ts'
import { requestText } from '../connection.ts'
import { bringOnline } from '../fixtures.ts'
import { Waits } from '../load-rates.ts'
import { openPhones } from '../streams.ts'

const PHONES = 1_000
const CHANGES_PER_SECOND = 20
const GOAL_MS = 50
const MEASURED_MS = 8_000
const Changes = Waits.omit({ refused: true })

/** Raised hands are published at once. Voices are merged on purpose, so they are printed and not judged. */
export const phoneToConsole: Benchmark = {
  name: 'phone-to-console',
  roomSizes: [PHONES],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { loadWorker, observer, bare, product } = fixture
      const { room_id, token: hostToken, phones } = fixture.room(PHONES)
      await bringOnline(fixture, fixture.room(PHONES))
      await openPhones(fixture, PHONES)
      const change = (field: string, event: string, ms: number) => {
        const input = { port: product.port, room_id, hostToken, phones, field, event }
        return observer.call(Changes, 'measureChanges', { ...input, perSecond: CHANGES_PER_SECOND, ms })
      }
      const voices = await change('is_speaking', 'user-speaking-status', MEASURED_MS / 2)
      const hands = await change('wants_to_speak', 'user-speaker-toggle', MEASURED_MS)
      const requests = [requestText('POST', '/echo', { port: bare.port, body: { wants_to_speak: true } })]
      const pace = { perSecond: CHANGES_PER_SECOND, connections: 2, ms: MEASURED_MS / 2 }
      const echo = await loadWorker.call(Waits, 'measureWaits', { port: bare.port, requests, ...pace })
      const count = PHONES.toLocaleString('en')
      const path = `one change from phone to console, p99 (${count} phones, ${CHANGES_PER_SECOND} a second)`
      return [
        under(path, hands.p99, GOAL_MS, inMs, {
          limit: `${inMs(echo.p99)} round`,
          note: `${hands.count} changes, median ${inMs(hands.p50)}; speaking, which is merged: median ${inMs(voices.p50)}, p99 ${inMs(voices.p99)}`,
        }),
      ]
    }),
}
