import type { Fixtures } from './fixtures.ts'
import type { Comparison } from './statistics.ts'

/** A measurement that the command line can name, with one or more goals. */
export interface Benchmark {
  name: string
  roomSizes?: number[] // sizes of the rooms to seed
  onlyWhenNamed?: true // too slow to be part of all measurements
  run(fixtures: Fixtures): Promise<GoalResult[]>
}

/** The result for one goal, with the baseline of the same run if there is one. */
export interface GoalResult {
  path: string
  product: string
  limit?: string
  ratio?: number
  goal: string
  /** Null for a figure without a goal. */
  isMet: boolean | null
  note?: string
}

type Format = (value: number) => string

/** Reports a cost for which there is no goal. */
export function withoutGoal(path: string, product: string, more: Partial<GoalResult> = {}): GoalResult {
  return { path, product, goal: '', isMet: null, ...more }
}

export const formatMs: Format = (ms) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
export const formatMb: Format = (mb) => `${mb.toFixed(1)} MB`
export const perSecond: Format = (rate) => `${Math.round(rate).toLocaleString('en')}/s`

export function goalUnder(
  path: string,
  value: number,
  goal: number,
  format: Format,
  more: Partial<GoalResult> = {},
): GoalResult {
  return { path, product: format(value), goal: `under ${format(goal)}`, isMet: value < goal, ...more }
}

/** The goal is a ratio to the baseline of at least this. */
export function ratioAtLeast(path: string, compared: Comparison, goal: number, format: Format, note = ''): GoalResult {
  return { ...ratioOf(path, compared, format, note), goal: `${goal.toFixed(2)} or more`, isMet: compared.ratio >= goal }
}

/** The goal is a ratio to the baseline of at most this. */
export function ratioAtMost(path: string, compared: Comparison, goal: number, format: Format, note = ''): GoalResult {
  return { ...ratioOf(path, compared, format, note), goal: `${goal.toFixed(2)} or less`, isMet: compared.ratio <= goal }
}

function ratioOf(path: string, { product, limit, ratio }: Comparison, format: Format, note: string) {
  return { path, product: format(product), limit: format(limit), ratio, note }
}

const HEAD = ['path', 'product', 'limit', 'ratio', 'goal', '']
const WIDTHS = [56, 15, 15, 6, 14, 6]

export const tableHead = `${line(HEAD)}\n${WIDTHS.map((width) => '-'.repeat(width)).join('  ')}`

export function tableLine({ path, product, limit = '', ratio, goal, isMet, note }: GoalResult): string {
  const shown = line([path, product, limit, ratio?.toFixed(2) ?? '', goal, verdict(isMet)])
  return note ? `${shown}\n    ${note}` : shown
}

function verdict(isMet: boolean | null): string {
  if (isMet === null) return ''
  return isMet ? 'met' : 'MISSED'
}

function line(cells: string[]): string {
  const padded = cells.map((cell, column) => {
    const width = WIDTHS[column] ?? 0
    return column === 0 || column > 3 ? cell.padEnd(width) : cell.padStart(width)
  })
  return padded.join('  ').trimEnd()
}
