import { expect, test } from 'vitest'
import type { RecordedSpeech } from '../../../shared/recording-speakers.ts'
import { chapterAt, chaptersOf, speakersAt } from './chapters.ts'

/** Each as "NAME FROM-TO", in seconds. */
const speeches = (...texts: string[]): RecordedSpeech[] =>
  texts.map((text) => {
    const [id = '', times = ''] = text.split(' ')
    const [from_seconds = 0, to_seconds = 0] = times.split('..').map(Number)
    return { id, from_seconds, to_seconds }
  })

const chapters = (...texts: string[]) => chaptersOf(speeches(...texts), 1000).map(({ id, from, to }) => [id, from, to])

test('a chapter begins where another user takes a turn', () => {
  expect(chapters('anna 0..60', 'ben 55..70', 'anna 72..120')).toEqual([
    ['anna', 0, 60],
    ['ben', 55, 70],
    ['anna', 72, 120],
  ])
  expect(chapters('anna 0..60', 'ben 61..90', 'anna 95..200')).toEqual([
    ['anna', 0, 60],
    ['ben', 61, 90],
    ['anna', 95, 200],
  ])
})

test.each([
  ['a pause', ['anna 0..60', 'anna 75..120'], [['anna', 0, 120]]],
  ['a short interruption', ['anna 0..60', 'ben 61..65', 'anna 66..120'], [['anna', 0, 120]]],
  ['a question within a long turn', ['anna 0..60', 'ben 30..55', 'anna 64..120'], [['anna', 0, 120]]],
  ['a long silence', ['anna 0..60', 'anna 400..460'], [['anna', 0, 460]]],
])('%s does not end a chapter', (_what, texts, expected) => {
  expect(chapters(...texts)).toEqual(expected)
})

test('ends with the recording, and begins with it', () => {
  expect(chapters('anna -30..60', 'ben 900..1100', 'carl 1001..1100')).toEqual([
    ['anna', 0, 60],
    ['ben', 900, 1000],
  ])
})

test('has no chapters where no one spoke for long', () => {
  expect(chapters()).toEqual([])
  expect(chapters('anna 1..5', 'ben 6..9')).toEqual([])
})

test('has fewer, longer chapters where very many took turns', () => {
  const turns = Array.from({ length: 2000 }, (_, index) => {
    const from = index * 50
    const to = from + (index % 100 === 0 ? 49 : 12)
    return `${index % 2 ? 'anna' : 'ben'}${index % 100 === 0 ? '-long' : ''} ${from}..${to}`
  })
  const found = chaptersOf(speeches(...turns), 100_000)
  expect(found.length).toBeLessThanOrEqual(300)
  expect(found.every(({ id }) => id.endsWith('-long'))).toBe(true)
})

test('names the chapter and the speakers of a moment', () => {
  const spoken = speeches('anna 10..60', 'ben 50..90')
  const found = chaptersOf(spoken, 100)
  expect(chapterAt(found, 5)).toBeUndefined()
  expect(chapterAt(found, 55)?.id).toBe('ben')
  expect(chapterAt(found, 99)?.id).toBe('ben')
  expect(speakersAt(spoken, 55)).toEqual(['anna', 'ben'])
  expect(speakersAt(spoken, 95)).toEqual([])
})
