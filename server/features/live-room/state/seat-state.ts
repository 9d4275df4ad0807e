import type { z } from 'zod'
import {
  ATTENDEES_MAX,
  LAST_SEEN_MS,
  NO_SEAT,
  SEAT_COMMAND_MS,
  SEAT_LOST_AFTER_MS,
  SEAT_ORDER_INTERVAL_MS,
  SEAT_TURN_MS,
  type Seat,
  type SeatCommand,
  type SeatOutcome,
  type SeatPowers,
  type SeatReport,
  type SeenAttendee,
} from '../../../../shared/seat.ts'

type Report = z.output<typeof SeatReport>
export type AppliedReport = Omit<Report, 'guarded' | 'state'> & {
  id: string
  state: Omit<Report['state'], 'zoom_code'>
}

/** A console's lease, as the database has it. */
export interface SeatHolder {
  seat_id: string
  epoch: number
  session_id: string
  by: string
  taken_at: number
  expires_at: number
}

export interface KnownAttendee extends SeenAttendee {
  joinedAt: number // when the seat first saw them
  linkedTo?: string | null // the user that the host has named, or null for nobody; absent: as the remembered names say
}

export interface PendingSeatCommand {
  command: SeatCommand
  at: number
  /** The time by which it has failed: later where others of its kind come first. */
  until: number
}

export interface SettledCommand {
  id: string
  outcome: SeatOutcome
}

/** The seat as plain data, in a room's snapshot. */
export interface SeatSnapshot {
  holder: SeatHolder | null // null: nobody has it
  epoch: number
  seq: number // of the last report; -1 before the first
  reportId: string | null
  state: Seat['state']
  powers: SeatPowers
  by: string | null
  since: number | null
  isHidden: boolean
  reconnectingSince: number | null
  /** When the attendees were last seen, once the seat is lost. */
  lostAt: number | null
  attendees: KnownAttendee[]
  /** The keys of those whom a whole list that is still coming has not named yet. */
  unconfirmed: string[]
  overflow: string[]
  speaking: string[]
  allowed: string[]
  commands: PendingSeatCommand[]
}

const ORDER_INTERVALS: Partial<Record<SeatCommand['do'], number>> = SEAT_ORDER_INTERVAL_MS

/** The last of these counts for a person. Muting and asking drop each other with what they allow. */
const OPPOSITES: Partial<Record<SeatCommand['do'], SeatCommand['do']>> = { hold: 'admit', admit: 'hold' }

const NOBODY: SeatSnapshot = {
  ...{
    holder: null,
    epoch: 0,
    seq: -1,
    reportId: null,
    state: 'off',
    powers: 'none',
    by: null,
    since: null,
    isHidden: false,
  },
  ...{
    reconnectingSince: null,
    lostAt: null,
    attendees: [],
    unconfirmed: [],
    overflow: [],
    speaking: [],
    allowed: [],
    commands: [],
  },
}

/** The host's seat in the Zoom meeting, and who is in the meeting as the seat sees it. Part of the room's reducer. */
export class SeatState {
  holder: SeatHolder | null
  epoch: number
  seq: number
  /** The last report that was applied. */
  reportId: string | null
  state: Seat['state']
  powers: SeatPowers
  speaking: readonly string[]
  readonly attendees: Map<string, KnownAttendee>
  /** Attendees who may speak while Mute All holds, until the next Mute All. */
  readonly allowed: Set<string>
  #by: string | null
  #since: number | null
  #isHidden: boolean
  #reconnectingSince: number | null
  #lostAt: number | null
  /** People beyond the most that are listed. */
  readonly #overflow: Set<string>
  #commands: PendingSeatCommand[]
  /** Attendees that a whole list, which is still coming, has not named yet. They stay until its last part has come. */
  readonly #unconfirmed: Set<string>

  constructor(snapshot: SeatSnapshot = NOBODY) {
    const { holder, epoch, seq, reportId, state, powers, speaking, attendees, allowed } = snapshot
    this.holder = holder
    this.epoch = epoch
    this.seq = seq
    this.reportId = reportId
    this.state = state
    this.powers = powers
    this.speaking = speaking
    this.attendees = new Map(attendees.map((one) => [one.key, one]))
    this.allowed = new Set(allowed)
    this.#by = snapshot.by
    this.#since = snapshot.since
    this.#isHidden = snapshot.isHidden
    this.#reconnectingSince = snapshot.reconnectingSince
    this.#lostAt = snapshot.lostAt
    this.#unconfirmed = new Set(snapshot.unconfirmed)
    this.#overflow = new Set(snapshot.overflow)
    this.#commands = [...snapshot.commands]
  }

  toSnapshot(): SeatSnapshot {
    const { holder, epoch, seq, reportId, state, powers, speaking } = this
    return {
      ...{ holder, epoch, seq, reportId, state, powers, speaking: [...speaking] },
      ...{ by: this.#by, since: this.#since, isHidden: this.#isHidden },
      ...{ reconnectingSince: this.#reconnectingSince, lostAt: this.#lostAt },
      attendees: [...this.attendees.values()],
      unconfirmed: [...this.#unconfirmed],
      overflow: [...this.#overflow],
      allowed: [...this.allowed],
      commands: this.#commands,
    }
  }

  get others(): number {
    return this.#overflow.size
  }

  get commands(): readonly PendingSeatCommand[] {
    return this.#commands
  }

  /** True while a seat reports whom it sees. */
  get isIn(): boolean {
    return this.holder !== null && (this.state === 'in' || this.state === 'reconnecting')
  }

  isHeldBy({ seat_id, epoch }: { seat_id: string; epoch: number }): boolean {
    return this.holder?.seat_id === seat_id && this.epoch === epoch
  }

  view(lock: boolean): Seat {
    if (this.state === 'off') return NO_SEAT
    return {
      state: this.state,
      seat_id: this.holder?.seat_id ?? null,
      powers: this.powers,
      by: this.#by,
      since: this.#since === null ? null : new Date(this.#since).toISOString(),
      is_hidden: this.#isHidden,
      lock: lock && this.holder !== null,
    }
  }

  /** Keeps whom a lost seat saw. Returns the commands that the former holder has not settled. */
  take(holder: SeatHolder): SettledCommand[] {
    if (holder.epoch <= this.epoch) return []
    this.holder = holder
    this.epoch = holder.epoch
    this.seq = -1
    this.state = 'joining'
    this.powers = 'none'
    this.#by = holder.by
    this.#since = holder.taken_at
    this.#isHidden = false
    this.#reconnectingSince = null
    this.#lostAt = this.attendees.size > 0 ? (this.#lostAt ?? holder.taken_at) : null
    this.speaking = []
    return this.#failCommands()
  }

  end(epoch: number, how: 'released' | 'lost', at: number): SettledCommand[] {
    if (!this.holder || this.epoch !== epoch) return []
    this.holder = null
    this.powers = 'none'
    this.speaking = []
    if (how === 'released') this.#forget()
    else this.#lose(at)
    return this.#failCommands()
  }

  /** Drops whom a lost seat saw long ago. */
  forgetAttendees(epoch: number): void {
    if (this.epoch !== epoch || this.#lostAt === null) return
    this.#clearAttendees()
    if (!this.holder) this.#forget()
  }

  /** Takes from a report that does not follow the one before only that the seat is still held, unless it begins a list. */
  report(report: AppliedReport, at: number, expires_at: number): SettledCommand[] {
    const begins = report.full && report.part === 0
    if (!this.holder || !this.isHeldBy(report)) return []
    this.holder = { ...this.holder, expires_at: Math.max(this.holder.expires_at, expires_at) }
    if (!begins && report.seq !== this.seq + 1) return []
    this.seq = report.seq
    this.reportId = report.id
    this.#applyState(report.state, at)
    if (begins) this.#beginList()
    for (const attendee of report.attendees) this.#upsert(attendee, at)
    if (!report.full || !report.more) this.#endList()
    for (const key of report.left) this.#remove(key)
    if (report.speaking) this.speaking = report.speaking
    this.speaking = this.speaking.filter((key) => this.attendees.has(key))
    return this.#settle(report.done)
  }

  /** Drops the opposite command, if it is still pending. Returns null if the same is. */
  command(command: SeatCommand, at: number): SettledCommand[] | null {
    if (command.seat_id !== this.holder?.seat_id) return null
    const isPending = this.#commands.some(({ command: one }) => one.do === command.do && one.key === command.key)
    if (isPending) return null
    const dropped = this.#drop((one) => one.key === command.key && one.do === OPPOSITES[command.do])
    this.#commands.push({ command, at, until: at + SEAT_COMMAND_MS + this.#waitFor(command) })
    return dropped
  }

  /** Settles commands as failed, whose time is over. */
  fail(ids: readonly string[]): SettledCommand[] {
    return this.#settle(ids.map((id) => ({ id, outcome: 'timeout' })))
  }

  /** Drops the opposite command, if it is still pending. */
  allow(key: string, isAllowed: boolean): SettledCommand[] {
    if (!isAllowed) this.allowed.delete(key)
    else if (this.attendees.has(key)) this.allowed.add(key)
    return this.#drop((one) => one.key === key && one.do === (isAllowed ? 'mute' : 'ask-unmute'))
  }

  /** Drops the mutes that the seat has not carried out when Mute All ends, and the asking of all when it begins. */
  muteAll(isActive: boolean): SettledCommand[] {
    if (!isActive) return this.#drop((one) => one.do === 'mute' || one.do === 'mute-all')
    this.allowed.clear()
    return this.#drop((one) => one.do === 'ask-all' || one.do === 'ask-unmute')
  }

  /** Says who an attendee is, in this sitting. */
  link(key: string, linkedTo: string | null): void {
    const known = this.attendees.get(key)
    if (known) this.attendees.set(key, { ...known, linkedTo })
  }

  overdueCommands(at: number): string[] {
    return this.#commands.filter(({ until }) => at >= until).map(({ command }) => command.id)
  }

  isLongLost(at: number): boolean {
    return this.#lostAt !== null && at - this.#lostAt >= LAST_SEEN_MS
  }

  #applyState({ connection, powers, is_hidden }: AppliedReport['state'], at: number): void {
    if (connection === 'in' && this.#reconnectingSince !== null) this.#lostAt = null
    this.#reconnectingSince = connection === 'reconnecting' ? (this.#reconnectingSince ?? at) : null
    const isLost = this.#reconnectingSince !== null && at - this.#reconnectingSince >= SEAT_LOST_AFTER_MS
    if (isLost) this.#lose(at)
    else this.state = connection
    this.powers = powers
    this.#isHidden = is_hidden
  }

  #lose(at: number): void {
    this.state = 'lost'
    this.#lostAt ??= at
  }

  #forget(): void {
    this.state = 'off'
    this.#by = null
    this.#since = null
    this.#isHidden = false
    this.#clearAttendees()
  }

  #clearAttendees(): void {
    this.attendees.clear()
    this.allowed.clear()
    this.#overflow.clear()
    this.#unconfirmed.clear()
    this.#lostAt = null
  }

  #beginList(): void {
    for (const key of this.attendees.keys()) this.#unconfirmed.add(key)
    this.#overflow.clear()
    this.#lostAt = null
  }

  #endList(): void {
    for (const key of this.#unconfirmed) this.#remove(key)
  }

  #upsert(attendee: SeenAttendee, at: number): void {
    const { key } = attendee
    const known = this.attendees.get(key)
    if (!known && this.attendees.size >= ATTENDEES_MAX && !this.#makeRoom()) {
      if (this.#overflow.size < ATTENDEES_MAX) this.#overflow.add(key)
      return
    }
    this.#unconfirmed.delete(key)
    this.#overflow.delete(key)
    const linked = known?.linkedTo === undefined ? {} : { linkedTo: known.linkedTo }
    this.attendees.set(key, { ...attendee, joinedAt: known?.joinedAt ?? at, ...linked })
  }

  /** Gives up somebody whom the list that is coming has not named. Returns false if there is nobody. */
  #makeRoom(): boolean {
    const [key] = this.#unconfirmed
    if (key === undefined) return false
    this.#remove(key)
    return true
  }

  #remove(key: string): void {
    this.attendees.delete(key)
    this.allowed.delete(key)
    this.#overflow.delete(key)
    this.#unconfirmed.delete(key)
  }

  #waitFor(command: SeatCommand): number {
    const intervalOf = (one: SeatCommand) => ORDER_INTERVALS[one.do] ?? 0
    const interval = intervalOf(command)
    const isBefore = (one: PendingSeatCommand) => intervalOf(one.command) === interval
    return Math.min(this.#commands.filter(isBefore).length * interval, SEAT_TURN_MS)
  }

  #drop(isMeant: (command: SeatCommand) => boolean): SettledCommand[] {
    const meant = this.#commands.filter(({ command }) => isMeant(command))
    return this.#settle(meant.map(({ command }) => ({ id: command.id, outcome: 'refused' })))
  }

  #settle(done: readonly SettledCommand[]): SettledCommand[] {
    const pending = new Set(this.#commands.map(({ command }) => command.id))
    const settled = done.filter(({ id }) => pending.delete(id)).map(({ id, outcome }) => ({ id, outcome }))
    this.#commands = this.#commands.filter(({ command }) => pending.has(command.id))
    return settled
  }

  #failCommands(): SettledCommand[] {
    return this.fail(this.#commands.map(({ command }) => command.id))
  }
}
