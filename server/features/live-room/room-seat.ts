import { randomUUID } from 'node:crypto'
import type { RoomEvent } from '../../../shared/room-events.ts'
import { type Attendee, type AttendeesAnswer, NO_SEAT, type Seat, type SeatCommand } from '../../../shared/seat.ts'
import type { Clock } from '../../lib/clock.ts'
import type { RoomLog } from './replication/room-log.ts'
import { AttendeeMatches } from './state/attendee-matches.ts'
import type { RoomState } from './state/room-state.ts'
import type { AppliedReport, SeatHolder, SeatState } from './state/seat-state.ts'

/** The list of those in the meeting is published four times a second at most. */
const MERGE_ATTENDEES_MS = 250
/** A phone has so long to mute itself in the meeting before the seat does. */
const MUTE_AFTER_MS = 1_200
/** So many of them are muted at a time. Zoom mutes one a second, and a press of the host waits for those before it. */
const MUTED_AT_A_TIME = 3

interface Options {
  log: RoomLog
  room: () => RoomState
  /** Sends to the consoles of this server. */
  notify: (event: RoomEvent) => void
  now: Clock
  onFault: (error: unknown) => void
}

/** The host's seat in a room's Zoom meeting. Publishes to consoles what has changed of it, and makes its changes. */
export class RoomSeat {
  readonly #options: Options
  readonly #matches = new AttendeeMatches()
  /** Holds what the consoles of this server have. */
  #published = nothingPublished()
  #merging: NodeJS.Timeout | undefined
  /** Counts the changes that were applied here. */
  #version = 0
  /** The list of a version, which publications, acts and readings have in common. */
  #listed: { version: number; attendees: readonly Attendee[] } | null = null
  readonly #waiting = new Set<() => void>()
  /** Muted users whose microphone Zoom shows as open, since when this server has seen it. */
  readonly #openSince = new Map<string, number>()
  #enforcing: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get #state(): SeatState | null {
    return this.#options.room().seat
  }

  get view(): Seat {
    const { hostMuteAll, muteAllLock } = this.#options.room()
    return this.#state?.view(hostMuteAll && muteAllLock) ?? NO_SEAT
  }

  get holder(): SeatHolder | null {
    return this.#state?.holder ?? null
  }

  get list(): AttendeesAnswer['data'] {
    const { epoch = 0, speaking = [], others = 0 } = this.#state ?? {}
    return { seat: this.view, epoch, attendees: [...this.attendees()], speaking: [...speaking], others }
  }

  attendees(): readonly Attendee[] {
    if (this.#listed?.version === this.#version) return this.#listed.attendees
    const seat = this.#state
    const { participants, names } = this.#options.room()
    const attendees = seat ? this.#matches.list(seat, participants, names) : []
    this.#listed = { version: this.#version, attendees }
    return attendees
  }

  /** Lists the seat's state for a console whose stream has just opened. */
  events(): RoomEvent[] {
    return this.#state ? [{ name: 'seat', data: this.view }] : []
  }

  isHeldBy(lease: { seat_id: string; epoch: number }): boolean {
    return this.#state?.isHeldBy(lease) ?? false
  }

  /** True if this report is the last one that the room has applied. */
  hasApplied({ id }: AppliedReport): boolean {
    return this.#state?.reportId === id
  }

  /** Lists the commands that the holder has not settled. */
  pendingCommands(): SeatCommand[] {
    return (this.#state?.commands ?? []).map(({ command }) => command)
  }

  /** True if the host is in the meeting by the seat. */
  get showsHost(): boolean {
    return this.#state?.isIn === true && this.#state.powers === 'host'
  }

  async take(holder: SeatHolder): Promise<void> {
    await this.#options.log.append({ type: 'seat-taken', holder })
  }

  async report(report: AppliedReport, at: number, expires_at: number): Promise<void> {
    await this.#options.log.append({ type: 'seat-report', report, at, expires_at })
  }

  async end(epoch: number, how: 'released' | 'lost', at: number): Promise<void> {
    await this.#options.log.append({ type: 'seat-ended', epoch, how, at })
  }

  async command(command: SeatCommand, at: number): Promise<void> {
    await this.#options.log.append({ type: 'seat-command', command, at })
  }

  /** Lets somebody speak while Mute All holds, or no longer. `id` is a command that this settles. */
  async allow(key: string, is_allowed: boolean, id: string | null): Promise<void> {
    await this.#options.log.append({ type: 'attendee-allowed', key, is_allowed, id })
  }

  /** Says who an attendee is, in this sitting. */
  async link(key: string, user_id: string | null): Promise<void> {
    await this.#options.log.append({ type: 'attendee-linked', key, user_id })
  }

  /** Returns the id of a command that waits for its outcome: an earlier one stands for its repetition. */
  pendingId(order: SeatCommand['do'] | null, key?: string): string | undefined {
    return this.pendingCommands().find((one) => one.do === order && one.key === key)?.id
  }

  /** Resolves when nobody holds the lease of this epoch any more, or after so many milliseconds. */
  async waitForEnd(epoch: number, ms: number): Promise<void> {
    if (!this.holder || this.#state?.epoch !== epoch) return
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.#waiting.delete(check)
        resolve()
      }
      const check = () => {
        if (!this.holder || this.#state?.epoch !== epoch) finish()
      }
      const timer = setTimeout(finish, ms)
      this.#waiting.add(check)
    })
  }

  /** Fails what has not been settled in time, and forgets whom a lost seat saw. */
  async sweep(at: number): Promise<void> {
    const seat = this.#state
    if (!seat) return
    const ids = seat.overdueCommands(at)
    if (ids.length > 0) await this.#options.log.append({ type: 'seat-commands-failed', ids })
    if (seat.isLongLost(at)) await this.#options.log.append({ type: 'seat-forgotten', epoch: seat.epoch })
  }

  /** Call after each change of the room. */
  publish(): void {
    this.#version++
    const seat = this.#state
    if (!seat) return
    for (const check of [...this.#waiting]) check()
    const view = JSON.stringify(this.view)
    if (view !== this.#published.seat) {
      this.#publishAttendees() // first, since a lock counts only for those who may still speak under it
      this.#published.seat = view
      this.#options.notify({ name: 'seat', data: this.view })
    }
    const keys = [...seat.speaking]
    const speaking = JSON.stringify(keys)
    if (speaking !== this.#published.speaking) {
      this.#published.speaking = speaking
      this.#options.notify({ name: 'attendees-speaking', data: { keys } })
    }
    if (this.#merging) return
    this.#publishAttendees()
    this.#merging = setTimeout(() => {
      this.#merging = undefined
      if (this.#published.version !== this.#version) this.publish()
    }, MERGE_ATTENDEES_MS).unref()
  }

  /** Call when the room continues from another state. */
  restart(): void {
    this.#published = nothingPublished()
    for (const check of [...this.#waiting]) check()
    this.publish()
  }

  close(): void {
    clearTimeout(this.#merging)
    clearTimeout(this.#enforcing)
  }

  #publishAttendees(): void {
    const { attendees: before } = this.#published
    const list = this.attendees()
    this.#enforceMutes(list)
    const now = new Map(list.map((one) => [one.key, { one, text: JSON.stringify(one) }]))
    const changed = [...now.values()].filter(({ one, text }) => before.get(one.key) !== text).map(({ one }) => one)
    const left = [...before.keys()].filter((key) => !now.has(key))
    this.#published.version = this.#version
    if (changed.length + left.length === 0) return
    this.#published.attendees = new Map([...now].map(([key, { text }]) => [key, text]))
    this.#options.notify({ name: 'attendees', data: { epoch: this.#state?.epoch ?? 0, changed, left } })
  }

  /** Mutes the phone apps of muted users that have not done it themselves: their word is not believed against Zoom's. */
  #enforceMutes(list: readonly Attendee[]): void {
    const { holder, powers = 'none', isIn = false } = this.#state ?? {}
    const open = holder && isIn && powers !== 'none' ? list.filter((one) => this.#isOpenThoughMuted(one)) : []
    const keys = new Set(open.map(({ key }) => key))
    for (const key of this.#openSince.keys()) if (!keys.has(key)) this.#openSince.delete(key)
    const now = performance.now()
    const since = ({ key }: Attendee) => this.#openSince.get(key) ?? now
    for (const one of open) this.#openSince.set(one.key, since(one))
    const due = open.filter((one) => now - since(one) >= MUTE_AFTER_MS && !this.pendingId('mute', one.key))
    const pending = this.pendingCommands().filter((one) => one.do === 'mute').length
    const next = due
      .toSorted((one, other) => since(one) - since(other))
      .slice(0, Math.max(0, MUTED_AT_A_TIME - pending))
    for (const { key, zoom_user_id: user_id } of next) {
      this.#openSince.set(key, now)
      const command = { seat_id: holder?.seat_id ?? '', id: randomUUID(), do: 'mute' as const, key, user_id }
      this.command(command, this.#options.now()).catch(this.#options.onFault)
    }
    if (open.length === 0) return
    this.#enforcing ??= setTimeout(() => {
      this.#enforcing = undefined
      this.#enforceMutes(this.attendees())
    }, MUTE_AFTER_MS).unref()
  }

  #isOpenThoughMuted({ user_id, by, muted, audio, is_hold, is_host, is_co_host }: Attendee): boolean {
    if (by !== 'key' || user_id === null || muted !== false || audio === '' || is_hold || is_host || is_co_host)
      return false
    return this.#options.room().participants.get(user_id)?.roster.is_muted === true
  }
}

const nothingPublished = () => ({
  seat: JSON.stringify(NO_SEAT),
  speaking: '[]',
  attendees: new Map<string, string>(),
  version: 0,
})
