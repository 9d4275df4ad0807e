import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Child } from './child.ts'
import type { Fixture } from './fixtures.ts'
import { fetchStreamPath, requestText, statusCall } from './load.ts'
import type { SeededRoom } from './seed-rooms.ts'

export const MAX_KB_PER_STREAM = 25
export const formatKb = (kb: number) => `${kb.toFixed(1)} kB`
/** Milliseconds until the garbage of opening the streams is collected. */
export const HEAP_SETTLE_MS = 3_000

/** The server ends a phone's stream after 30 s without a status call. */
const REPORT_INTERVAL_SECONDS = 20
export const reportsPerSecond = (phones: number) => phones / REPORT_INTERVAL_SECONDS

export async function openStreams({ clients, product: { port } }: Fixture, room_id: string, tokens: string[]) {
  const paths = await pLimit(20).map(tokens, (token) => fetchStreamPath(port, room_id, token))
  await clients.run({ group: room_id, port, paths, reports: [], reportsPerSecond: 0 })
}

/** Opens a stream for each phone of the room, and keeps the phones online. */
export async function openPhones({ clients, product: { port }, room }: Fixture, size: number): Promise<void> {
  await openPhonesAt(clients, { group: 'phones', port, ...room(size) })
}

/** A group may have phones on several servers. */
export async function openPhonesAt(
  clients: Child,
  { group, port, room_id, phones }: { group: string; port: number } & Pick<SeededRoom, 'room_id' | 'phones'>,
): Promise<void> {
  const paths = await pLimit(20).map(phones, ({ token }) => fetchStreamPath(port, room_id, token))
  const reports = phones.map(({ token }) => statusCall(port, token))
  await clients.run({ group, port, paths, reports, reportsPerSecond: reportsPerSecond(phones.length) })
}

/** Opens the same number at the bare server, so that reading costs the same for both. */
export async function openBareStreams({ clients, bare: { port } }: Fixture, size: number): Promise<void> {
  const paths = Array.from({ length: size }, () => '/stream')
  await clients.run({ group: 'bare', port, paths, reports: [], reportsPerSecond: 0 })
}

/** Each function returns milliseconds from the call to the last receipt. */
export function broadcasts({ bare, product, clients, room }: Fixture, size: number) {
  const request = requestText('POST', '/broadcast', { port: bare.port })
  const pace = createPace()
  const { token } = room(size)
  return {
    async bare() {
      await pace() // as the product, since whatever has rested is slower
      return clients.run({ group: 'bare', port: bare.port, request, marker: '"active":true' })
    },
    ...muteAllOf(clients, { group: 'phones', port: product.port, token }),
  }
}

/** A host may press Mute All so often at once, and then once a second. */
const PRESSES_AT_ONCE = 60
const PRESS_MS = 1_000

/** Returns what waits until the limit allows another press. */
function createPace(): () => Promise<void> {
  let presses = 0
  return async () => {
    if (++presses > PRESSES_AT_ONCE) await wait(PRESS_MS)
  }
}

/** Broadcasts to a group of phones, by a call to the server at this port. The wait for the limit is not measured. */
export function muteAllOf(clients: Child, { group, port, token }: { group: string; port: number; token: string }) {
  const pace = createPace()
  const trigger = (action: string, active: boolean) => async () => {
    await pace()
    const headers = { 'idempotency-key': randomUUID() } // as the console sends one
    const request = requestText('POST', `/api/host/trigger-bulk-mute/${action}`, { port, token, headers })
    return clients.run({ group, port, request, marker: `"active":${active}` })
  }
  return { muteAll: trigger('mute', true), unmuteAll: trigger('unmute', false) }
}
