import type { Moderator } from '../../../../shared/moderators.ts'
import { sha256 } from '../../../lib/secrets.ts'

/** Other servers tell who moderates there only for a room that was asked about within this time, or has consoles. */
const ASKED_WITHIN_MS = 10_000

/** The people whose consoles have a stream of one room open, here and at other servers. */
export class Moderators {
  readonly #here = new Map<string, { moderator: Moderator; streams: number }>()
  #elsewhere: readonly Moderator[] = []
  #list: readonly Moderator[] = []
  #tag = ''
  #askedAt = -Infinity

  /** Lists each person once, the longest present first. */
  get list(): readonly Moderator[] {
    return this.#list
  }

  /** Identifies the list at every server. */
  get tag(): string {
    return this.#tag
  }

  /** Lists the people with a stream at this server. */
  here(): Moderator[] {
    return [...this.#here.values()].map(({ moderator }) => moderator)
  }

  noteAsked(): void {
    this.#askedAt = performance.now()
  }

  get isWatched(): boolean {
    return this.#here.size > 0 || performance.now() - this.#askedAt < ASKED_WITHIN_MS
  }

  /** Counts one more stream of this person. Returns true if the list has changed. */
  add(moderator: Moderator): boolean {
    const known = this.#here.get(moderator.id)
    if (known) known.streams++
    else this.#here.set(moderator.id, { moderator, streams: 1 })
    return this.#update()
  }

  /** Returns true if the list has changed. */
  remove(id: string): boolean {
    const known = this.#here.get(id)
    if (!known) return false
    known.streams--
    if (known.streams === 0) this.#here.delete(id)
    return this.#update()
  }

  /** Returns true if the list has changed. */
  setElsewhere(moderators: readonly Moderator[]): boolean {
    this.#elsewhere = moderators
    return this.#update()
  }

  #update(): boolean {
    const byId = new Map<string, Moderator>()
    for (const one of [...this.here(), ...this.#elsewhere]) {
      const known = byId.get(one.id)
      if (!known || one.since < known.since) byId.set(one.id, one)
    }
    const list = [...byId.values()].sort((one, other) => order(one.since, other.since) || order(one.id, other.id))
    const tag = list.length > 0 ? sha256(JSON.stringify(list)).slice(0, 12) : ''
    if (tag === this.#tag) return false
    this.#list = list
    this.#tag = tag
    return true
  }
}

function order(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
