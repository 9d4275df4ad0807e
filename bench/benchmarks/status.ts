import type { Benchmark } from '../benchmark.ts'
import { compareWithBare } from '../compare-with-bare.ts'
import { requestText } from '../connection.ts'
import { bringOnline } from '../fixtures.ts'

const PEOPLE = 200

export const status: Benchmark = {
  name: 'status',
  roomSizes: [PEOPLE],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const room = fixture.room(PEOPLE)
      await bringOnline(fixture, room)
      const body = { is_speaking: false, speaker_on: true, wants_to_speak: false, acks: ['kPqDf3_a-128'] }
      const call = (port: number, path: string) => {
        const request = requestText('POST', path, { port, token: room.phones[0]?.token ?? '', body })
        return { request, status: 200 }
      }
      const outcome = await compareWithBare(fixture, {
        path: 'status call of a phone (auth, state, reply)',
        goal: 0.65,
        bare: call(fixture.bare.port, '/echo'),
        product: call(fixture.product.port, '/api/mobile/status'),
      })
      return [outcome]
    }),
}
