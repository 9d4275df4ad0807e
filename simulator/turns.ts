import type { PhoneState } from '../shared/phone/obey.ts'
import type { Random } from './random.ts'

export type SimulatedPerson = { state: PhoneState; isConnected: boolean }

/** The share of turns in which a person with a raised hand goes first. */
const HAND_FIRST_SHARE = 0.15

/** Picks anyone who may speak, but never the same person twice in a row while there are others. */
export function nextSpeaker<P extends SimulatedPerson>(people: Iterable<P>, last: P | null, random: Random): P | null {
  const free = [...people].filter(maySpeak)
  const others = free.filter((person) => person !== last)
  const choice = others.length > 0 ? others : free
  const hands = choice.filter((person) => person.state.wants_to_speak)
  const candidates = hands.length > 0 && random.next() < HAND_FIRST_SHARE ? hands : choice
  return random.pick(candidates) ?? null
}

/** Picks a listener while fewer than `most` hands are up. */
export function nextToRaiseHand<P extends SimulatedPerson>(
  people: Iterable<P>,
  most: number,
  random: Random,
): P | null {
  const inRoom = [...people].filter((person) => person.isConnected)
  if (inRoom.filter((person) => person.state.wants_to_speak).length >= most) return null
  const quiet = inRoom.filter(({ state }) => !state.wants_to_speak && !state.speaker_on && !state.is_host)
  return random.pick(quiet) ?? null
}

function maySpeak({ state, isConnected }: SimulatedPerson) {
  return isConnected && !state.is_muted && !state.is_speaking && !state.speaker_on
}
