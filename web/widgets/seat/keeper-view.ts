import type { SeatPowers, SeatWay } from '../../../shared/seat.ts'

type Trouble = { reason: string; zoom_code: number | null }

/** Why this page has no seat any more, or got none. */
export type SeatNotice =
  | { kind: 'failed'; message: string }
  | { kind: 'taken'; by: string; since: string }
  | { kind: 'taken-over' }
  | { kind: 'other-tab' }
  | ({ kind: 'ended' } & Trouble)

/** The seat of this page, which `waiting` joins again at `retryAt`. */
export interface KeeperView {
  readonly phase: 'off' | 'taking' | 'joining' | 'in' | 'reconnecting' | 'waiting' | 'leaving'
  readonly way: SeatWay
  readonly frame: {
    readonly powers: SeatPowers
    readonly connection: 'joining' | 'in' | 'reconnecting'
    readonly trouble: string | null
    readonly zoom_code: number | null
    readonly is_recording: boolean
    readonly can_see_speaking: boolean
    /** `ready` waits for the press on Zoom's own button that joins the sound. */
    readonly sound: 'off' | 'ready' | 'on'
  }
  /** True if the seat may join the meeting's sound here. */
  readonly offersSound: boolean
  /** True if it has joined the meeting in the way that lets it join the sound. */
  readonly hasSound: boolean
  /** True while it comes back into the meeting with the sound, or without. */
  readonly isSwitching: boolean
  /** True if phones have heard voices for long, of whom Zoom has named none to the seat. */
  readonly isDeaf: boolean
  /** The page's time of the next attempt. */
  readonly retryAt: number | null
  /** True if nothing tells the guard any more whom it may let speak. */
  readonly isServerGone: boolean
  /** The page's time since which the tab is out of sight. */
  readonly hiddenSince: number | null
  readonly notice: SeatNotice | null
  /** The keys of those who have unmuted five times within a minute although Mute All holds. */
  readonly unruly: readonly string[]
}

/** The seat of this page, as screens use it. */
export interface SeatControl {
  readonly view: KeeperView
  readonly seatId: string | null
  subscribe(listener: () => void): () => void
  take(way: SeatWay, takeOver?: boolean): Promise<void>
  dismiss(): void
}
