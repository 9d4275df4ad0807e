import { describe, expect, test } from 'vitest'
import { maySpeak, tileColour, tileState, tileWord } from './tile-state.ts'

const quiet = { is_speaking: false, wants_to_speak: false, is_muted: false, speaker_on: false }

describe('the colour of a tile', () => {
  test.each([
    ['nothing', {}, false, 'yellow'],
    ['nothing, in a silenced room', {}, true, 'yellow'],
    ['speaker on', { speaker_on: true }, false, 'green'],
    ['speaker on, in a silenced room', { speaker_on: true }, true, 'yellow'],
    ['muted', { is_muted: true }, false, 'yellow'],
    ['speaking', { is_speaking: true, speaker_on: true }, false, 'red'],
    ['speaking, in a silenced room', { is_speaking: true, speaker_on: true }, true, 'red'],
    ['asks to speak', { wants_to_speak: true }, false, 'red'],
    ['asks to speak while muted', { wants_to_speak: true, is_muted: true }, true, 'red'],
    ['asks to speak with the speaker on', { wants_to_speak: true, speaker_on: true }, false, 'red'],
  ] as const)('%s', (_, now, hostMuteAll, colour) => {
    expect(tileColour({ ...quiet, ...now }, hostMuteAll)).toBe(colour)
  })
})

describe('the label of a tile', () => {
  test.each([
    [{}, 'listening'],
    [{ speaker_on: true }, 'speaker-on'],
    [{ is_muted: true }, 'muted'],
    [{ is_muted: true, wants_to_speak: true }, 'wants-to-speak'],
    [{ speaker_on: true, wants_to_speak: true, is_speaking: true }, 'speaking'],
  ] as const)('%o is %s', (now, state) => {
    expect(tileState({ ...quiet, ...now })).toBe(state)
  })
})

test.each([
  ['listens', {}, 'May speak'],
  ['has the speaker on', { speaker_on: true }, 'May speak'],
  ['speaks', { is_speaking: true, speaker_on: true }, 'Speaking'],
  ['is muted', { is_muted: true }, 'Muted'],
])('under Mute All a user who %s has a tile that says so', (_, now, word) => {
  const user = {
    ...quiet,
    is_online: true,
    audio: null,
    zoom_code: null,
    microphone: null,
    asked_to_speak: false,
    ...now,
  }
  expect(tileWord(user, true)).toBe(word)
  expect(maySpeak(user, true)).toBe(word === 'May speak')
  expect(maySpeak(user, false)).toBe(false)
  expect(tileWord({ ...user, is_online: false }, true)).toBe('Offline')
})

test.each([
  ['says nothing of its sound', {}, 'Listening'],
  ['has sound', { audio: 'on' }, 'Listening'],
  ['waits for the host', { audio: 'waiting' }, 'Waiting for the meeting'],
  ['needs a tap', { audio: 'ready' }, 'Has to tap Join Audio'],
  ['Zoom refuses', { audio: 'refused' }, 'Zoom refused'],
  ['Zoom refuses with a code', { audio: 'refused', zoom_code: 3712 }, 'Zoom refused (3712)'],
  ['was removed', { audio: 'removed' }, 'Removed in Zoom'],
  ['has no sound', { audio: 'off', is_muted: true }, 'No sound'],
  ['joins', { audio: 'joining' }, 'Joining'],
  ['may not play sound', { audio: 'blocked' }, 'Sound blocked'],
  ['has lost its sound', { audio: 'lost', speaker_on: true }, 'Sound lost'],
  ['has lost its sound, and asks to speak', { audio: 'lost', wants_to_speak: true }, 'Wants to speak'],
  ['has lost its sound, and is heard', { audio: 'lost', is_speaking: true }, 'Speaking'],
  ['may not use its microphone', { microphone: 'refused' }, 'Cannot speak'],
  ['has no microphone, and was asked to speak', { microphone: 'missing', asked_to_speak: true }, 'Cannot speak'],
  ['may not use its microphone, and is muted', { microphone: 'refused', is_muted: true }, 'Muted'],
  ['was asked to speak', { audio: 'on', asked_to_speak: true }, 'Asked to speak'],
  [
    'was asked to speak and has raised its hand since',
    { asked_to_speak: true, wants_to_speak: true },
    'Wants to speak',
  ],
] as const)('the tile of a phone that %s says so', (_, now, word) => {
  const user = {
    ...quiet,
    is_online: true,
    audio: null,
    zoom_code: null,
    microphone: null,
    asked_to_speak: false,
    ...now,
  }
  expect(tileWord(user, false)).toBe(word)
  expect(tileWord({ ...user, is_online: false }, false)).toBe('Offline')
})
