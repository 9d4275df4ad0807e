import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PhoneState } from '../shared/phone/obey.ts'
import { seededRandom } from './random.ts'
import { nextSpeaker, nextToRaiseHand, type SimulatedPerson } from './turns.ts'

const quiet: PhoneState = {
  id: '',
  is_host: false,
  is_muted: false,
  speaker_on: false,
  is_speaking: false,
  wants_to_speak: false,
  host_mute_all_active: false,
  asked_to_speak: false,
  ended: null,
}
const person = (state: Partial<PhoneState> = {}, isConnected = true): SimulatedPerson => ({
  state: { ...quiet, ...state },
  isConnected,
})

test('no one speaks twice running while another person may', () => {
  const people = [person(), person(), person()]
  const random = seededRandom('turns')
  let last = nextSpeaker(people, null, random)
  for (let turn = 0; turn < 100; turn++) {
    const next = nextSpeaker(people, last, random)
    expect(next).not.toBe(last)
    last = next
  }
})

test('the only person who may speak speaks again', () => {
  const only = person()
  expect(nextSpeaker([person({ is_muted: true }), only], only, seededRandom('turns'))).toBe(only)
})

test('a speaker is never muted, away, or already speaking', () => {
  const people = fc.array(
    fc.record({
      state: fc.record({ is_muted: fc.boolean(), speaker_on: fc.boolean(), is_speaking: fc.boolean() }),
      isConnected: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(people, fc.string(), (drawn, seed) => {
      const room = drawn.map(({ state, isConnected }) => person(state, isConnected))
      const free = room.filter(
        ({ state, isConnected }) => isConnected && !state.is_muted && !state.speaker_on && !state.is_speaking,
      )
      const next = nextSpeaker(room, null, seededRandom(seed))
      if (free.length === 0) expect(next).toBeNull()
      else expect(free).toContain(next)
    }),
  )
})

test('a muted person may raise a hand while few are up', () => {
  const asking = person({ is_muted: true, wants_to_speak: true })
  const silenced = person({ is_muted: true })
  expect(nextToRaiseHand([asking, silenced], 2, seededRandom('hands'))).toBe(silenced)
  expect(nextToRaiseHand([asking, silenced], 1, seededRandom('hands'))).toBeNull()
})

test('the same seed gives the same evening', () => {
  const people = Array.from({ length: 20 }, () => person())
  const evening = (seed: string) => {
    const random = seededRandom(seed).fork('floor 1')
    return Array.from({ length: 20 }, () => people.indexOf(nextSpeaker(people, null, random) ?? person()))
  }
  expect(evening('1')).toEqual(evening('1'))
  expect(evening('1')).not.toEqual(evening('2'))
})
