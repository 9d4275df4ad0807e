import { z } from 'zod'

/** Medians. The ratio is that of the rounds' own: a machine that slows down for a while slows both of a round. */
export const Compared = z.object({ limit: z.number(), product: z.number(), ratio: z.number() })
export type Compared = z.infer<typeof Compared>

/** Measures limit and product in turns, so that both meet the same machine; begins with the other one each time. */
export async function interleave(
  rounds: number,
  measure: { limit(): Promise<number>; product(): Promise<number> },
): Promise<Compared> {
  const limits: number[] = []
  const products: number[] = []
  for (let round = 0; round < rounds; round++) {
    const isLimitFirst = round % 2 === 0
    if (isLimitFirst) limits.push(await measure.limit())
    products.push(await measure.product())
    if (!isLimitFirst) limits.push(await measure.limit())
  }
  const ratios = products.map((product, round) => product / (limits[round] ?? Number.NaN))
  return { limit: median(limits), product: median(products), ratio: median(ratios) }
}

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** By linear interpolation between the nearest two. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}
