import { expect, test } from 'vitest'
import { z } from 'zod'
import { normaliseForComparison, visibleForm } from './normalise.ts'
import { cutToVisible, firstInvisibleCharacter, refuseMixedAlphabets } from './visible.ts'

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
  ['jose\u0301\u200dph', 'zero width joiner, U+200D'],
  ['jose\u0301\u200cph', 'zero width non-joiner, U+200C'],
  ['jose\u0951\u200dph', 'zero width joiner, U+200D'],
  ['ana \u0646\u200c-', 'zero width non-joiner, U+200C'],
  ['sun 😀\ufe0f\ufe0f', 'U+FE0F'],
  ['an\ufffcna', 'object replacement character, U+FFFC'],
  ['an\uffffna', 'U+FFFF'],
  ['an\ufdd0na', 'U+FDD0'],
])('%j contains invisible characters', (text, found) => {
  expect(firstInvisibleCharacter(text)).toBe(found)
})

test.each([
  'anna',
  'Müller',
  'صالح',
  'می\u200cخواهم',
  'ශ්\u200dරී',
  'क्\u200dष',
  'ক\u09cd\u200cষ',
  'नरेश',
  '李明',
  "O'Neil",
  'Ana María',
  'Ana ❤️',
  '👩🏽‍🏫 Ana',
  '👨‍👩‍👧',
])('%j is visible as it is', (text) => expect(firstInvisibleCharacter(text)).toBeNull())

test.each(['\u0430nna', 'Ann\u0430', 'M\u0430ria Clara', '\u0391nna', '\u0412\u039fB'])(
  '%j mixes alphabets',
  (text) => {
    expect(z.string().superRefine(refuseMixedAlphabets).safeParse(text).success).toBe(false)
  },
)

test.each(['anna', 'Анна', 'Άννα', 'Anna Иванова', 'Anna-Анна', 'José', '李明 Ming', 'علي Ali', 'U000001'])(
  '%j keeps to one alphabet in each word',
  (text) => expect(z.string().superRefine(refuseMixedAlphabets).safeParse(text).success).toBe(true),
)

test.each([
  ['مح\u200dمد', 'محمد'],
  ['sun 😀\ufe0f', 'sun 😀'],
  ['x©\ufe0fy', 'x©y'],
  ['anna  C', 'anna c'],
  ['anna \u3000c', 'anna c'],
])('%j is seen as %j', (one, other) => {
  expect(normaliseForComparison(one)).not.toBe(normaliseForComparison(other))
  expect(visibleForm(normaliseForComparison(one))).toBe(visibleForm(normaliseForComparison(other)))
})

test.each([
  ['Lee', 'Lee'],
  ['  Lee \n\t Chan ', 'Lee Chan'],
  ['\u202eeeL\u200b', 'eeL'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👨\u200d👩\u200d👧\u200d👦'.repeat(80), '👨\u200d👩\u200d👧\u200d👦'.repeat(64)],
  ['x'.repeat(1_000), 'x'.repeat(64)],
  [`L${'\u0301'.repeat(500)}ee`, 'Lee'],
  ['\u202e\u200b', ''],
])('%j is cut to what can be seen of 64 characters', (text, shown) => {
  expect(cutToVisible(text, 64)).toBe(shown)
  expect(firstInvisibleCharacter(cutToVisible(text, 64))).toBeNull()
})
