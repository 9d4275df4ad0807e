import { expect, test } from 'vitest'
import { z } from 'zod'
import { invisibleIn, unmixed } from './visible.ts'

test.each([
  ['an\u200bna', 'zero width space, U+200B'],
  ['anna\u202egnp', 'right-to-left override, U+202E'],
  ['an\u200dna', 'zero width joiner, U+200D'],
  ['\ufeffanna', 'zero width no-break space, U+FEFF'],
  ['an\u00adna', 'soft hyphen, U+00AD'],
  ['an\u0007na', 'U+0007'],
  ['an\u3164na', 'Hangul filler, U+3164'],
  ['an\u{e0041}na', 'U+E0041'],
  ['anna\ufe0f', 'U+FE0F'],
  ['x\u17b4y', 'Khmer inherent vowel, U+17B4'],
  ['an\u2028na', 'line separator, U+2028'],
  ['an\u034fna', 'combining grapheme joiner, U+034F'],
])('%j contains invisible characters', (text, found) => {
  expect(invisibleIn(text)).toBe(found)
})

test.each([
  'anna',
  'Müller',
  'صالح',
  'می\u200cخواهم',
  'ශ්\u200dරී',
  'नरेश',
  '李明',
  "O'Neil",
  'Ana María',
  'Ana ❤️',
  '👩🏽‍🏫 Ana',
  '👨‍👩‍👧',
])('%j is visible as it is', (text) => expect(invisibleIn(text)).toBeNull())

test.each(['\u0430nna', 'Ann\u0430', 'M\u0430ria Clara', '\u0391nna', '\u0412\u039fB'])(
  '%j mixes alphabets',
  (text) => {
    expect(z.string().superRefine(unmixed).safeParse(text).success).toBe(false)
  },
)

test.each(['anna', 'Анна', 'Άννα', 'Anna Иванова', 'Anna-Анна', 'José', '李明 Ming', 'علي Ali', 'U000001'])(
  '%j keeps to one alphabet in each word',
  (text) => expect(z.string().superRefine(unmixed).safeParse(text).success).toBe(true),
)
