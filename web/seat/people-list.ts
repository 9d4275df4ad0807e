import type { SeenAttendee } from '../../shared/seat.ts'
import type { FromSeat } from './messages.ts'
import { type MeetingUser, seenAttendee, uuidOf } from './zoom-answers.ts'

type PeopleMessage = Extract<FromSeat, { type: 'people' }>

/** Everybody in the meeting by Zoom's user id, and what has changed since the last message. */
export class PeopleList {
  readonly #people = new Map<number, SeenAttendee>()
  readonly #keys = new Map<number, string>()
  #selfId: number | null = null
  #changed = new Set<string>()
  #left = new Set<string>()
  #isWhole = true

  get(userId: number): SeenAttendee | undefined {
    return this.#people.get(userId)
  }

  get all(): readonly SeenAttendee[] {
    return [...this.#people.values()]
  }

  get self(): SeenAttendee | undefined {
    return this.#selfId === null ? undefined : this.get(this.#selfId)
  }

  setSelf(userId: number): void {
    if (userId === this.#selfId) return
    this.#selfId = userId
    for (const person of this.all) this.#store({ ...person, is_self: person.zoom_user_id === userId })
  }

  put(user: MeetingUser): void {
    this.#store(seenAttendee(user, this.#keyOf(user), this.#selfId))
  }

  remove(userId: number): void {
    const person = this.#people.get(userId)
    if (!person) return
    this.#people.delete(userId)
    this.#keys.delete(userId)
    this.#changed.delete(person.key)
    this.#left.add(person.key)
  }

  replace(users: readonly MeetingUser[]): void {
    const present = new Set(users.map(({ userId }) => userId))
    for (const { zoom_user_id } of this.all) if (!present.has(zoom_user_id)) this.remove(zoom_user_id)
    for (const user of users) this.put(user)
  }

  sendWhole(): void {
    this.#isWhole = true
  }

  /** Returns what has changed since the last call; null for nothing. */
  takeMessage(): PeopleMessage | null {
    if (!this.#isWhole && this.#changed.size === 0 && this.#left.size === 0) return null
    const full = this.#isWhole
    const attendees = full ? [...this.all] : this.all.filter(({ key }) => this.#changed.has(key))
    const left = full ? [] : [...this.#left]
    this.#isWhole = false
    this.#changed = new Set()
    this.#left = new Set()
    return { type: 'people', full, attendees, left }
  }

  #store(person: SeenAttendee): void {
    const known = this.#people.get(person.zoom_user_id)
    this.#people.set(person.zoom_user_id, person)
    this.#left.delete(person.key)
    if (JSON.stringify(known) !== JSON.stringify(person)) this.#changed.add(person.key)
  }

  /** A person who is in the meeting twice may have one UUID for both, while each key is one tile. */
  #keyOf(user: MeetingUser): string {
    const uuid = uuidOf(user)
    const known = this.#keys.get(user.userId)
    if (known !== undefined && (known === uuid || !uuid || this.#isTaken(uuid, user.userId))) return known
    if (known !== undefined) this.remove(user.userId) // its UUID has come later
    const key = uuid && !this.#isTaken(uuid, user.userId) ? uuid : `u${user.userId}`
    this.#keys.set(user.userId, key)
    return key
  }

  #isTaken(uuid: string, userId: number): boolean {
    return [...this.#keys].some(([id, key]) => key === uuid && id !== userId)
  }
}
