import { createElement, Fragment, type ReactNode } from 'react'
import type { Block, Words } from '../../../lib/markdown/read-markdown.ts'
import { site } from '../../../lib/site.ts'
import classes from './Documentation.module.css'
import { Chapter, Topic } from './Topic.tsx'

type GuideChapterProps = { id: string; title: string; guide: Block[] }

/** A guide of docs/ as a chapter, with a topic for each of its headings. */
export function GuideChapter({ id, title, guide }: GuideChapterProps) {
  const [, ...blocks] = guide // the first is its title
  const starts = blocks.flatMap(({ kind }, at) => (kind === 'heading' ? [at] : []))
  return (
    <Chapter id={id} title={title}>
      {shown(blocks.slice(0, starts[0]))}
      {starts.map((at, number) => {
        const heading = blocks[at]
        if (heading?.kind !== 'heading') return null
        return (
          <Topic key={heading.id} id={`${id}-${heading.id}`} title={heading.text}>
            {shown(blocks.slice(at + 1, starts[number + 1]))}
          </Topic>
        )
      })}
    </Chapter>
  )
}

const shown = (blocks: Block[]) => inOrder(blocks, (block) => <GuideBlock block={block} />)

function GuideBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return <p>{inOrder(block.line, words)}</p>
    case 'list': {
      const items = inOrder(block.items, (item) => <li>{inOrder(item, words)}</li>)
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'code':
      return <pre className={classes.code}>{here(block.text)}</pre>
    case 'table':
      return <GuideTable {...block} />
    default:
      return null
  }
}

/** On a narrow screen its rows stand below one another, each cell beside the head of its column. */
function GuideTable({ head, rows }: Extract<Block, { kind: 'table' }>) {
  const heads = head.map((cell) => cell.filter((some) => typeof some === 'string').join(''))
  const drawRow = (row: Words[][]) => (
    <tr>
      {inOrder(row, (cell, at) => (
        <td data-head={heads[at]}>{inOrder(cell, words)}</td>
      ))}
    </tr>
  )
  return (
    <table className={classes.guideTable}>
      <thead>
        <tr>
          {inOrder(head, (cell) => (
            <th scope="col">{inOrder(cell, words)}</th>
          ))}
        </tr>
      </thead>
      <tbody>{inOrder(rows, drawRow)}</tbody>
    </table>
  )
}

function words(some: Words): ReactNode {
  if (typeof some === 'string') return here(some)
  if ('code' in some) return <code>{breakable(here(some.code))}</code>
  if ('strong' in some) return <strong>{here(some.strong)}</strong>
  return <a href={some.link}>{some.text}</a>
}

/** The guides name an installation that is not there; its readers have one. */
const here = (text: string) => text.replaceAll('https://parley.example', site.public_url)

/** Long names break between their words, if they must. */
const breakable = (text: string) =>
  inOrder(text.split(/(?<=[:_/])/), (part) => (
    <>
      {part}
      <wbr />
    </>
  ))

/** What never changes its order. */
function inOrder<T>(items: T[], draw: (item: T, at: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(draw))
}
