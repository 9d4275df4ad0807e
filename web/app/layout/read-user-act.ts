const VERBS = ['invite', 'mute', 'unmute'] as const
export type UserVerb = (typeof VERBS)[number]

/** Reads an act on a user, such as “mute priya” or “priya mute”; null if the words name none. */
export function readUserAct(words: string): { verb: UserVerb; name: string } | null {
  const typed = words.trim().split(/\s+/)
  if (typed.length < 2) return null
  const first = verbOf(typed[0])
  if (first) return { verb: first, name: typed.slice(1).join(' ') }
  const last = verbOf(typed.at(-1))
  return last ? { verb: last, name: typed.slice(0, -1).join(' ') } : null
}

function verbOf(word = ''): UserVerb | undefined {
  return VERBS.find((verb) => verb === word.toLowerCase())
}
