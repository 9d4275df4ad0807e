import { requestText } from './connection.ts'
import { bringOnline, compareRates } from './rates.ts'
import type { Row } from './row.ts'

const PEOPLE = 200

export const statusRow: Row = {
  name: 'status',
  rooms: [PEOPLE],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      const { product, bare } = stage
      const room = stage.room(PEOPLE)
      await bringOnline(stage, room)
      const { token = '' } = room.phones[0] ?? {}
      const body = { is_speaking: false, speaker_on: true, wants_to_speak: false, acks: ['kPqDf3_a-128'] }
      const request = (port: number, path: string) => {
        return { request: requestText('POST', path, { port, token, body }), status: 200 }
      }
      const outcome = await compareRates(stage, {
        path: 'status call of a phone (auth, state, reply)',
        least: 0.65,
        limit: request(bare.port, '/echo'),
        ours: request(product.port, '/api/mobile/status'),
      })
      return [outcome]
    }),
}
