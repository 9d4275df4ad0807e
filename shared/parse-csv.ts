/**
 * The cells of a table that was pasted or chosen as a file: RFC 4180, and what spreadsheets make of it, which part
 * cells by semicolons or tabs too. Empty lines are left out; `line` is where a row begins in the text.
 */
export function parseCsv(text: string): { line: number; cells: string[] }[] {
  const source = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(source)
  const rows: { line: number; cells: string[] }[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let began = 1

  const endCell = () => {
    cells.push(withoutGuard(cell.trim()))
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (cells.some((one) => one !== '')) rows.push({ line: began, cells })
    cells = []
    began = line
  }

  for (let place = 0; place < source.length; place++) {
    const sign = source.charAt(place)
    if (sign === '\n' || (sign === '\r' && source.charAt(place + 1) !== '\n')) line++
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (source.charAt(place + 1) === '"') cell += source.charAt(place++)
      else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (sign === separator) endCell()
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && source.charAt(place + 1) === '\n') {
        place++
        line++
      }
      endRow()
    } else cell += sign
  }
  endRow()
  return rows
}

/** What the first line with anything in it has most of, not counting quoted cells; a comma where it has none. */
function separatorOf(source: string): string {
  const plain = source.replace(/^[\r\n]+/, '').replaceAll(/(^|[\t;,\r\n])[^\S\t\r\n]*"(?:[^"]|"")*"/g, '$1')
  const first = /^[^\r\n]*/.exec(plain)?.[0] ?? ''
  const counted = ['\t', ';', ','].map((sign) => ({ sign, times: first.split(sign).length - 1 }))
  const most = counted.reduce((before, one) => (one.times > before.times ? one : before))
  return most.times > 0 ? most.sign : ','
}

/** `csvLine` puts an apostrophe before what a spreadsheet would run: here it is taken off again. */
function withoutGuard(cell: string): string {
  return /^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}
