/** All are medians. `ratio` is that of the rounds' ratios, since a slow moment of the machine affects both sides of a round. */
export interface Comparison {
  limit: number
  product: number
  ratio: number
}

/** Alternates between limit and product, so that both run under the same conditions. */
export async function interleave(
  rounds: number,
  measure: { limit(): Promise<number>; product(): Promise<number> },
): Promise<Comparison> {
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

/** Interpolates linearly between the nearest two values. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
