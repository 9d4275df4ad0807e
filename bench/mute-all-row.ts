import { interleave } from './rounds.ts'
import { inMs, type Outcome, type Row } from './row.ts'
import type { Theatre } from './stage.ts'
import { openBare, openPhones, tellers } from './streams.ts'

const MOST = 1.3
/** As on a server that has run for a while: its framework and its database are compiled code by then. */
const WARM_UPS = 60
const SIZES = [
  { size: 1_000, rounds: 25 },
  { size: 5_000, rounds: 11 },
]

export const muteAllRow: Row = {
  name: 'mute-all',
  rooms: SIZES.map(({ size }) => size),
  async measure(theatre) {
    const outcomes: Outcome[] = []
    for (const { size, rounds } of SIZES) outcomes.push(await measureSize(theatre, size, rounds))
    return outcomes
  },
}

function measureSize(theatre: Theatre, size: number, rounds: number): Promise<Outcome> {
  return theatre.onStage(async (stage) => {
    await openBare(stage, size)
    await openPhones(stage, size)
    const { bare, mute, unmute } = tellers(stage, size)
    const muteOnce = async () => {
      const ms = await mute()
      await unmute()
      return ms
    }
    for (let round = 0; round < WARM_UPS; round++) {
      await bare()
      await muteOnce()
    }
    const { limit, product, ratio } = await interleave(rounds, { limit: bare, product: muteOnce })
    return {
      path: `Mute All to ${size.toLocaleString('en')} phones, call to last receipt`,
      product: inMs(product),
      limit: inMs(limit),
      ratio,
      goal: `${MOST.toFixed(2)} or less`,
      isMet: ratio <= MOST,
    }
  })
}
