import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import type { Fixture } from './fixtures.ts'
import { fetchStreamPath, requestText, statusCall } from './load.ts'

/** The server ends a phone's stream after 30 s without a status call. */
const REPORT_INTERVAL_SECONDS = 20
export const reportsPerSecond = (phones: number) => phones / REPORT_INTERVAL_SECONDS

/** Opens a stream for each token of the room. */
export async function openStreams({ clients, product: { port } }: Fixture, room_id: string, tokens: string[]) {
  const paths = await pLimit(20).map(tokens, (token) => fetchStreamPath(port, room_id, token))
  await clients.run({ group: room_id, port, paths, reports: [], reportsPerSecond: 0 })
}

/** Opens a stream for each phone of the room, and keeps the phones online. */
export async function openPhones({ clients, product: { port }, room }: Fixture, size: number): Promise<void> {
  const { room_id, phones } = room(size)
  const paths = await pLimit(20).map(phones, ({ token }) => fetchStreamPath(port, room_id, token))
  const reports = phones.map(({ token }) => statusCall(port, token))
  await clients.run({ group: 'phones', port, paths, reports, reportsPerSecond: reportsPerSecond(size) })
}

/** Opens as many at the bare server, so that reading them costs the same for both. */
export async function openBare({ clients, bare: { port } }: Fixture, size: number): Promise<void> {
  const paths = Array.from({ length: size }, () => '/stream')
  await clients.run({ group: 'bare', port, paths, reports: [], reportsPerSecond: 0 })
}

/** Each gives the milliseconds from the call to the last receipt. */
export function broadcasts({ bare, product, clients, room }: Fixture, size: number) {
  const broadcast = (group: string, port: number, path: string, marker: string) => () => {
    const headers = { 'idempotency-key': randomUUID() } // as the console sends one
    const request = requestText('POST', path, { port, token: room(size).token, headers })
    return clients.run({ group, port, request, marker })
  }
  const muteAll = (action: string, active: boolean) =>
    broadcast('phones', product.port, `/api/host/trigger-bulk-mute/${action}`, `"active":${active}`)
  return {
    bare: broadcast('bare', bare.port, '/broadcast', '"active":true'),
    muteAll: muteAll('mute', true),
    unmuteAll: muteAll('unmute', false),
  }
}
