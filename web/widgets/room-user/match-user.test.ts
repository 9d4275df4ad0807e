import { expect, test } from 'vitest'
import { userMatcher } from './match-user.ts'

const asha = { username: 'Asha Rao', user_id: 'U000017', reference: 'Gate ４' }

test.each([
  ['', true],
  ['  ', true],
  ['asha', true],
  ['RAO', true],
  ['u000017', true],
  ['17', true],
  ['gate 4', true],
  ['mina', false],
  ['U000018', false],
])('"%s" finds Asha: %s', (words, found) => {
  expect(userMatcher(words)(asha)).toBe(found)
})

test('a user without a reference is found by name alone', () => {
  expect(userMatcher('null')({ ...asha, reference: null })).toBe(false)
})

test('a search does not match across two fields', () => {
  expect(userMatcher('raou0')(asha)).toBe(false)
})
