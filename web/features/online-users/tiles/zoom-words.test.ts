import { expect, test } from 'vitest'
import { buildAttendee } from '../../../../test/factories/attendees.ts'
import { zoomWords } from './zoom-words.ts'

const awake = { is_muted: false, asleep: false, pending_command: null }
const muted = { ...awake, is_muted: true }
const open = buildAttendee({ muted: false })
const silent = buildAttendee({ muted: true })
const withoutSound = buildAttendee({ audio: '', muted: null })

test.each([
  ['is heard, as the phone says', awake, [open], null],
  ['is muted, as the phone says', muted, [silent], null],
  ['is muted, and sleeps', { ...muted, asleep: true }, [silent], 'Muted in Zoom'],
  ['sleeps, without sound in Zoom', { ...muted, asleep: true }, [withoutSound], null],
  ['is muted, with an open microphone', muted, [open], 'Microphone on in Zoom'],
  ['is muted on one device of two', muted, [silent, open], 'Microphone on in Zoom'],
  ['is in with two devices', awake, [open, silent], 'Joined twice'],
  ['is not in Zoom', muted, [], null],
] as const)('a user who %s', (_, user, attendees, words) => {
  expect(zoomWords(user, attendees)).toBe(words)
})
