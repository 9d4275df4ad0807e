import type { Benchmark } from '../benchmark.ts'
import { compareWithBare } from '../compare-with-bare.ts'
import { bringOnline } from '../fixtures.ts'
import { requestText } from '../load.ts'

const PEOPLE = 200
const PATH = '/api/host/online-users'

export const poll304: Benchmark = {
  name: 'poll-304',
  roomSizes: [PEOPLE],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { product, bare } = fixture
      const room = fixture.room(PEOPLE)
      await bringOnline(fixture, room)
      const url = `http://127.0.0.1:${product.port}${PATH}`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${room.token}` } })
      const poll = (port: number, path: string, etag: string) => {
        const headers = { 'accept-encoding': 'gzip', 'if-none-match': etag }
        return requestText('GET', path, { port, token: room.token, headers })
      }
      const outcome = await compareWithBare(fixture, {
        path: 'poll, unchanged (304)',
        goal: 0.8,
        status: 304,
        bare: poll(bare.port, '/unchanged', '"bare-1"'),
        product: poll(product.port, PATH, answer.headers.get('etag') ?? ''),
      })
      return [outcome]
    }),
}
