type Cell = string | number | null

/** Excel reads a file as UTF-8 only if it starts with this mark. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Formats one line of RFC 4180. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * Guards against formulas: spreadsheets run cells that start like one, and names are user input. An apostrophe makes
 * them text. Tabs, line breaks and full-width signs are guarded too, as some programs accept them as the plain ones.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return ''
  const text = typeof cell === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : String(cell)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
