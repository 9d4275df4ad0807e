import type { StandingWord } from '../../../shared/room-words.ts'

/** Says who has read a word, and how well they hear. */
export function wordState({ user, asks, read, of, well, badly }: StandingWord): string {
  if (user) {
    if (well > 0) return 'Hears well'
    if (badly > 0) return 'Hears badly'
    if (read > 0) return asks ? 'Read, no answer' : 'Read'
    return 'Not read yet'
  }
  const count = (number: number) => number.toLocaleString('en')
  const readers = `Read by ${count(read)} of ${count(of)}`
  return asks ? `${readers} · hear well ${count(well)}, badly ${count(badly)}` : readers
}

/** Names what the button does: a word to one user that was read is on no phone any more. */
export const wordVerb = ({ user, asks, read, well, badly }: StandingWord) =>
  user && read > 0 && (!asks || well + badly === 0) ? 'Clear' : 'Take back'
