import { expect, test } from 'vitest'
import { fakeSession } from '../../../test/e2e/support/phone-gallery/fake-session.ts'
import { audioStatusOf, cannotSpeakReason, speakersOf } from './audio-status.ts'

type Changes = Parameters<typeof fakeSession>[0]
const viewOf = (changes: Changes) => fakeSession(changes).view

test.each<[string, Changes, string, string | null]>([
  ['a listener', {}, 'room.microphone_off', null],
  ['a speaker', { sound: { microphone: 'on' } }, 'room.heard', null],
  ['a muted user', { state: { is_muted: true } }, 'room.muted', 'room.cannot_speak_muted'],
  [
    'everyone under Mute All',
    { state: { is_muted: true, host_mute_all_active: true } },
    'room.muted_all',
    'room.cannot_speak_all',
  ],
  [
    'a user whom the host has let speak under Mute All',
    { state: { host_mute_all_active: true } },
    'room.microphone_off',
    null,
  ],
  ['a user without sound', { sound: { audio: 'joining' } }, 'room.no_sound', 'room.cannot_speak_sound'],
  ['a user who has not tapped yet', { sound: { audio: 'ready' } }, 'room.ready', 'room.cannot_speak_sound'],
  [
    'a user whose meeting is over',
    { sound: { audio: 'lost', trouble: 'meeting_ended' } },
    'room.over',
    'room.cannot_speak_sound',
  ],
  ['a user who lost the sound', { sound: { audio: 'lost' } }, 'room.sound_lost', 'room.cannot_speak_sound'],
  ['a browser that blocks the sound', { sound: { audio: 'blocked' } }, 'room.sound_blocked', 'room.cannot_speak_sound'],
  ['a refused microphone', { sound: { microphone: 'refused' } }, 'room.listening_only', 'room.cannot_speak_refused'],
  ['a microphone that the phone has silenced', { sound: { microphone: 'silenced' } }, 'room.microphone_off', null],
  ['a user out of reach', { connection: 'lost' }, 'room.microphone_off', 'room.cannot_speak_connection'],
  ['a missing microphone', { sound: { microphone: 'missing' } }, 'room.listening_only', 'room.cannot_speak_missing'],
])('%s is shown as such', (_who, changes, title, reason) => {
  expect(audioStatusOf(viewOf(changes)).title).toBe(title)
  expect(cannotSpeakReason(viewOf(changes))).toBe(reason)
})

test('never says that one can be heard while the sound is off, or while muted', () => {
  for (const audio of ['off', 'joining', 'blocked', 'lost'] as const)
    expect(audioStatusOf(viewOf({ sound: { audio, microphone: 'on' } })).tone).toBe('none')
  const closing = audioStatusOf(viewOf({ state: { is_muted: true }, sound: { microphone: 'on' } }))
  expect(closing).toMatchObject({ tone: 'muted', detail: 'room.closing' })
})

test('names each speaker once, whether Parley or the meeting knows of them', () => {
  const now = { speaking: [{ id: 'u2', username: 'Thomas' }] }
  expect(speakersOf(viewOf({ now, sound: { speaking: ['Thomas', 'Ines'] } }))).toEqual(['Thomas', 'Ines'])
})
