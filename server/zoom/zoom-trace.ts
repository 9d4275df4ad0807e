import type { SeatPowers } from '../../shared/seat.ts'
import type { Clock } from '../lib/clock.ts'
import type { ZoomFault } from './errors.ts'

const KEPT = 300

export type TraceEntry =
  | { kind: 'call'; method: string; path: string; ms: number; fault?: ZoomFault; status?: number; code?: number }
  | { kind: 'ticket'; role: 'guest' | 'host' | 'seat as host' | 'seat as guest'; ms: number; refusal: string | null }
  | { kind: 'phone-refused'; zoom_code: number; platform: string | null }
  | {
      kind: 'seat'
      state: 'joining' | 'in' | 'reconnecting' | 'ended'
      powers: SeatPowers
      /** Zoom's code of what has gone wrong. */
      zoom_code: number | null
    }

/** Keeps what this server last did at Zoom, and what Zoom answered its phones and seats, without what names a person or a meeting. */
export class ZoomTrace {
  readonly #now: Clock
  #entries: (TraceEntry & { at: number })[] = []

  constructor(now: Clock) {
    this.#now = now
  }

  note(entry: TraceEntry): void {
    this.#entries.push({ ...entry, at: this.#now() })
    if (this.#entries.length > KEPT * 2) this.#entries = this.#entries.slice(-KEPT)
  }

  /** Notes a call by the pattern of its path. */
  noteCall({ path, ...call }: Omit<Extract<TraceEntry, { kind: 'call' }>, 'kind'>): void {
    this.note({ kind: 'call', path: pathPattern(path), ...call })
  }

  /** Oldest first. */
  entries(): (TraceEntry & { at: number })[] {
    return this.#entries.slice(-KEPT)
  }
}

/** Ids of Zoom's are numbers, or contain digits, capitals or encoded characters; names of its resources do not. */
function pathPattern(path: string): string {
  return path
    .split('/')
    .map((segment) => (/^[a-z_]*$/.test(segment) ? segment : ':id'))
    .join('/')
}
