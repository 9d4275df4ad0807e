import type { RoomEvent } from '../../../shared/room-events.ts'
import type { SoundState } from '../../meeting/messages.ts'

const KEPT = 400
const DURATIONS_KEPT = 50

export type Measured = 'join to sound' | 'command to silence' | 'tap on Speak to an open microphone'

interface Entry {
  at: number
  text: string
  /** More than one where the same came again and again. */
  times: number
}

const SHOWN: (keyof SoundState)[] = ['audio', 'microphone', 'trouble', 'zoom_code', 'is_recording', 'is_weak']

/** Keeps what the phone app saw of the meeting since its page was opened, and nothing that names anybody. */
export class FieldLog {
  #entries: Entry[] = []
  readonly #durations = new Map<Measured, number[]>()
  #sdkVersion: string | null = null

  note(text: string): void {
    const last = this.#entries.at(-1)
    if (last?.text === text) last.times++
    else this.#entries.push({ at: performance.now(), text, times: 1 })
    if (this.#entries.length > KEPT * 2) this.#entries = this.#entries.slice(-KEPT)
  }

  noteTicket({ role, sdk_version }: { role: number; sdk_version: string }): void {
    this.#sdkVersion = sdk_version
    this.note(`ticket as ${role === 1 ? 'host' : 'guest'}`)
  }

  noteSound(sound: SoundState, former: SoundState): void {
    for (const field of SHOWN)
      if (sound[field] !== former[field]) this.note(`${field}: ${former[field] ?? 'none'} to ${sound[field] ?? 'none'}`)
  }

  noteEvent({ name, data }: RoomEvent): void {
    const flags = Object.entries(data).flatMap(([field, value]) =>
      typeof value === 'boolean' ? `${field} ${value}` : [],
    )
    this.note(['Parley:', name, ...flags].join(' '))
  }

  measured(what: Measured, ms: number): void {
    const known = this.#durations.get(what) ?? []
    this.#durations.set(what, [...known, Math.round(ms)].slice(-DURATIONS_KEPT))
  }

  get entries(): readonly Entry[] {
    return this.#entries.slice(-KEPT)
  }

  get durations(): ReadonlyMap<Measured, number[]> {
    return this.#durations
  }

  get sdkVersion(): string | null {
    return this.#sdkVersion
  }
}

/** The page's only one: it outlives a stay in the room, after which the report is made. */
export const fieldLog = new FieldLog()
