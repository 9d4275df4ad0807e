import { expect, test } from 'vitest'
import type { RoomEvent } from '../room-events.ts'
import { isCommandFor, newerWords, obey, type PhoneState, withEnd } from './obey.ts'

const talking: PhoneState = {
  id: 'me',
  is_host: false,
  is_muted: false,
  speaker_on: true,
  is_speaking: true,
  wants_to_speak: false,
  host_mute_all_active: false,
  asked_to_speak: false,
  ended: null,
}
const muted = { ...talking, speaker_on: false, is_speaking: false, is_muted: true }

const muteAll = (active: boolean): RoomEvent => ({ name: 'host-mute-all', data: { room_id: 'room', active } })
const mute = (user_id: string, is_muted: boolean): RoomEvent => ({
  name: 'user-mute-status',
  data: { user_id, is_muted, by: 'host' },
})
const deactivate = (user_id: string): RoomEvent => ({
  name: 'user-deactivated',
  data: { user_id, reason: 'deactivated' },
})

test.each<[string, PhoneState, RoomEvent, Partial<PhoneState>]>([
  ['Mute All silences it', talking, muteAll(true), { ...muted, host_mute_all_active: true }],
  [
    'a Mute All that leaves it out lets it talk on',
    talking,
    { name: 'host-mute-all', data: { room_id: 'room', active: true, except: ['other', 'me'] } },
    { is_muted: false, is_speaking: true, host_mute_all_active: true },
  ],
  ['its own mute silences it', talking, mute('me', true), muted],
  [
    'a mute lets a raised hand stay up',
    { ...talking, wants_to_speak: true },
    mute('me', true),
    { wants_to_speak: true },
  ],
  [
    'its own unmute opens it under Mute All',
    { ...muted, host_mute_all_active: true },
    mute('me', false),
    {
      is_muted: false,
      host_mute_all_active: true,
    },
  ],
  ['an unmute does not make it speak', muted, mute('me', false), { speaker_on: false, is_speaking: false }],
  [
    'an unmute answers its raised hand',
    { ...muted, wants_to_speak: true },
    mute('me', false),
    { wants_to_speak: false },
  ],
  [
    'Unmute All opens it and answers its hand',
    { ...muted, host_mute_all_active: true, wants_to_speak: true },
    muteAll(false),
    { is_muted: false, wants_to_speak: false, host_mute_all_active: false },
  ],
  [
    'a fresh stream that says no Mute All holds leaves its hand up',
    { ...talking, wants_to_speak: true },
    muteAll(false),
    { wants_to_speak: true, is_muted: false },
  ],
  [
    "Mute All leaves the host's own phone talking",
    { ...talking, is_host: true },
    muteAll(true),
    {
      is_muted: false,
      is_speaking: true,
      host_mute_all_active: true,
    },
  ],
  [
    'deactivation ends it in silence',
    talking,
    deactivate('me'),
    {
      ended: 'deactivated',
      speaker_on: false,
      is_speaking: false,
    },
  ],
])('a phone obeys: %s', (_, state, event, expected) => {
  expect(obey(state, event)).toMatchObject(expected)
  expect(isCommandFor(state, event)).toBe(true)
})

test('a phone raises or lowers its hand as the room reports it', () => {
  const hand = (user_id: string, wants_to_speak: boolean): RoomEvent => ({
    name: 'user-speaker-toggle',
    data: { user_id, speaker_on: false, wants_to_speak, wants_to_speak_at: null },
  })
  const asking = { ...muted, wants_to_speak: true }
  expect(obey(asking, hand('me', false))).toEqual(muted)
  expect(obey(muted, hand('me', true))).toEqual(asking)
  expect(obey(asking, hand('other', false))).toBe(asking)
  expect(isCommandFor(asking, hand('me', false))).toBe(false)
})

test('an unmute asks the user to speak, until the microphone is on or the phone is muted again', () => {
  const speaker = (speaker_on: boolean): RoomEvent => ({
    name: 'user-speaker-toggle',
    data: { user_id: 'me', speaker_on, wants_to_speak: false, wants_to_speak_at: null },
  })
  const asked = obey(muted, mute('me', false))
  expect(asked.asked_to_speak).toBe(true)
  expect(obey(asked, mute('me', false)).asked_to_speak).toBe(true)
  expect(obey(asked, speaker(false)).asked_to_speak).toBe(true)
  expect(obey(asked, speaker(true)).asked_to_speak).toBe(false)
  expect(obey(asked, mute('me', true)).asked_to_speak).toBe(false)
  expect(obey({ ...muted, is_muted: false }, mute('me', false)).asked_to_speak).toBe(false)
  expect(obey({ ...muted, host_mute_all_active: true }, muteAll(false)).asked_to_speak).toBe(false)
})

test.each<[string, PhoneState, RoomEvent]>([
  ["another's mute", talking, mute('other', true)],
  ["another's deactivation", talking, deactivate('other')],
  ['the opening of a stream', talking, { name: 'test', data: { server_time: '2026-11-21T10:00:00Z' } }],
  [
    'its own echo',
    talking,
    { name: 'user-speaking-status', data: { user_id: 'me', is_speaking: false, speaking_since: null } },
  ],
  ['anything once it has ended', withEnd(talking, 'logout'), mute('me', false)],
])('a phone neither obeys nor acknowledges %s', (_, state, event) => {
  expect(obey(state, event)).toBe(state)
  expect(isCommandFor(state, event)).toBe(false)
})

test('the first reason for ending counts', () => {
  expect(withEnd(withEnd(talking, 'logout'), 'left').ended).toBe('logout')
})

const words = (as_of: string, ...ids: string[]) => ({
  as_of,
  list: ids.map((id) => ({ id, to: 'room' as const, text: id, rings: false, asks: false, answer: null })),
})
const wordEvent = (as_of: string, to: 'room' | 'user', id: string | null, user_id?: string): RoomEvent => ({
  name: 'word',
  data: {
    as_of,
    to,
    ...(user_id && { user_id }),
    word: id === null ? null : ({ ...words('', id).list[0], id, to } as never),
  },
})
const idsIn = (state: PhoneState) => state.words?.list.map(({ id }) => id)

test('a word takes the place of the one before in the room or for the user, whose word comes first', () => {
  let state = talking
  const seen: unknown[] = []
  for (const event of [
    wordEvent('e-1', 'room', 'w1'),
    wordEvent('e-2', 'user', 'w2', 'me'),
    wordEvent('e-3', 'user', 'w3', 'other'),
    wordEvent('e-4', 'room', 'w4'),
    wordEvent('e-3', 'room', 'late'),
    wordEvent('e-5', 'user', null, 'me'),
    wordEvent('f-1', 'room', null), // the server has begun anew
  ]) {
    state = obey(state, event)
    seen.push(idsIn(state))
  }
  expect(seen).toEqual([['w1'], ['w2', 'w1'], ['w2', 'w1'], ['w2', 'w4'], ['w2', 'w4'], ['w4'], []])
})

test('an answer that is older than what the phone knows changes nothing', () => {
  const known = words('e-7', 'w1')
  expect(newerWords(known, words('e-6'))).toBe(known)
  expect(newerWords(known, undefined)).toBe(known) // of the former release
  for (const as_of of ['e-7', 'e-10', 'f-1']) expect(newerWords(known, words(as_of))).toEqual(words(as_of))
})
