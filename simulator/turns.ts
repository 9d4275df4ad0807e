import type { PhoneState } from './obey.ts'
import type { Random } from './random.ts'

/** What the turn-taking needs to know of a phone. */
export type Person = { state: PhoneState; isConnected: boolean }

/** Raised hands are heard before others this often. */
const HANDS_FIRST = 0.15

/** Who speaks next: anyone who may, but never the same person twice running while there is another. */
export function nextSpeaker<P extends Person>(people: Iterable<P>, last: P | null, random: Random): P | null {
  const free = [...people].filter(mayTakeTheFloor)
  const others = free.filter((person) => person !== last)
  const choice = others.length > 0 ? others : free
  const hands = choice.filter((person) => person.state.wants_to_speak)
  const first = hands.length > 0 && random.next() < HANDS_FIRST ? hands : choice
  return random.pick(first) ?? null
}

/** Who might ask to speak next, while fewer than `most` hands are up. */
export function nextHand<P extends Person>(people: Iterable<P>, most: number, random: Random): P | null {
  const inRoom = [...people].filter((person) => person.isConnected)
  if (inRoom.filter((person) => person.state.wants_to_speak).length >= most) return null
  const quiet = inRoom.filter(({ state }) => !state.wants_to_speak && !state.speaker_on && !state.is_host)
  return random.pick(quiet) ?? null
}

function mayTakeTheFloor({ state, isConnected }: Person) {
  return isConnected && !state.is_muted && !state.is_speaking && !state.speaker_on
}
