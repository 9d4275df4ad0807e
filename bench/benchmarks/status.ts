import type { Benchmark } from '../benchmark.ts'
import { compareWithBare } from '../compare-with-bare.ts'
import { bringOnline } from '../fixtures.ts'
import { requestText } from '../load.ts'

const PEOPLE = 200
/** The report that a phone makes every few seconds. */
export const STATUS = { is_speaking: false, speaker_on: true, wants_to_speak: false, acks: ['kPqDf3_a-128'] }

export const status: Benchmark = {
  name: 'status',
  roomSizes: [PEOPLE],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { bare, product } = fixture
      const room = fixture.room(PEOPLE)
      await bringOnline(fixture, room)
      const token = room.phones[0]?.token ?? ''
      const call = (port: number, path: string) => requestText('POST', path, { port, token, body: STATUS })
      const outcome = await compareWithBare(fixture, {
        path: 'status call of a phone (auth, state, reply)',
        goal: 0.65,
        status: 200,
        bare: call(bare.port, '/echo'),
        product: call(product.port, '/api/mobile/status'),
      })
      return [outcome]
    }),
}
