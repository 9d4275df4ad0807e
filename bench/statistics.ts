/** Medians; the ratio is the median of the rounds' ratios, since a slow moment of the machine slows both of a round. */
export interface Compared {
  limit: number
  product: number
  ratio: number
}

/** Measures limit and product in turns, so that both meet the same machine. */
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
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
