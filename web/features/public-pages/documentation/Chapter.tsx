import { createElement, Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Block, InlineText, Line, Section } from '../../../lib/markdown/read-guide.ts'
import { site } from '../../../lib/site.ts'
import { MailLink } from '../Contact.tsx'
import classes from './Documentation.module.css'

const PICTURES = import.meta.glob<string>('../../../../docs/pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** The search finds a chapter and each of its topics by `data-topic`. */
export function Chapter({ id, title, blocks, sections }: Section) {
  return (
    <section id={id} data-topic={title} tabIndex={-1} className={classes.chapter}>
      <h2>{title}</h2>
      {inOrder(blocks, drawBlock)}
      {sections.map((topic) => (
        <section key={topic.id} id={topic.id} data-topic={topic.title} tabIndex={-1}>
          <h3>{topic.title}</h3>
          {inOrder(topic.blocks, drawBlock)}
        </section>
      ))}
    </section>
  )
}

function drawBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{drawLine(block.line)}</p>
    case 'list': {
      const items = inOrder(block.items, (item) => <li>{drawLine(item)}</li>)
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'code':
      return <pre className={classes.code}>{localize(block.text)}</pre>
    case 'table':
      return <Table {...block} />
    case 'picture':
      return <Picture {...block} />
  }
}

/** On a narrow screen the cells of a row stack up, each beside the head of its column. */
function Table({ head, rows }: Extract<Block, { kind: 'table' }>) {
  const heads = head.map((cell) => cell.filter((words) => typeof words === 'string').join(''))
  const drawRow = (row: Line[]) => (
    <tr>
      {inOrder(row, (cell, column) => (
        <td data-head={heads[column]}>{drawLine(cell)}</td>
      ))}
    </tr>
  )
  return (
    <table className={classes.guideTable}>
      <thead>
        <tr>
          {inOrder(head, (cell) => (
            <th scope="col">{drawLine(cell)}</th>
          ))}
        </tr>
      </thead>
      <tbody>{inOrder(rows, drawRow)}</tbody>
    </table>
  )
}

/** The sizes match those of bin/pictures.ts. */
function Picture({ name, alt }: Extract<Block, { kind: 'picture' }>) {
  const isOfPhone = name.endsWith('-on-a-phone')
  const [width, height] = isOfPhone ? [390, 760] : [1200, 750]
  return (
    <img
      className={classes.picture}
      data-phone={isOfPhone || undefined}
      src={PICTURES[`../../../../docs/pictures/${name}.webp`]}
      width={width}
      height={height}
      alt={alt}
      loading="lazy"
    />
  )
}

const drawLine = (line: Line) => inOrder(line, drawWords)

function drawWords(words: InlineText): ReactNode {
  if (typeof words === 'string') return localize(words)
  if ('code' in words) return <code>{breakable(localize(words.code))}</code>
  if ('strong' in words) return <strong>{localize(words.strong)}</strong>
  if ('kbd' in words) return <kbd>{words.kbd}</kbd>
  if ('published' in words) return drawLine(site.play_store_url ? words.published : words.unpublished)
  if (words.link.startsWith('mailto:')) return <MailLink />
  if (words.link.startsWith('#')) return <Link to={words.link}>{words.text}</Link>
  return <a href={localize(words.link)}>{localize(words.text)}</a>
}

/** Replaces the guides' example addresses with those of this installation. */
const localize = (text: string) =>
  text
    .replaceAll('https://parley.example', site.public_url)
    .replaceAll('http://host.localhost:3000', site.host_url)
    .replaceAll('http://master.localhost:3000', site.master_url)
    .replaceAll('http://phone.localhost:3000', site.phone_url)

/** Lets long names break between their words. */
const breakable = (text: string) =>
  inOrder(text.split(/(?<=[:_/])/), (part) => (
    <>
      {part}
      <wbr />
    </>
  ))

/** Renders items without keys, which only changing lists need. */
function inOrder<T>(items: T[], draw: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(draw))
}
