import type { z } from 'zod'
import { ATTENDEES_MAX, ATTENDEES_PER_PART, type SeatReport, type SeenAttendee } from '../../../shared/seat.ts'
import type { FromSeat } from '../../seat/messages.ts'

/** The server lists the first of them, and counts as many more. */
const PEOPLE_MAX = 2 * ATTENDEES_MAX
/** The server takes 64 KiB, of which other fields need little. */
const PART_BYTES = 48 * 1024

type Reported = Required<
  Pick<z.output<typeof SeatReport>, 'full' | 'part' | 'more' | 'attendees' | 'left' | 'done' | 'guarded'>
>
type ReportedChanges = Reported & { speaking?: string[] }

const byteLength = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** Gathers what the frame sees until the next report, in parts that the server accepts. */
export class ReportBuffer {
  readonly people = new Map<string, SeenAttendee>()
  #speaking: string[] = []
  #changed = new Set<string>()
  #left = new Set<string>()
  #isSpeakingChanged = false
  #done: Reported['done'] = []
  #guarded = new Map<string, number>()
  /** The parts of a whole list that are still to be sent. */
  #parts: SeenAttendee[][] = []
  #nextPart = 0

  get isEmpty(): boolean {
    const isQuiet = this.#changed.size === 0 && this.#left.size === 0 && !this.#isSpeakingChanged
    return isQuiet && this.#parts.length === 0 && this.#done.length === 0 && this.#guarded.size === 0
  }

  receive(message: FromSeat) {
    switch (message.type) {
      case 'people':
        if (message.full) this.people.clear()
        for (const one of message.attendees) this.#upsert(one)
        for (const key of message.left) this.#remove(key)
        if (message.full) this.sendAll()
        break
      case 'speaking':
        this.#speaking = message.keys
        this.#isSpeakingChanged = true
        break
      case 'done': {
        const { id, outcome, code } = message
        this.#done.push({ id, outcome, ...(code !== undefined && { code }) })
        break
      }
      case 'guarded':
        this.#guarded.set(message.key, (this.#guarded.get(message.key) ?? 0) + message.times)
    }
  }

  /** Makes the next reports carry the whole list. */
  sendAll() {
    this.#changed.clear()
    this.#left.clear()
    this.#isSpeakingChanged = true
    this.#parts = partsOf([...this.people.values()])
    if (this.#parts.length === 0) this.#parts = [[]]
    this.#nextPart = 0
  }

  /** Forgets everything; the server keeps what it was sent until there is a new list. */
  clear() {
    this.people.clear()
    this.#changed.clear()
    this.#left.clear()
    this.#parts = []
    this.#speaking = []
    this.#isSpeakingChanged = false
    this.#done = []
    this.#guarded.clear()
  }

  /** Takes the next report's contents; the rest stays for the ones after it. */
  take(): ReportedChanges {
    const done = this.#done.splice(0, 100)
    const guarded = [...this.#guarded].slice(0, 100).map(([key, times]) => ({ key, times: Math.min(times, 100) }))
    for (const { key } of guarded) this.#guarded.delete(key)
    const rest = { done, guarded, ...this.#takeSpeaking() }
    const part = this.#parts.shift()
    if (part) {
      const more = this.#parts.length > 0
      return { ...rest, full: true, part: this.#nextPart++, more, attendees: part, left: [] }
    }
    const left = [...this.#left].slice(0, ATTENDEES_MAX)
    for (const key of left) this.#left.delete(key)
    const changed = [...this.#changed].flatMap((key) => this.people.get(key) ?? [])
    const [attendees = []] = partsOf(changed)
    for (const { key } of attendees) this.#changed.delete(key)
    return { ...rest, full: false, part: 0, more: false, attendees, left }
  }

  /** Puts back what a report without an answer has carried, since it may not have arrived. */
  putBack({ done, guarded }: ReportedChanges) {
    this.#done.unshift(...done)
    for (const { key, times } of guarded) this.#guarded.set(key, (this.#guarded.get(key) ?? 0) + times)
    this.sendAll()
  }

  #takeSpeaking() {
    if (!this.#isSpeakingChanged) return {}
    this.#isSpeakingChanged = false
    return { speaking: this.#speaking.slice(0, 3) }
  }

  #upsert(one: SeenAttendee) {
    if (this.people.size >= PEOPLE_MAX && !this.people.has(one.key)) return
    this.people.set(one.key, one)
    this.#changed.add(one.key)
    this.#left.delete(one.key)
  }

  #remove(key: string) {
    this.people.delete(key)
    this.#changed.delete(key)
    this.#left.add(key)
  }
}

function partsOf(attendees: readonly SeenAttendee[]): SeenAttendee[][] {
  const parts: SeenAttendee[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const attendee of attendees) {
    const size = byteLength(attendee) + 1
    const last = parts.at(-1)
    if (last && last.length < ATTENDEES_PER_PART && bytes + size <= PART_BYTES) {
      last.push(attendee)
      bytes += size
    } else {
      parts.push([attendee])
      bytes = size
    }
  }
  return parts
}
