import { expect, test } from 'vitest'
import { announcements } from './announcements.ts'

const user = (username: string, is_muted = false, wants_to_speak = false, asleep = false) => ({
  id: username,
  username,
  asleep,
  is_muted,
  wants_to_speak,
})
const asleep = (username: string) => user(username, false, false, true)
const everybody = ['Asha', 'Bea', 'Chi', 'Dev']

test.each([
  ['nothing changed', [user('Asha')], [user('Asha')], ''],
  ['one asks', [user('Asha')], [user('Asha', false, true)], 'Asha wants to speak.'],
  ['a hand goes down', [user('Asha', false, true)], [user('Asha')], ''],
  ['two are muted', [user('Asha'), user('Bea')], [user('Asha', true), user('Bea', true)], 'Asha and Bea are muted.'],
  ['one is unmuted', [user('Asha', true, true)], [user('Asha')], 'Asha is unmuted.'],
  ['a phone falls silent', [user('Asha')], [asleep('Asha')], 'Asha is not answering.'],
  ['two phones are back', [asleep('Asha'), asleep('Bea')], [user('Asha'), user('Bea')], 'Asha and Bea answer again.'],
  ['a newcomer is no news', [], [user('Asha', true, true)], ''],
  [
    'four at once',
    everybody.map((name) => user(name)),
    everybody.map((name) => user(name, true)),
    'All 4 users are muted.',
  ],
  [
    'four of five at once',
    [...everybody, 'Eli'].map((name) => user(name)),
    [...everybody.map((name) => user(name, true)), user('Eli')],
    '4 users are muted.',
  ],
  [
    'both kinds',
    [user('Asha'), user('Bea', true)],
    [user('Asha', false, true), user('Bea')],
    'Asha wants to speak. Bea is unmuted.',
  ],
])('%s', (_, before, after, said) => {
  expect(announcements(before, after)).toBe(said)
})
