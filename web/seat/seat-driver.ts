import type { SeatOutcome, SeatTicket, SeenAttendee } from '../../shared/seat.ts'
import type { FromSeat } from './messages.ts'

export type DriverState = Omit<Extract<FromSeat, { type: 'state' }>, 'type'>
export type SeatEnd = Omit<Extract<FromSeat, { type: 'ended' }>, 'type'>

export interface Settlement {
  outcome: SeatOutcome
  /** Zoom's code of a refusal. */
  code?: number
}

/** The most urgent come first: the host's commands, then voices that sound, then open microphones. */
export type Urgency = 'command' | 'voice' | 'open'

export type IsWanted = () => boolean

export interface MuteOptions {
  urgency?: Urgency
  isWanted?: IsWanted
}

export type SeatEvents = {
  state: [DriverState]
  /** Somebody came, went or changed. */
  change: []
  speaking: [keys: string[]]
  ended: [SeatEnd]
}

export interface JoinOptions {
  ticket: SeatTicket
  isSilent: boolean
  language: string
}

/**
 * Sees and moderates everybody in one meeting, whichever program of Zoom's does the work. The ids are Zoom's user ids. A
 * call settles once the list of people shows its result. One that is no longer wanted when its turn comes is left out.
 */
export interface SeatDriver {
  readonly state: DriverState
  join(options: JoinOptions): Promise<void>
  people(): readonly SeenAttendee[]
  person(id: number): SeenAttendee | undefined
  isSpeaking(id: number): boolean
  /** Makes the calls whose turn has come, which the timers of a hidden page would make a minute late. */
  advance(): void
  /** The progress of a call that mutes the person: it waits for its turn, or its result is not yet seen. */
  muteStage(id: number): 'waiting' | 'sent' | null
  mute(id: number, options?: MuteOptions): Promise<Settlement>
  muteAll(isWanted: IsWanted): Promise<Settlement>
  /** Asks a person to unmute, which only that person can do. */
  ask(id: number, isWanted: IsWanted): Promise<Settlement>
  askAll(isWanted: IsWanted): Promise<Settlement>
  remove(id: number, isWanted: IsWanted): Promise<Settlement>
  hold(id: number, isWanted: IsWanted): Promise<Settlement>
  admit(id: number, isWanted: IsWanted): Promise<Settlement>
  admitAll(isWanted: IsWanted): Promise<Settlement>
  lowerHand(id: number, isWanted: IsWanted): Promise<Settlement>
  lowerAllHands(isWanted: IsWanted): Promise<Settlement>
  reclaimHost(): Promise<Settlement>
  leave(): Promise<Settlement>
  on<E extends keyof SeatEvents>(event: E, listener: (...args: SeatEvents[E]) => void): unknown
}
