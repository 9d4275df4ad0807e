import type { Outcome } from './row.ts'

const HEAD = ['path', 'product', 'limit', 'ratio', 'goal', '']
const WIDTHS = [56, 15, 15, 6, 14, 6]

export const tableHead = `${line(HEAD)}\n${WIDTHS.map((width) => '-'.repeat(width)).join('  ')}`

/** One goal as a line of the table, and what has to be said about it below. */
export function tableLine({ path, product, limit, ratio, goal, isMet, note }: Outcome): string {
  const shown = line([path, product, limit, ratio === null ? '' : ratio.toFixed(2), goal, isMet ? 'met' : 'MISSED'])
  return note ? `${shown}\n    ${note}` : shown
}

function line(cells: string[]): string {
  const padded = cells.map((cell, column) => {
    const width = WIDTHS[column] ?? 0
    return column === 0 || column > 3 ? cell.padEnd(width) : cell.padStart(width)
  })
  return padded.join('  ').trimEnd()
}
