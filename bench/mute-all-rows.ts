import { z } from 'zod'
import { requestText } from './connection.ts'
import { ONCE } from './load-streams.ts'
import { interleave } from './rounds.ts'
import { inMs, type Row, type Stage } from './row.ts'

const GOAL = 1.3
const BARE = 'bare'
const PHONES = 'phones'

/** Opens as many bare streams as there are phones, so that the reading side is the same for both. */
async function openBoth({ load, bare, product, room }: Stage, size: number): Promise<void> {
  const { room_id, phones } = room(size)
  const tokens = phones.map(({ token }) => token)
  await load.call(z.boolean(), 'openStreams', { name: BARE, port: bare.port, room_id: null, tokens })
  await load.call(z.boolean(), 'openStreams', { name: PHONES, port: product.port, room_id, tokens })
}

function teller({ load }: Stage, name: string, port: number, path: string, marker: string, token?: string) {
  const headers = { 'idempotency-key': ONCE } // as the console sends one
  const request = requestText('POST', path, { port, ...(token && { token }), headers })
  return () => load.call(z.number(), 'tellAll', { name, port, request, marker })
}

function muteAll(size: number, rounds: number): Row {
  return {
    name: `mute-all-${size}`,
    path: `Mute All to ${size.toLocaleString('en')} phones, from the call to the last receipt`,
    goal: `${GOAL}x or less`,
    rooms: [size],
    measure: (theatre) =>
      theatre.onStage(async (stage) => {
        await openBoth(stage, size)
        const { bare, product } = stage
        const { token } = stage.room(size)
        const call = (action: string, active: boolean) =>
          teller(stage, PHONES, product.port, `/api/host/trigger-bulk-mute/${action}`, `"active":${active}`, token)
        const [mute, unmute] = [call('mute', true), call('unmute', false)]
        const limit = teller(stage, BARE, bare.port, '/tell-all', '"active":true')
        for (const warmUp of [limit, mute, unmute, limit, mute, unmute]) await warmUp()
        const { ratio, ...times } = await interleave(rounds, {
          limit,
          product: async () => {
            const ms = await mute()
            await unmute()
            return ms
          },
        })
        return { product: inMs(times.product), limit: inMs(times.limit), ratio, isMet: ratio <= GOAL }
      }),
  }
}

export const muteAllRows = [muteAll(1_000, 25), muteAll(5_000, 9)]
