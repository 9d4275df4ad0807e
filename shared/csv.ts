type Cell = string | number | null

/** Excel takes a file for UTF-8 only when it begins so. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** One line of RFC 4180. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * A spreadsheet runs a cell that begins like a formula, and names come from others: an apostrophe in front makes it a
 * text. So do a tab, a line break and the wide forms of the same signs, which some programs read as the plain ones.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return ''
  const text = typeof cell === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : String(cell)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
