import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Connection, requestText } from './connection.ts'
import { bringOnline, compareRates } from './rates.ts'
import type { Row } from './row.ts'
import type { Stage } from './stage.ts'

const PEOPLE = 200
const ONLINE_USERS = '/api/host/online-users'

const unchanged: Row = {
  name: 'poll-304',
  rooms: [PEOPLE],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      const { product, bare } = stage
      const room = stage.room(PEOPLE)
      await bringOnline(stage, room)
      const { etag } = await pollOnce(stage)
      const request = (port: number, path: string, tag: string) => {
        const headers = { 'accept-encoding': 'gzip', 'if-none-match': tag }
        return { request: requestText('GET', path, { port, token: room.token, headers }), status: 304 }
      }
      const outcome = await compareRates(stage, {
        path: 'poll, unchanged (304)',
        least: 0.8,
        limit: request(bare.port, '/unchanged', '"bare-1"'),
        ours: request(product.port, ONLINE_USERS, etag),
      })
      return [outcome]
    }),
}

const changed: Row = {
  name: 'poll-changed',
  rooms: [PEOPLE],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      const { product, bare } = stage
      const room = stage.room(PEOPLE)
      await bringOnline(stage, room)
      await bare.remote.call(z.boolean(), 'list', { body: (await pollOnce(stage)).body })
      const request = (port: number, path: string) => {
        return { request: requestText('GET', path, { port, token: room.token }), status: 200 }
      }
      const stop = keepChanging(stage)
      const outcome = await compareRates(stage, {
        path: `poll, changed (${PEOPLE} users)`,
        least: 0.75,
        limit: request(bare.port, '/list'),
        ours: request(product.port, ONLINE_USERS),
      })
      return [{ ...outcome, note: `the list did change ${await stop()} times meanwhile` }]
    }),
}

async function pollOnce({ product, room }: Stage): Promise<{ etag: string; body: string }> {
  const answer = await fetch(`http://127.0.0.1:${product.port}${ONLINE_USERS}`, {
    headers: { authorization: `Bearer ${room(PEOPLE).token}`, 'accept-encoding': 'identity' },
  })
  return { etag: answer.headers.get('etag') ?? '', body: await answer.text() }
}

/** Somebody asks to speak, or no longer does, ten times a second, so that the ready bytes have to be made anew. */
function keepChanging({ product: { port }, room }: Stage): () => Promise<number> {
  const { token = '' } = room(PEOPLE).phones[0] ?? {}
  const connection = new Connection(port)
  let isOver = false
  let changes = 0
  const changing = (async () => {
    for (; !isOver; changes++) {
      const body = { wants_to_speak: changes % 2 === 0 }
      await connection.ask(requestText('POST', '/api/mobile/status', { port, token, body }))
      await delay(100)
    }
  })()
  return async () => {
    isOver = true
    await changing
    connection.close()
    return changes
  }
}

export const pollRows = [unchanged, changed]
