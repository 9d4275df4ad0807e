import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { translateInto } from './words.ts'

const Word = z.union([z.string().min(1), z.record(z.string(), z.string().min(1))])
const File = z.strictObject({
  direction: z.enum(['ltr', 'rtl']),
  reviewed: z.boolean(),
  words: z.record(z.string(), Word),
})

const folder = import.meta.dirname
const codes = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.replace('.json', '')] : []))
const read = (code: string) => File.parse(JSON.parse(readFileSync(join(folder, `${code}.json`), 'utf8')))
const english = read('en')

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
const main = (word: z.infer<typeof Word>) => (typeof word === 'string' ? word : (word.other ?? ''))

test('there are at least these languages', () => {
  expect(codes).toEqual(expect.arrayContaining(['ar', 'en', 'es', 'hi']))
})

describe.each(codes)('the words in %s', (code) => {
  const { words } = read(code)

  test('have exactly the keys of English', () => {
    expect(Object.keys(words)).toEqual(Object.keys(english.words))
  })

  test('have its placeholders, and a form for each count that the language tells apart', () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories
    for (const [key, original] of Object.entries(english.words)) {
      const word = words[key] ?? ''
      expect([key, placeholders(main(word))]).toEqual([key, placeholders(main(original))])
      expect([key, typeof word]).toEqual([key, typeof original])
      if (typeof word === 'string') continue
      expect([key, Object.keys(word).sort()]).toEqual([key, [...forms].sort()])
      for (const form of Object.values(word))
        expect(placeholders(main(original))).toEqual(expect.arrayContaining(placeholders(form)))
    }
  })

  test("call Zoom's button what Zoom calls it there", () => {
    const [label, ofZoom] = [
      main(english.words['room.zoom_join_audio'] ?? ''),
      main(words['room.zoom_join_audio'] ?? ''),
    ]
    const naming = Object.entries(english.words).filter(([, original]) => main(original).includes(label))
    expect(naming.length).toBeGreaterThan(5)
    for (const [key] of naming) expect([key, main(words[key] ?? '').includes(ofZoom)]).toEqual([key, true])
  })

  test('are no longer than three times the English ones', () => {
    for (const [key, original] of Object.entries(english.words))
      expect([key, main(words[key] ?? '').length < 3 * main(original).length + 12]).toEqual([key, true])
  })
})

test('a count takes the form and the digits of its language', () => {
  const arabic = read('ar')
  expect(translateInto('en', english, 'room.here', { count: 1 })).toBe('1 person here')
  expect(translateInto('en', english, 'room.here', { count: 1200 })).toBe('1,200 people here')
  expect(translateInto('ar', arabic, 'room.here', { count: 2 })).toBe('شخصان هنا')
})

test('a name is isolated from the letters around it', () => {
  expect(translateInto('en', english, 'lobby.call', { number: 'x' })).toBe('Call \u2068x\u2069')
})

test('a text that a language lacks is in English', () => {
  const nothing = { direction: 'rtl', reviewed: false, words: {} }
  expect(translateInto('ar', nothing, 'room.here', { count: 3 })).toBe('3 people here')
})
