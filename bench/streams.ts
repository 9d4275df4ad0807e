import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { requestText } from './connection.ts'
import type { Fixture } from './fixtures.ts'

/** Opens a stream for each phone of the room. */
export async function openPhones({ loadWorker, product: { port }, room }: Fixture, size: number): Promise<void> {
  const { room_id, phones } = room(size)
  const tokens = phones.map(({ token }) => token)
  await loadWorker.call(z.boolean(), 'openStreams', { name: 'phones', port, room_id, tokens, isOfPhones: true })
}

/** Opens as many at the bare server, so that reading them costs the same for both. */
export async function openBare({ loadWorker, bare: { port } }: Fixture, size: number): Promise<void> {
  const tokens = Array.from({ length: size }, () => '')
  await loadWorker.call(z.boolean(), 'openStreams', { name: 'bare', port, room_id: null, tokens, isOfPhones: false })
}

/** Each gives the milliseconds from the call to the last receipt. */
export function broadcasts({ bare, product, loadWorker, room }: Fixture, size: number) {
  const broadcast = (name: string, port: number, path: string, marker: string) => () => {
    const headers = { 'idempotency-key': randomUUID() } // as the console sends one
    const request = requestText('POST', path, { port, token: room(size).token, headers })
    return loadWorker.call(z.number(), 'broadcast', { name, port, request, marker })
  }
  const muteAll = (action: string, active: boolean) =>
    broadcast('phones', product.port, `/api/host/trigger-bulk-mute/${action}`, `"active":${active}`)
  return {
    bare: broadcast('bare', bare.port, '/broadcast', '"active":true'),
    muteAll: muteAll('mute', true),
    unmuteAll: muteAll('unmute', false),
  }
}
