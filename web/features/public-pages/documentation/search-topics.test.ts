import { expect, test } from 'vitest'
import { findHits, searchTopics } from './search-topics.ts'

const TOPICS = [
  { id: 'users', title: 'Your users', text: 'The list of everyone who may join your room.' },
  { id: 'switch', title: 'A user has a new phone', text: 'Choose Switch phone in the menu of that user.' },
  { id: 'phone', title: 'On the phone', text: `${'You listen. '.repeat(20)}To say something, ask to speak.` },
  { id: 'keys', title: 'Keys', text: 'All of them: N is Next, M mutes the speakers, and Shift M is Mute All.' },
  { id: 'colours', title: 'Tiles', text: 'During Mute All everyone is yellow.' },
  { id: 'sooner', title: 'Why not mute all?', text: '' },
  { id: 'all', title: 'Mute All and Unmute All', text: 'It works immediately.' },
  { id: 'term', title: 'The subscription', text: 'It is paid by the month.' },
  { id: 'other', title: 'Everyone', text: 'All can be heard. Mute one.' },
]
const ids = (typed: string) => searchTopics(TOPICS, typed).map(({ id }) => id)

// Hits in a title come first, then hits of the whole phrase in a text.
test.each([
  ['room', ['users']],
  ['PHONE', ['switch', 'phone']],
  ['phone switch', ['switch']],
  ['speak', ['phone', 'keys']],
  ['phóne say', ['phone']],
  ['mute all', ['all', 'sooner', 'keys', 'colours', 'other']],
  ['all unmute', ['all']],
  ['lost phone', ['switch']],
  ['silence', ['sooner', 'all', 'keys', 'colours', 'other']],
  ['refund', ['term']],
  ['refund policy', []],
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

test.each([
  ['Mute All, then unmute all', 'mute all', ['Mute All', 'mute all']],
  ['All can mute one', 'mute all', ['All', 'mute']],
  ['The café of İpek: cafe', 'CAFÉ', ['café', 'cafe']],
  ['a.b', '.', ['.']],
  ['words', ' ', []],
])('in %j the hits of %j are %j', (text, typed, expected) => {
  expect(findHits(text, typed).map(({ from, to }) => text.slice(from, to))).toEqual(expected)
})
