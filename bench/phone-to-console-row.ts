import { requestText } from './connection.ts'
import { Waits } from './load-rate.ts'
import { bringOnline } from './rates.ts'
import { inMs, type Row } from './row.ts'
import { openPhones } from './streams.ts'

const PHONES = 1_000
const CHANGES_A_SECOND = 20
const P99_MS = 50
const MEASURED_MS = 8_000

/** Hands are told at once. Voices are merged on purpose, so that what they take beyond that is said and not judged. */
export const phoneToConsoleRow: Row = {
  name: 'phone-to-console',
  rooms: [PHONES],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      const { load, onlooker, bare, product } = stage
      const { room_id, token, phones } = stage.room(PHONES)
      await bringOnline(stage, stage.room(PHONES))
      await openPhones(stage, PHONES)
      const change = (field: string, event: string, ms: number) => {
        const asked = { port: product.port, room_id, console: token, phones, field, event }
        return onlooker.call(Waits, 'measureChanges', { ...asked, perSecond: CHANGES_A_SECOND, ms })
      }
      const voices = await change('is_speaking', 'user-speaking-status', MEASURED_MS / 2)
      const hands = await change('wants_to_speak', 'user-speaker-toggle', MEASURED_MS)
      const requests = [requestText('POST', '/echo', { port: bare.port, body: { wants_to_speak: true } })]
      const echo = { port: bare.port, requests, perSecond: CHANGES_A_SECOND, connections: 2, ms: MEASURED_MS / 2 }
      const limit = await load.call(Waits, 'measureWaits', echo)
      return [
        {
          path: `one change from phone to console, p99 (${PHONES.toLocaleString('en')} phones, ${CHANGES_A_SECOND} a second)`,
          product: inMs(hands.p99),
          limit: `${inMs(limit.p99)} round`,
          ratio: null,
          goal: `under ${P99_MS} ms`,
          isMet: hands.p99 < P99_MS,
          note: `${hands.count} changes, median ${inMs(hands.p50)}; speaking, which is merged: median ${inMs(voices.p50)}, p99 ${inMs(voices.p99)}`,
        },
      ]
    }),
}
