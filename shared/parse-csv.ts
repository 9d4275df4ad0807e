import Papa from 'papaparse'

/**
 * Parses a pasted table or a file, separated by commas, semicolons or tabs. Skips empty lines; `line` is where a row
 * begins in the text.
 */
export function parseCsv(text: string): { line: number; cells: string[] }[] {
  const source = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const { data } = Papa.parse<string[]>(withoutSpacesBeforeQuotes(source), {
    delimiter: separatorOf(source),
    newline: '\n',
  })
  let next = 1
  return data.flatMap((row) => {
    const line = next
    next += row.join('').split('\n').length // a quoted cell may hold line breaks
    const cells = row.map((cell) => withoutGuard(cell.trim()))
    return cells.some((cell) => cell !== '') ? [{ line, cells }] : []
  })
}

/** Picks the first line's most frequent separator. Papa Parse considers all lines, and empty ones mislead it. */
function separatorOf(text: string): string {
  const [first = ''] = text
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .trimStart()
    .split('\n')
  const countOf = (separator: string) => first.split(separator).length
  return ['\t', ';', ','].toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ','
}

/** Papa Parse recognises a quote only right after a separator. The first alternative skips quoted text. */
function withoutSpacesBeforeQuotes(text: string): string {
  return text.replaceAll(/("(?:[^"]|"")*")|(^|[,;\t\n]) +(?=")/g, (_, quoted = '', before = '') => quoted + before)
}

/** Removes the apostrophe that `csvLine` puts before formulas. */
function withoutGuard(cell: string): string {
  return /^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}
