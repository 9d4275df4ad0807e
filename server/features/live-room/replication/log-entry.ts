import { randomToken } from '../../../lib/secrets.ts'
import type { RoomChange } from '../state/room-change.ts'
import { decodeChange } from '../state/room-codec.ts'

export interface LogEntry {
  id: string
  /** Counts the changes of the room's epoch. */
  number: number
  /** Identifies the change and its sender. */
  changeId: string
  change: string
  /** The signed change, if Redis has removed a part of it. */
  proposal: string | undefined
}

/** Returns the signed proposal without the phones that Redis has removed; Redis cannot add any. */
export function changeOf({ change, proposal }: LogEntry): RoomChange {
  const reduced = decodeChange(change)
  if (proposal === undefined) return reduced
  const proposed = decodeChange(proposal)
  if (reduced.type !== 'offline' || proposed.type !== 'offline')
    throw new Error('Only a phone going offline can be proposed')
  const ids = new Set(reduced.users.map(({ id }) => id))
  return { ...proposed, users: proposed.users.filter(({ id }) => ids.has(id)) }
}

/** Generates ids for the changes that one server appends while it follows the log. */
export class ChangeIds {
  readonly #name = randomToken(9)
  #sent = 0

  /** `after` is the number of the last change that this server has applied. */
  next(after: number): string {
    return `${this.#name}:${++this.#sent}:${after}`
  }
}

const NAME = /^([\w-]{12}):(\d{1,15}):(\d{1,15})$/

/** Twice the length of the log. A change that is further from what its sender had applied was moved. */
const REACH = 10_000

export const REPLAYED_OR_MOVED = 'A change of a room has come before, or at another place than it was appended'

/** A sender, how many changes it has sent, and the number of the last one. */
export type SenderPosition = [sender: string, sent: number, number: number]

/** Admits each change once, in its sender's order, and only near the position at which it was appended. */
export class EntryOrder {
  readonly #senders: Map<string, SenderPosition>

  constructor(senders: readonly SenderPosition[]) {
    this.#senders = new Map(senders.map((one) => [one[0], one]))
  }

  /** Lists the senders that a server has to know before it follows the log. */
  senders(): SenderPosition[] {
    return [...this.#senders.values()]
  }

  admits({ changeId, number }: Pick<LogEntry, 'changeId' | 'number'>): boolean {
    const [, sender = '', sent, after] = NAME.exec(changeId) ?? []
    const [, last, lastNumber] = this.#senders.get(sender) ?? [sender, 0, 0]
    const isInReach = number > Number(after) && number <= Number(after) + REACH
    if (!isInReach || Number(sent) <= last || number <= lastNumber) return false
    if (last === 0) for (const [name, one] of this.#senders) if (one[2] < number - REACH) this.#senders.delete(name)
    this.#senders.set(sender, [sender, Number(sent), number])
    return true
  }
}
