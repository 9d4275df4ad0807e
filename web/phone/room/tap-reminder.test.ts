import { expect, test } from 'vitest'
import { SOUND_OFF, type SoundState } from '../../meeting/messages.ts'
import { TapReminder } from './tap-reminder.ts'

const joining: SoundState = { ...SOUND_OFF, audio: 'ready' }
const on: SoundState = { ...SOUND_OFF, audio: 'on' }
const lost: SoundState = { ...SOUND_OFF, audio: 'lost' }
const hostAbsent: SoundState = { ...SOUND_OFF, audio: 'joining', trouble: 'host_absent' }

const callsOf = (...states: SoundState[]) => {
  const call = new TapReminder()
  call.tapped()
  return states.map((state) => call.update(state).isNew)
}

test('does not call whoever has just tapped Join', () => {
  expect(callsOf(SOUND_OFF, joining, on)).toEqual([false, false, false])
})

test('calls once when the sound was lost and waits for a tap, and again after the next loss', () => {
  expect(callsOf(joining, on, lost, joining, joining)).toEqual([false, false, false, true, false])
  expect(callsOf(joining, on, lost, joining, on, lost, joining).at(-1)).toBe(true)
})

test('calls when the host has come, whom the person has waited for', () => {
  expect(callsOf(joining, hostAbsent, hostAbsent, joining)).toEqual([false, false, false, true])
})

test('calls once however often the meeting is tried', () => {
  const failed: SoundState = { ...SOUND_OFF, audio: 'lost', trouble: 'join_failed' }
  expect(callsOf(joining, failed, joining, failed, joining)).toEqual([false, false, true, false, false])
})

test('is silent after a tap that starts the sound anew, and until then says that a tap is awaited', () => {
  const call = new TapReminder()
  for (const state of [joining, on, lost]) call.update(state)
  expect(call.update(joining)).toEqual({ isAwaited: true, isNew: true })
  call.tapped()
  expect(call.update(joining)).toEqual({ isAwaited: false, isNew: false })
})
