import { SHORTEST_SPEECH_MS, type Speech } from './speeches.ts'

/** A user's part of the meeting under way. Replaced when it changes. */
export interface Spoken {
  readonly ms: number
  readonly turns: number
  /** The last speech, and how much of `ms` it is: it is given again when it goes on after a pause. */
  readonly last: { readonly began_at: number; readonly ms: number } | null
}

const NOTHING: Spoken = { ms: 0, turns: 0, last: null }

/** A room without a meeting of Zoom begins another meeting with the first user after this quiet time. */
export const QUIET_MS = 30 * 60_000

export function addSpeech(before: Spoken | null, { began_at, ended_at }: Speech & { ended_at: number }): Spoken | null {
  const { ms, turns, last } = before ?? NOTHING
  const known = last?.began_at === began_at ? last.ms : 0
  const spoken = ended_at - began_at
  if (spoken < SHORTEST_SPEECH_MS || spoken <= known) return before
  return { ms: ms - known + spoken, turns, last: { began_at, ms: spoken } }
}

export function addTurn(before: Spoken | null): Spoken {
  const { turns, ...spoken } = before ?? NOTHING
  return { ...spoken, turns: turns + 1 }
}
