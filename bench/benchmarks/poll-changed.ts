import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { compareWithBare } from '../compare-with-bare.ts'
import { bringOnline } from '../fixtures.ts'
import { Connection, requestText, statusCall } from '../load.ts'

const PEOPLE = 200
const PATH = '/api/host/online-users'
const CHANGE_INTERVAL_MS = 100

export const pollChanged: Benchmark = {
  name: 'poll-changed',
  roomSizes: [PEOPLE],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { product, bare } = fixture
      const room = fixture.room(PEOPLE)
      await bringOnline(fixture, room)
      const headers = { authorization: `Bearer ${room.token}`, 'accept-encoding': 'identity' }
      const answer = await fetch(`http://127.0.0.1:${product.port}${PATH}`, { headers })
      await bare.child.run({ list: await answer.text() })
      const poll = (port: number, path: string) => requestText('GET', path, { port, token: room.token })
      const stop = keepChanging(product.port, room.phones[0]?.token)
      const outcome = await compareWithBare(fixture, {
        path: `poll, changed (${PEOPLE} users)`,
        goal: 0.75,
        status: 200,
        bare: poll(bare.port, '/list'),
        product: poll(product.port, PATH),
        note: async () => `the list changed ${await stop()} times during this`,
      })
      return [outcome]
    }),
}

/** Makes the server rebuild its buffer ten times a second. */
function keepChanging(port: number, token: string | undefined): () => Promise<number> {
  const connection = new Connection(port)
  let isOver = false
  let changes = 0
  const loop = (async () => {
    for (; !isOver; changes++) {
      await connection.send(statusCall(port, token, { wants_to_speak: changes % 2 === 0 }))
      await delay(CHANGE_INTERVAL_MS)
    }
  })()
  return async () => {
    isOver = true
    await loop
    connection.close()
    return changes
  }
}
