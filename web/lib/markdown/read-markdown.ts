/** Words in a line: plain, strong, as they are typed, or a link. */
export type Words = string | { strong: string } | { code: string } | { link: string; text: string }
type Line = Words[]

export type Block =
  | { kind: 'title' | 'heading'; text: string; id: string }
  | { kind: 'paragraph'; line: Line }
  | { kind: 'list'; isOrdered: boolean; items: Line[] }
  | { kind: 'table'; head: Line[]; rows: Line[][] }
  | { kind: 'code'; text: string }

/**
 * Reads the part of Markdown that our guides are written in. Anything else stops the build, so that nothing is shown as
 * it is not meant.
 */
export function readMarkdown(text: string): Block[] {
  return text
    .split(/(^```\n[\s\S]*?^```$)/m)
    .flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n{2,}/)))
    .map((part) => part.replace(/^\n+|\n+$/g, ''))
    .filter(Boolean)
    .map(readBlock)
}

function readBlock(text: string): Block {
  const lines = text.split('\n')
  const [first = ''] = lines
  if (first === '```') return { kind: 'code', text: lines.slice(1, -1).join('\n') }
  if (/^##? /.test(first) && lines.length === 1) {
    const words = first.replace(/^#+ /, '')
    return { kind: first.startsWith('## ') ? 'heading' : 'title', text: plain(words), id: slug(words) }
  }
  if (first.startsWith('| ')) return readTable(lines)
  if (/^- /.test(first)) return { kind: 'list', isOrdered: false, items: readItems(text, /^- /) }
  if (/^1\. /.test(first)) return { kind: 'list', isOrdered: true, items: readItems(text, /^\d+\. /) }
  if (/^[#>\s|*+<!~]|^-{3}|^\d+[.)] /.test(first)) throw new Error(`This Markdown is not known here: ${first}`)
  return { kind: 'paragraph', line: readLine(lines.join(' ')) }
}

/** A line that does not begin an item goes on with the one before it, and is indented. */
function readItems(text: string, mark: RegExp): Line[] {
  return text.split(/\n(?! )/).map((item) => {
    if (!mark.test(item) || /\n\s*([-*+]|\d+\.) /.test(item)) throw new Error(`This is no item of a list: ${item}`)
    return readLine(item.replace(mark, '').replace(/\n\s+/g, ' '))
  })
}

function readTable([head = '', rule = '', ...rows]: string[]): Block {
  const cellsOf = (row: string) => {
    if (!/^\|.*\|$/.test(row)) throw new Error(`This is no row of a table: ${row}`)
    return row
      .slice(1, -1)
      .split('|')
      .map((cell) => readLine(cell.trim()))
  }
  const columns = cellsOf(head)
  const read = rows.map(cellsOf)
  const isWhole = /^\|( --- \|)+$/.test(rule) && [cellsOf(rule), ...read].every((row) => row.length === columns.length)
  if (!isWhole) throw new Error(`This is no table: ${head}`)
  return { kind: 'table', head: columns, rows: read }
}

const MARKED = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((https:[^)\s]+)\)/g

function readLine(text: string): Line {
  const line: Line = []
  let end = 0
  for (const match of text.matchAll(MARKED)) {
    const [whole, code, strong, words, link] = match
    line.push(plain(text.slice(end, match.index)))
    line.push(code ? { code } : strong ? { strong } : { link: link ?? '', text: words ?? '' })
    end = match.index + whole.length
  }
  return [...line, plain(text.slice(end))].filter((words) => words !== '')
}

function plain(text: string): string {
  if (/[`*_\\<]|\]\(|!\[/.test(text)) throw new Error(`This Markdown is not known here: ${text}`)
  return text
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
