import { expect, test } from 'vitest'
import { searchWords, wordMatcher } from './search-words.ts'

test.each([
  ['The HARVEST, at João’s!', ['the', 'harvest', 'at', "joao's"]],
  ['Ｆｕｌｌ ﬁg Ångström', ['full', 'fig', 'angstrom']],
  ['हिन्दी बोलते', ['हिन्दी', 'बोलते']],
  ['— … ?!', []],
  ['x'.repeat(100), ['x'.repeat(40)]],
])('finds the words of %j', (text, words) => {
  expect(searchWords(text).map(({ word }) => word)).toEqual(words)
})

test('finds words where none are apart', () => {
  expect(searchWords('今日は天気がいい').length).toBeGreaterThan(2)
})

test('says where a word stands', () => {
  expect(searchWords('Ça va')).toEqual([
    { word: 'ca', from: 0, to: 2 },
    { word: 'va', from: 3, to: 5 },
  ])
})

test('matches whole words, and the beginning of the last', () => {
  const matches = wordMatcher('the Har')
  expect(['the', 'then', 'harvest', 'har', 'ha'].map(matches)).toEqual([true, false, true, true, false])
  expect(wordMatcher('?')('a')).toBe(false)
})
