import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Connection, requestText } from './connection.ts'
import { Compared } from './rounds.ts'
import { type Outcome, perSecond, type Row, type Stage } from './row.ts'

const ROUNDS = 24
const ROUND_MS = 200
const CONNECTIONS = 40
const PEOPLE = 200

interface Side {
  pid: number
  port: number
  request: string
  status: number
}

async function compareRates(stage: Stage, sides: { limit: Side; product: Side }, goal: number): Promise<Outcome> {
  const contest = { ...sides, connections: CONNECTIONS, warmUpMs: 1_500, rounds: ROUNDS, ms: ROUND_MS }
  const { limit, product, ratio } = await stage.load.call(Compared, 'compareRates', contest)
  return { product: perSecond(product), limit: perSecond(limit), ratio, isMet: ratio >= goal }
}

/** What runs in a process of its own: whose CPU time counts, and where it answers. */
const sideOf = ({ child, port }: Stage['product']) => ({ pid: child.pid ?? 0, port })

/** Brings the room's people online, as their phones' first status calls do. */
async function bringOnline({ product, room }: Stage): Promise<void> {
  const connection = new Connection(product.port)
  for (const { token } of room(PEOPLE).phones) {
    await connection.ask(requestText('POST', '/api/mobile/status', { port: product.port, token, body: {} }))
  }
  connection.close()
}

async function pollOnce({ product, room }: Stage): Promise<{ etag: string; body: string }> {
  const answer = await fetch(`http://127.0.0.1:${product.port}/api/host/online-users`, {
    headers: { authorization: `Bearer ${room(PEOPLE).token}` },
  })
  return { etag: answer.headers.get('etag') ?? '', body: await answer.text() }
}

const pollUnchanged: Row = {
  name: 'poll-304',
  path: 'poll, unchanged (304)',
  goal: '0.80 of its rate',
  rooms: [PEOPLE],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      await bringOnline(stage)
      const { product, bare } = stage
      const { token } = stage.room(PEOPLE)
      const { etag } = await pollOnce(stage)
      const request = (port: number, path: string, tag: string) =>
        requestText('GET', path, { port, token, headers: { 'accept-encoding': 'gzip', 'if-none-match': tag } })
      return compareRates(
        stage,
        {
          limit: { ...bare, request: request(bare.port, '/unchanged', '"bare-1"'), status: 304 },
          product: { ...sideOf(product), request: request(product.port, '/api/host/online-users', etag), status: 304 },
        },
        0.8,
      )
    }),
}

const pollChanged: Row = {
  name: 'poll-changed',
  path: `poll, changed (${PEOPLE} users)`,
  goal: '0.75 of its rate',
  rooms: [PEOPLE],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      await bringOnline(stage)
      const { product, bare } = stage
      const { token } = stage.room(PEOPLE)
      await bare.remote.call(z.boolean(), 'list', { body: (await pollOnce(stage)).body })
      const request = (port: number, path: string) => requestText('GET', path, { port, token })
      const stop = keepChanging(stage)
      const outcome = await compareRates(
        stage,
        {
          limit: { ...bare, request: request(bare.port, '/list'), status: 200 },
          product: { ...sideOf(product), request: request(product.port, '/api/host/online-users'), status: 200 },
        },
        0.75,
      )
      const changes = await stop()
      return { ...outcome, note: `the list really changed ${changes} times meanwhile` }
    }),
}

/** Somebody asks to speak, or no longer does, ten times a second, so that the ready bytes are made anew. */
function keepChanging({ product, room }: Stage): () => Promise<number> {
  let isOver = false
  let changes = 0
  const connection = new Connection(product.port)
  const { token = '' } = room(PEOPLE).phones[0] ?? {}
  const changing = (async () => {
    for (; !isOver; changes++) {
      const body = { wants_to_speak: changes % 2 === 0 }
      await connection.ask(requestText('POST', '/api/mobile/status', { port: product.port, token, body }))
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

const statusCall: Row = {
  name: 'status',
  path: 'status call of a phone (auth, state, reply)',
  goal: '0.65 of its rate',
  rooms: [PEOPLE],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      await bringOnline(stage)
      const { product, bare } = stage
      const { token = '' } = stage.room(PEOPLE).phones[0] ?? {}
      const body = { is_speaking: false, speaker_on: true, wants_to_speak: false, acks: ['kPqDf3_a-128'] }
      const request = (port: number, path: string) => requestText('POST', path, { port, token, body })
      return compareRates(
        stage,
        {
          limit: { ...bare, request: request(bare.port, '/echo'), status: 200 },
          product: { ...sideOf(product), request: request(product.port, '/api/mobile/status'), status: 200 },
        },
        0.65,
      )
    }),
}

export const httpRows = [pollUnchanged, pollChanged, statusCall]
