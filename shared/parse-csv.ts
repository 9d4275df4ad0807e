import Papa from 'papaparse'

/**
 * The cells of a table that was pasted or chosen as a file, separated by commas, semicolons or tabs. Empty lines are
 * left out; `line` is where a row begins in the text.
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

/** The one that is most frequent in the first line: Papa Parse guesses by all lines, and empty ones mislead it. */
function separatorOf(text: string): string {
  const [first = ''] = text
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .trimStart()
    .split('\n')
  const countOf = (separator: string) => first.split(separator).length
  return ['\t', ';', ','].toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ','
}

/** Papa Parse takes a quote as such only right after a separator. What is in quotes is passed over by the first half. */
function withoutSpacesBeforeQuotes(text: string): string {
  return text.replaceAll(/("(?:[^"]|"")*")|(^|[,;\t\n]) +(?=")/g, (_, quoted = '', before = '') => quoted + before)
}

/** `csvLine` puts an apostrophe before what a spreadsheet would run: here it is taken off again. */
function withoutGuard(cell: string): string {
  return /^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}
