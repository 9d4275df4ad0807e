import { expect, test } from 'vitest'
import { SILENCE, type SoundState } from '../../meeting/messages.ts'
import { TapCall } from './tap-call.ts'

const joining: SoundState = { ...SILENCE, audio: 'ready' }
const on: SoundState = { ...SILENCE, audio: 'on' }
const lost: SoundState = { ...SILENCE, audio: 'lost' }
const hostAbsent: SoundState = { ...SILENCE, audio: 'joining', trouble: 'host_absent' }

const callsOf = (...states: SoundState[]) => {
  const call = new TapCall()
  call.tapped()
  return states.map((state) => call.see(state).isNew)
}

test('does not call whoever has just tapped Join', () => {
  expect(callsOf(SILENCE, joining, on)).toEqual([false, false, false])
})

test('calls once when the sound was lost and waits for a tap, and again after the next loss', () => {
  expect(callsOf(joining, on, lost, joining, joining)).toEqual([false, false, false, true, false])
  expect(callsOf(joining, on, lost, joining, on, lost, joining).at(-1)).toBe(true)
})

test('calls when the host has come, whom the person has waited for', () => {
  expect(callsOf(joining, hostAbsent, hostAbsent, joining)).toEqual([false, false, false, true])
})

test('calls once however often the meeting is tried', () => {
  const failed: SoundState = { ...SILENCE, audio: 'lost', trouble: 'join_failed' }
  expect(callsOf(joining, failed, joining, failed, joining)).toEqual([false, false, true, false, false])
})

test('is silent after a tap that starts the sound anew, and until then says that a tap is awaited', () => {
  const call = new TapCall()
  for (const state of [joining, on, lost]) call.see(state)
  expect(call.see(joining)).toEqual({ isAwaited: true, isNew: true })
  call.tapped()
  expect(call.see(joining)).toEqual({ isAwaited: false, isNew: false })
})
