import type { Hearing, PhoneWord, PhoneWords, WordEvent } from '../../../../shared/phone-words.ts'
import type { StandingWord } from '../../../../shared/room-words.ts'
import { eventId } from './event-id.ts'
import type { Participant } from './participant.ts'
import type { Participants } from './participants.ts'
import { QUIET_MS } from './spoken.ts'

/** A word of the host, which stands until it is taken back, replaced, or the meeting is over. */
export interface RoomWord {
  id: string
  /** Null if it is to the whole room. */
  user_id: string | null
  text: string
  rings: boolean
  asks: boolean
  by: { id: string; name: string }
  at: number
}

export interface RoomWordsSnapshot {
  number: number
  emptySince: number | null
  words: { word: RoomWord; read: string[]; answers: [string, Hearing][] }[]
}

interface Kept {
  word: RoomWord
  /** Phones from which it is gone, since their users have read it. */
  read: Set<string>
  answers: Map<string, Hearing>
}

/** The words that stand in a room: one to all, and one to each of a few users. */
export class RoomWords {
  readonly #epoch: string
  /** Keyed by the user; null is the room. */
  readonly #kept: Map<string | null, Kept>
  /** Counts the changes, so that a phone can tell which of two answers is newer. */
  #number: number
  /** Since when nobody is in the room, in ms. */
  #emptySince: number | null

  constructor(epoch: string, { number, emptySince, words }: RoomWordsSnapshot = NONE) {
    this.#epoch = epoch
    this.#number = number
    this.#emptySince = emptySince
    this.#kept = new Map(
      words.map(({ word, read, answers }) => [word.user_id, { word, read: new Set(read), answers: new Map(answers) }]),
    )
  }

  /** Undefined if there has been no word. */
  toSnapshot(): RoomWordsSnapshot | undefined {
    if (this.#number === 0) return undefined
    const words = [...this.#kept.values()].map(({ word, read, answers }) => ({
      word,
      read: [...read],
      answers: [...answers],
    }))
    return { number: this.#number, emptySince: this.#emptySince, words }
  }

  get standing(): readonly RoomWord[] {
    return [...this.#kept.values()].map(({ word }) => word)
  }

  /** Replaces the word that stands there. */
  put(word: RoomWord): WordEvent {
    this.#kept.delete(word.user_id) // the newest is the last
    this.#kept.set(word.user_id, { word, read: new Set(), answers: new Map() })
    this.#number++
    this.#emptySince = null
    return this.#event(word.user_id, word)
  }

  /** Undefined if it no longer stands. */
  takeBack(id: string): WordEvent | undefined {
    const kept = this.#find(id)
    return kept && this.#remove(kept.word.user_id)
  }

  /** Drops the word to a user who is removed. What it confirmed is no longer counted either. */
  forgetUser(user_id: string): WordEvent | undefined {
    for (const { read, answers } of this.#kept.values()) {
      read.delete(user_id)
      answers.delete(user_id)
    }
    return this.#kept.has(user_id) ? this.#remove(user_id) : undefined
  }

  /** Call when a meeting is over: what was said in it does not hold in the next one. */
  clear(): WordEvent[] {
    return [...this.#kept.keys()].map((user_id) => this.#remove(user_id))
  }

  get hasAny(): boolean {
    return this.#kept.size > 0
  }

  /** Call when the last user has left. */
  noteEmpty(at: number): void {
    this.#emptySince = at
  }

  /** Call when a user comes. A room that was empty for so long begins another meeting. */
  noteUser(at: number): WordEvent[] {
    const isOver = this.#emptySince !== null && at - this.#emptySince >= QUIET_MS
    this.#emptySince = null
    return isOver ? this.clear() : []
  }

  /** Returns true if this confirmation changes something. */
  awaits(user_id: string, id: string, answer: Hearing | null): boolean {
    const kept = this.#find(id)
    if (!kept || !isFor(kept, user_id) || (answer !== null && !kept.word.asks)) return false
    return answer === null ? !kept.read.has(user_id) : kept.answers.get(user_id) !== answer
  }

  /** Returns true if this changed something. */
  confirm(user_id: string, id: string, answer: Hearing | null): boolean {
    if (!this.awaits(user_id, id, answer)) return false
    const kept = this.#find(id)
    if (answer === null) kept?.read.add(user_id)
    else kept?.answers.set(user_id, answer)
    this.#number++
    return true
  }

  /** Finds a word that stands for this user, read or not. */
  findFor(user_id: string, id: string): RoomWord | undefined {
    const kept = this.#find(id)
    return kept && isFor(kept, user_id) ? kept.word : undefined
  }

  /** Lists what the phone of this user shows. */
  forPhone(user_id: string): PhoneWords {
    const words = [this.#kept.get(user_id), this.#kept.get(null)]
    const list = words.flatMap((kept): PhoneWord[] => {
      if (!kept || kept.read.has(user_id)) return []
      return [phoneWord(kept.word, kept.answers.get(user_id) ?? null)]
    })
    return { as_of: this.#asOf, list }
  }

  /** Lists the same as events, for a stream that has just opened. */
  eventsForPhone(user_id: string): WordEvent[] {
    const { as_of, list } = this.forPhone(user_id)
    return list.map((word) => ({ as_of, to: word.to, ...(word.to === 'user' && { user_id }), word }))
  }

  /** Lists the words as consoles see them, the one to the room first. */
  forConsoles(participants: Participants): StandingWord[] {
    const all = [...this.#kept.values()].sort(
      (one, other) => Number(one.word.user_id !== null) - Number(other.word.user_id !== null),
    )
    return all.flatMap((kept) => standingWord(kept, participants))
  }

  get #asOf(): string {
    return eventId(this.#epoch, this.#number)
  }

  #find(id: string): Kept | undefined {
    return [...this.#kept.values()].find(({ word }) => word.id === id)
  }

  #remove(user_id: string | null): WordEvent {
    this.#kept.delete(user_id)
    this.#number++
    return this.#event(user_id, null)
  }

  #event(user_id: string | null, word: RoomWord | null): WordEvent {
    const place = user_id === null ? { to: 'room' as const } : { to: 'user' as const, user_id }
    return { as_of: this.#asOf, ...place, word: word && phoneWord(word, null) }
  }
}

const NONE: RoomWordsSnapshot = { number: 0, emptySince: null, words: [] }

const isFor = ({ word }: Kept, user_id: string) => word.user_id === null || word.user_id === user_id

function phoneWord({ id, user_id, text, rings, asks }: RoomWord, answer: Hearing | null): PhoneWord {
  return { id, to: user_id === null ? 'room' : 'user', text, rings, asks, answer }
}

function standingWord(kept: Kept, participants: Participants): StandingWord[] {
  const { id, user_id, text, rings, asks, by, at } = kept.word
  const to = user_id === null ? participants.users() : participants.findUsers([user_id])
  const user = user_id === null ? null : to[0]
  if (user === undefined) return []
  return [
    {
      id,
      user: user && { id: user.roster.id, username: user.roster.username },
      ...{ text, rings, asks, by },
      at: new Date(at).toISOString(),
      ...countConfirmations(kept, to, user === null),
    },
  ]
}

/** The host's own phone shows the words too, and is not counted. */
function countConfirmations({ read, answers }: Kept, to: readonly Participant[], onlyOnline: boolean) {
  const counts = { read: 0, of: 0, well: 0, badly: 0 }
  for (const { roster, is_online } of to) {
    const answer = answers.get(roster.id)
    const isRead = answer !== undefined || read.has(roster.id)
    if (isRead) counts.read++
    if (isRead || is_online || !onlyOnline) counts.of++
    if (answer) counts[answer]++
  }
  return counts
}
