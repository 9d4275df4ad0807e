import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FIGURES } from './security-figures.ts'

const DOCUMENT = 'docs/security.md'
const WORDS =
  'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty fifty sixty hundred twice half'
const FIGURE = new RegExp(
  String.raw`(?<![\w./,-])\d[\d,.]*(?<![,.])(?![\w-])|\b(${WORDS.replaceAll(' ', '|')})\b|\bonce (a|in)\b(?! (newer|master|user))`,
  'gi',
)

/** The page without code, links, the names of standards' requirements, and prefixes of networks. */
function readProse(): string {
  return readFileSync(DOCUMENT, 'utf8')
    .replace(/\n\n {4}.*(\n {4}.*)*/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\[decision \d+\]/g, '')
    .replace(/^\| [\d., to]+(?= )/gm, '|')
    .replace(/\s+/g, ' ')
}

const prose = readProse()
const places = FIGURES.map(([statement]) => ({ statement, from: prose.indexOf(statement) }))

test(`${DOCUMENT} makes each statement with a figure, in this order`, () => {
  expect(places.filter(({ from }) => from < 0).map(({ statement }) => statement)).toEqual([])
  expect(places).toEqual(places.toSorted((a, b) => a.from - b.from))
})

test(`each figure of ${DOCUMENT} is in a statement with its tests`, () => {
  const isShown = (at: number) => places.some(({ statement, from }) => from <= at && at < from + statement.length)
  const unshown = [...prose.matchAll(FIGURE)].filter(({ index }) => !isShown(index))
  expect(unshown.map(({ index }) => prose.slice(index - 50, index + 30))).toEqual([])
})

describe('a statement with a figure names tests and lines that exist', () => {
  test.each(FIGURES)('%s', (_statement, { tests = {}, code = {} }) => {
    const missing = Object.entries({ ...code, ...tests }).flatMap(([file, texts]) => {
      const source = readFileSync(file, 'utf8')
      return texts.filter((text) => !source.includes(text)).map((text) => `${file}: ${text}`)
    })
    expect(missing).toEqual([])
  })
})
