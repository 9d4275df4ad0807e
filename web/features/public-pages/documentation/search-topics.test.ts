import { expect, test } from 'vitest'
import { searchTopics } from './search-topics.ts'

const TOPICS = [
  { id: 'users', title: 'Your people', text: 'The list of everybody who may join your room.' },
  { id: 'switch', title: 'Somebody has a new phone', text: 'Choose Switch phone in the menu of that person.' },
  { id: 'phone', title: 'On the phone', text: `${'You listen. '.repeat(20)}To say something, ask to speak.` },
]
const ids = (typed: string) => searchTopics(TOPICS, typed).map(({ id }) => id)

test.each([
  ['room', ['users']],
  ['PHONE', ['switch', 'phone']],
  ['phone switch', ['switch']],
  ['speak', ['phone']],
  ['phóne say', ['phone']],
  ['.*', []],
  ['   ', []],
  ['', []],
])('%j finds %j', (typed, expected) => {
  expect(ids(typed)).toEqual(expected)
})

test('a result shows the place of the word, cut between words', () => {
  const [found] = searchTopics(TOPICS, 'speak')
  expect(found?.snippet).toMatch(/^… .*To say something, ask to speak\.$/)
  expect(found?.snippet.length).toBeLessThan(190)
})
