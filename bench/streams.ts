import { z } from 'zod'
import { requestText } from './connection.ts'
import { ONCE } from './load-streams.ts'
import type { Stage } from './stage.ts'

const BARE = 'bare'
const PHONES = 'phones'

/** Opens a stream for each phone of the room, as phones do. */
export async function openPhones({ load, product, room }: Stage, size: number): Promise<void> {
  const { room_id, phones } = room(size)
  const tokens = phones.map(({ token }) => token)
  await load.call(z.boolean(), 'openStreams', { name: PHONES, port: product.port, room_id, tokens, isOfPhones: true })
}

/** As many at the bare server, so that the reading side is the same for both. */
export async function openBare({ load, bare }: Stage, size: number): Promise<void> {
  const tokens = Array.from({ length: size }, () => '')
  await load.call(z.boolean(), 'openStreams', { name: BARE, port: bare.port, room_id: null, tokens, isOfPhones: false })
}

/** Each is called to tell all, and gives the milliseconds from that call to the last receipt. */
export function tellers(stage: Stage, size: number) {
  const { bare, product, load, room } = stage
  const teller = (name: string, port: number, path: string, marker: string, token?: string) => {
    const headers = { 'idempotency-key': ONCE } // the console sends one
    const request = requestText('POST', path, { port, ...(token && { token }), headers })
    return () => load.call(z.number(), 'tellAll', { name, port, request, marker })
  }
  const { token } = room(size)
  const ofProduct = (action: string, active: boolean) =>
    teller(PHONES, product.port, `/api/host/trigger-bulk-mute/${action}`, `"active":${active}`, token)
  return {
    bare: teller(BARE, bare.port, '/tell-all', '"active":true'),
    mute: ofProduct('mute', true),
    unmute: ofProduct('unmute', false),
  }
}
