import { randomToken } from '../../../lib/secrets.ts'
import type { RoomChange } from '../room-change.ts'
import { decodeChange } from '../room-codec.ts'

/** An entry of the log. */
export interface LogEntry {
  id: string
  /** Counts the room's changes in its epoch. */
  number: number
  /** Names the change. */
  own: string
  change: string
  /** What was signed, where Redis has left a part of it out. */
  proposal: string | undefined
}

/** Of a change that Redis has reduced, those phones count that were proposed. */
export function changeOf({ change, proposal }: LogEntry): RoomChange {
  const reduced = decodeChange(change)
  if (proposal === undefined) return reduced
  const proposed = decodeChange(proposal)
  if (reduced.type !== 'offline' || proposed.type !== 'offline')
    throw new Error('Only phones that go offline are proposed')
  const ids = new Set(reduced.users.map(({ id }) => id))
  return { ...proposed, users: proposed.users.filter(({ id }) => ids.has(id)) }
}

/** Names the changes that one server appends while it follows the log. */
export class Sender {
  readonly #name = randomToken(9)
  #sent = 0

  /** `after`: the number of the last change that this server has applied. */
  next(after: number): string {
    return `${this.#name}:${++this.#sent}:${after}`
  }
}

const NAME = /^([\w-]{12}):(\d{1,15}):(\d{1,15})$/

/** Twice as many as the log keeps: a change whose number is larger by more than what its sender had applied was moved. */
const REACH = 10_000

export const OUT_OF_PLACE = 'A change of a room has come before, or at another place than it was appended'

/** A sender, how many changes it has sent, and the number of the last of them. */
export type Sent = [sender: string, sent: number, number: number]

/** Which changes count: each once, in the order of its sender, and at about the place at which it was appended. */
export class EntryOrder {
  readonly #senders: Map<string, Sent>

  constructor(senders: readonly Sent[]) {
    this.#senders = new Map(senders.map((one) => [one[0], one]))
  }

  /** Those that a server has to know which begins to follow the log. */
  senders(): Sent[] {
    return [...this.#senders.values()]
  }

  admits({ own, number }: Pick<LogEntry, 'own' | 'number'>): boolean {
    const [, sender = '', sent, after] = NAME.exec(own) ?? []
    const [, last, lastNumber] = this.#senders.get(sender) ?? [sender, 0, 0]
    const isInReach = number > Number(after) && number <= Number(after) + REACH
    if (!isInReach || Number(sent) <= last || number <= lastNumber) return false
    if (last === 0) for (const [name, one] of this.#senders) if (one[2] < number - REACH) this.#senders.delete(name)
    this.#senders.set(sender, [sender, Number(sent), number])
    return true
  }
}
