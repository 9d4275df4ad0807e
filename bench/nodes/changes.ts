import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { Connection, fetchStreamPath, openSocketStream, statusCall } from '../load.ts'
import type { Installation } from './installations.ts'

export const CHANGES = 600
export const CHANGES_PER_SECOND = 80
const LONGEST_MS = 10_000
const HAND = /event: user-speaker-toggle\ndata: {"user_id":"([^"]+)"/g
/** About the length of a raised hand's entry. */
const ENTRY = 'x'.repeat(150)

interface Phone {
  id: string
  connection: Connection
  call: (isRaised: boolean) => string
}

/** Phones that raise and lower their hands, and a console on a different server if there are several. */
export class HandRaisers {
  readonly #phones: Phone[]
  #console: Socket | null = null
  readonly #began = new Map<string, number>()
  readonly #ways = new Map<string, number>()

  private constructor(phones: Phone[]) {
    this.#phones = phones
  }

  static async open({ servers, last, room }: Installation): Promise<HandRaisers> {
    const reporting = servers.length > 1 ? servers.filter((server) => server !== last) : servers
    const phones = room.phones.slice(0, CHANGES).map(({ id, token }, index) => {
      const { port } = reporting[index % reporting.length] ?? last
      const call = (wants_to_speak: boolean) => statusCall(port, token, { wants_to_speak })
      return { id, connection: new Connection(port), call }
    })
    const hands = new HandRaisers(phones)
    const path = await fetchStreamPath(last.port, room.room_id, room.token)
    hands.#console = await openSocketStream(last.port, path, (chunk) => hands.#receive(chunk))
    return hands
  }

  /** Returns milliseconds from each phone's call to the console. Hands are published at once; voices are batched. */
  async move(areRaised: boolean): Promise<number[]> {
    this.#began.clear()
    this.#ways.clear()
    const answers: Promise<number>[] = []
    await atPace(this.#phones, ({ id, connection, call }) => {
      this.#began.set(id, performance.now())
      answers.push(connection.send(call(areRaised)))
    })
    await Promise.all(answers)
    await until(() => this.#ways.size === this.#phones.length)
    return [...this.#ways.values()]
  }

  #receive(chunk: Buffer): void {
    const at = performance.now()
    for (const [, id = ''] of chunk.toString().matchAll(HAND)) {
      const began = this.#began.get(id) // undefined for hands of the stream's initial state
      if (began !== undefined) this.#ways.set(id, at - began)
    }
  }

  close(): void {
    this.#console?.destroy()
    for (const { connection } of this.#phones) connection.close()
  }
}

/** The machine's own limit: the time from one client's XADD until a blocked reader receives the entry. */
export async function measureRedisHop(redis: Redis): Promise<number[]> {
  const [writer, reader] = [redis, redis.duplicate()]
  const began: number[] = []
  const waits: number[] = []
  const reading = (async () => {
    for (let position = '0-0'; waits.length < CHANGES; ) {
      const read = await reader.xread('BLOCK', LONGEST_MS, 'STREAMS', 'bench-hop', position)
      const at = performance.now()
      for (const [id] of read?.[0]?.[1] ?? []) {
        waits.push(at - (began[waits.length] ?? Number.NaN))
        position = id
      }
    }
  })()
  const added: Promise<unknown>[] = []
  await atPace(Array.from({ length: CHANGES }), () => {
    began.push(performance.now())
    added.push(writer.xadd('bench-hop', '*', 'change', ENTRY))
  })
  await Promise.all([...added, reading])
  reader.disconnect()
  return waits
}

async function atPace<T>(items: T[], act: (item: T) => void): Promise<void> {
  const began = performance.now()
  for (const [index, item] of items.entries()) {
    while (performance.now() < began + (index / CHANGES_PER_SECOND) * 1_000) await delay(1)
    act(item)
  }
}

async function until(holds: () => boolean): Promise<void> {
  const began = performance.now()
  while (!holds()) {
    if (performance.now() - began > LONGEST_MS) throw new Error('The console did not receive all changes')
    await delay(10)
  }
}
