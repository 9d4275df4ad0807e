import { Lexer, lexer, type MarkedToken, type Token } from 'marked'

export type InlineText =
  | string
  | { strong: string }
  | { code: string }
  | { kbd: string }
  | { link: string; text: string }
  | { unpublished: Line; published: Line } // depends on whether the phone app is in the store
export type Line = InlineText[]

export type Block =
  | { kind: 'paragraph'; line: Line }
  | { kind: 'list'; isOrdered: boolean; items: Line[] }
  | { kind: 'table'; head: Line[]; rows: Line[][] }
  | { kind: 'code'; text: string }
  | { kind: 'picture'; name: string; alt: string }

/** A heading and the content below it. */
export type Section = { id: string; title: string; blocks: Block[]; sections: Section[] }

/** Parses the Markdown subset of the guides. Anything else throws, which stops the build. */
export function readGuide(text: string): Section {
  const open: Section[] = [] // from the title down to the last heading
  for (const token of lexer(text)) {
    if (is(token, 'heading')) {
      const isTitle = open.length === 0
      if (token.depth > Math.min(open.length + 1, 3) || isTitle !== (token.depth === 1)) throw unsupported(token)
      open.length = token.depth - 1
      const parent = open.at(-1)
      const section = readHeading(token.text, parent)
      parent?.sections.push(section)
      open.push(section)
    } else if (!is(token, 'space') && !is(token, 'blockquote')) {
      // Quotes are notes for readers of the file.
      const section = open.at(-1)
      if (!section) throw unsupported(token)
      section.blocks.push(readBlock(token))
    }
  }
  const [guide] = open
  if (!guide) throw new Error('The guide has no title')
  return guide
}

const ANCHOR = /^<a id="([\w-]+)"><\/a>/

/** The id is the anchor's, or else made of the heading's words. */
function readHeading(text: string, parent: Section | undefined): Section {
  const title = readText(text.replace(ANCHOR, ''))
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const id = ANCHOR.exec(text)?.[1] ?? (parent ? `${parent.id}-${slug}` : slug)
  return { id, title, blocks: [], sections: [] }
}

function readBlock(token: Token): Block {
  if (is(token, 'paragraph')) {
    const [first, ...others] = token.tokens
    if (first && is(first, 'image') && others.length === 0) {
      const name = /^pictures\/([\w-]+)\.webp$/.exec(first.href)?.[1]
      if (!name || !first.text) throw unsupported(token)
      return { kind: 'picture', name, alt: first.text }
    }
    return { kind: 'paragraph', line: readLine(token.tokens) }
  }
  if (is(token, 'list')) {
    const items = token.items.map((item) => {
      const [only, ...others] = item.tokens
      if (!only || !is(only, 'text') || others.length > 0) throw unsupported(item)
      return readLine(only.tokens ?? [])
    })
    return { kind: 'list', isOrdered: token.ordered, items }
  }
  if (is(token, 'table')) {
    const readRow = (row: { tokens: Token[] }[]) => row.map((cell) => readLine(cell.tokens))
    return { kind: 'table', head: readRow(token.header), rows: token.rows.map(readRow) }
  }
  if (is(token, 'code') && token.raw.startsWith('```\n')) return { kind: 'code', text: token.text }
  throw unsupported(token)
}

const PUBLISHED = /^<!-- once published:\s+(.+) -->$/s

function readLine(tokens: Token[]): Line {
  const line: Line = []
  const rest = tokens[Symbol.iterator]()
  for (const token of rest) {
    if (is(token, 'text')) line.push(readText(token.text))
    else if (is(token, 'strong')) line.push({ strong: readText(token.text) })
    else if (is(token, 'codespan')) line.push({ code: token.text })
    else if (is(token, 'link') && token.raw.startsWith('[') && /^(https?:\/\/|mailto:|#[\w-]+$)/.test(token.href)) {
      line.push({ link: token.href, text: readText(token.text) })
    } else if (token.raw === '<kbd>') {
      line.push({ kbd: readText(rest.next().value?.raw ?? '') })
      if (rest.next().value?.raw !== '</kbd>') throw unsupported(token)
    } else {
      const published = PUBLISHED.exec(token.raw)?.[1]
      if (!published) throw unsupported(token)
      return [{ unpublished: line, published: readLine(Lexer.lexInline(published)) }]
    }
  }
  return line
}

function readText(text: string): string {
  if (/[`*_<]/.test(text)) throw new Error(`Unsupported in a guide: ${text}`)
  return text.replace(/\s+/g, ' ')
}

/** `Token` has a member that fits every type, so comparing the type does not narrow it. */
function is<T extends MarkedToken['type']>(token: Token, type: T): token is Extract<MarkedToken, { type: T }> {
  return token.type === type
}

const unsupported = ({ raw }: { raw: string }) => new Error(`Unsupported in a guide: ${raw}`)
