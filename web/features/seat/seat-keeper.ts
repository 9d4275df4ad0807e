import { type SeatLease, type SeatTicket, SeatWay } from '../../../shared/seat.ts'
import { ApiError, messageOf, randomUuid } from '../../lib/api-client.ts'
import { isRecord } from '../../lib/is-record.ts'
import { tabStorage } from '../../lib/storage.ts'
import type { FromSeat, ToSeat } from '../../seat/messages.ts'
import type { KeeperView, SeatControl, SeatNotice } from '../../widgets/seat/keeper-view.ts'
import type { SeatStore } from '../../widgets/seat/seat-store.ts'
import type { SeatCalls } from './seat-calls.ts'
import { reportable, SeatRelay } from './seat-relay.ts'

type FrameState = KeeperView['frame']
type SeatEnd = Extract<FromSeat, { type: 'ended' }>

/** The frame of one joining, as the keeper uses it. */
export interface SeatFrame {
  open(): Promise<void>
  send(message: ToSeat): void
  close(): void
  on(event: 'message', listener: (message: FromSeat) => void): unknown
  on(event: 'gone', listener: () => void): unknown
}

interface KeeperOptions {
  userId: string // whose session this is: another one's stored seat is not taken again
  language: string
  store: SeatStore
  calls: SeatCalls
  openFrame: (options: { hasSound: boolean }) => SeatFrame
  /** True if the seat may join the meeting's sound. */
  offersSound: boolean
  /** Receives the name of somebody whom the frame has muted again. */
  onGuarded: (name: string) => void
  /** Returns how to give the lock back; null if another tab has it. */
  lock: () => Promise<(() => void) | null>
  startTicks: (tick: () => void) => () => void
}

const STORED = 'parley.seat'
const FAILED = 'Failed to take the seat'
const RETRY_MS = [2_000, 5_000, 10_000, 20_000, 30_000]
/** A page that is still in the meeting asks so many times for its lost lease, before it leaves. */
const LEASE_RETRY_MS = [2_000, 5_000, 10_000]
const LEAVE_MS = 3_000
/** Two clients of the host would throw each other out for ever, or Zoom no longer accepts this one. */
const NEVER_AGAIN: readonly string[] = ['sdk_too_old', 'elsewhere', 'removed', 'other_meeting', 'left', 'meeting_ended']
const CODES_NEVER_AGAIN = [5, 6, 3711, 4008, 10000]

const NO_STATE: FrameState = {
  ...{ powers: 'none', connection: 'joining', trouble: null, zoom_code: null },
  ...{ is_recording: false, can_see_speaking: true, sound: 'off' },
}
const OFF: KeeperView = {
  ...{ phase: 'off', way: 'host', frame: NO_STATE, retryAt: null },
  ...{ isServerGone: false, hiddenSince: null, notice: null, unruly: [] },
  ...{ offersSound: false, hasSound: false, isSwitching: false, isDeaf: false },
}

/** Takes the room's seat, joins with it, reports what it sees, and obeys the server until the seat is released. */
export class SeatKeeper implements SeatControl {
  view: KeeperView = OFF
  readonly relay: SeatRelay
  readonly #options: KeeperOptions
  readonly #listeners = new Set<() => void>()
  #seatId = ''
  #frame: SeatFrame | null = null
  #unlock: (() => void) | null = null
  #stopTicks = () => {}
  #stopFollowing = () => {}
  #failures = 0
  #hasRefusedTicket = false
  #left: (() => void) | null = null
  #releasing: Promise<void> | null = null
  /** Counts up with each seat, so that what belongs to a former one is passed over. */
  #attempt = 0

  constructor(options: KeeperOptions) {
    this.#options = options
    this.relay = new SeatRelay({
      store: options.store,
      report: (report) => options.calls.report(report),
      seatId: () => this.seatId,
      view: () => this.view,
      send: (message) => this.#frame?.send(message),
      onChange: (change) => this.#set(change),
      onGuarded: options.onGuarded,
      onLeave: () => void this.#handOver(),
      onLeaseLost: () => this.#renewLostLease(),
    })
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get isHeld(): boolean {
    return this.view.phase !== 'off'
  }

  get seatId(): string | null {
    return this.isHeld ? this.#seatId : null
  }

  /** True if the meeting would be left without a host. */
  get isOnlyHost(): boolean {
    if (this.view.phase !== 'in' || this.view.frame.powers !== 'host') return false
    const others = [...this.relay.people.values()].filter((one) => !one.is_self && !one.is_hold)
    return !others.some((one) => one.is_host || one.is_co_host)
  }

  /** Takes the seat again that this tab had before it was reloaded. */
  async resume(): Promise<void> {
    const stored = readStored()
    if (stored?.user_id !== this.#options.userId || this.isHeld) return
    this.#seatId = stored.seat_id
    await this.#begin(stored.way, { hasSound: stored.sound })
  }

  async take(way: SeatWay, takeOver = false): Promise<void> {
    if (this.isHeld) return
    this.#seatId = randomUuid()
    await this.#begin(way, { takeOver })
  }

  /** Leaves the meeting, which goes on, and gives the seat back. */
  release(): Promise<void> {
    this.#releasing ??= this.#leave().finally(() => {
      this.#releasing = null
    })
    return this.#releasing
  }

  async #leave(): Promise<void> {
    if (!this.isHeld || this.view.phase === 'leaving') return
    const attempt = this.#attempt
    const lease = this.relay.end() // no report may come after the release
    this.#set({ phase: 'leaving', retryAt: null })
    await this.#leaveFrame()
    if (this.#attempt !== attempt) return // closed meanwhile, as with a sign-out that did not wait
    if (lease) await this.#release(lease)
    if (this.#attempt === attempt) this.#end(null)
  }

  /** Ends everything at once, where the panel is left, as with a sign-out. */
  close() {
    const lease = this.relay.end()
    if (lease) void this.#release(lease)
    this.#end(null)
  }

  /**
   * Leaves the meeting and joins it once more, with the sound or without: what a frame may use is fixed when it loads. Of
   * the host's two clients Zoom might refuse the second, so the first leaves before.
   */
  async switchSound(hasSound: boolean): Promise<void> {
    const { phase, offersSound } = this.view
    if (phase !== 'in' || !offersSound || hasSound === this.view.hasSound) return
    const attempt = this.#attempt
    this.#set({ phase: 'taking', hasSound, isSwitching: true })
    this.relay.reportState()
    await this.#leaveFrame()
    if (this.#attempt === attempt && this.view.phase === 'taking') await this.#join()
  }

  dismiss() {
    this.#set({ notice: null })
  }

  setHidden(isHidden: boolean) {
    const hiddenSince = isHidden ? (this.view.hiddenSince ?? performance.now()) : null
    this.#set({ hiddenSince })
    this.relay.reportState()
  }

  /** Takes over the meeting's host role from another client of the same host. */
  reclaimHost() {
    this.#frame?.send({ type: 'do', id: randomUuid(), what: 'reclaim-host' })
  }

  retryNow() {
    if (this.view.phase === 'waiting') void this.#rejoin()
  }

  async #begin(way: SeatWay, { takeOver = false, hasSound = false }) {
    const { hiddenSince } = this.view
    const { offersSound } = this.#options
    this.#failures = 0
    this.#hasRefusedTicket = false
    this.#set({ ...OFF, phase: 'taking', way, hiddenSince, offersSound, hasSound: offersSound && hasSound })
    const attempt = ++this.#attempt
    const { lock, startTicks, store } = this.#options
    const unlock = await lock().catch((error: unknown) => ({ message: messageOf(error, FAILED) }))
    if (this.#attempt !== attempt) return typeof unlock === 'function' ? unlock() : undefined
    if (unlock === null) return this.#end({ kind: 'other-tab' })
    if (typeof unlock !== 'function') return this.#end({ kind: 'failed', ...unlock })
    this.#unlock = unlock
    this.relay.start()
    this.#stopTicks = startTicks(() => this.#tick())
    this.#stopFollowing = store.subscribe(() => this.relay.sendAllowed())
    await this.#join(takeOver)
  }

  async #join(takeOver = false) {
    const attempt = this.#attempt
    const isOver = () => this.#attempt !== attempt || this.view.phase === 'leaving'
    try {
      const { lease, ticket } = await this.#options.calls.take(this.#request(takeOver))
      if (isOver()) return void this.#release(lease)
      this.#holdLease(lease)
      await this.#openFrame(ticket)
    } catch (error) {
      if (!isOver()) this.#handleRefusal(error)
    }
  }

  /** Gives the lease back; without an answer it ends by itself. */
  async #release({ seat_id, epoch }: Pick<SeatLease, 'seat_id' | 'epoch'>, zoom_code: number | null = null) {
    await this.#options.calls.release({ seat_id, epoch, zoom_code: reportable(zoom_code) }).catch(() => {})
  }

  #request(take_over: boolean) {
    return { seat_id: this.#seatId, as: this.view.way, silent: !this.view.hasSound, take_over }
  }

  #holdLease(lease: SeatLease) {
    this.relay.holdLease(lease)
    this.#set({ isServerGone: false })
    const { userId } = this.#options
    const { way, hasSound } = this.view
    tabStorage.store(STORED, JSON.stringify({ user_id: userId, seat_id: this.#seatId, way, sound: hasSound }))
  }

  async #openFrame(ticket: SeatTicket) {
    this.relay.startJoining()
    this.#set({ phase: 'joining', retryAt: null, frame: NO_STATE, isDeaf: false })
    this.relay.reportState()
    const { hasSound } = this.view
    const frame = this.#options.openFrame({ hasSound })
    this.#frame = frame
    frame.on('message', (message) => this.#frame === frame && this.#receive(message))
    frame.on('gone', () => this.#frame === frame && this.#handleEnd('join_failed', null))
    try {
      await frame.open()
    } catch {
      if (this.#frame === frame) this.#handleEnd('sdk_failed', null)
      return
    }
    const { language } = this.#options
    frame.send({ type: 'join', ticket, as: this.view.way, silent: !hasSound, language })
    this.relay.sendAllowed(true)
  }

  #receive(message: FromSeat) {
    switch (message.type) {
      case 'state': {
        const { type: _, ...frame } = message
        if (this.#left) return // what it still says
        if (frame.connection === 'in') this.#failures = 0
        this.#set({ frame, phase: frame.connection, ...(frame.connection === 'in' && { isSwitching: false }) })
        return this.relay.reportState()
      }
      case 'ended':
        return this.#handleEnd(message.reason, message.zoom_code)
      default:
        this.relay.receive(message)
    }
  }

  /** Ends the seat, or tries again after a while: the lease is kept meanwhile. */
  #handleEnd(reason: SeatEnd['reason'], zoom_code: number | null) {
    this.#frame?.close()
    this.#frame = null
    if (this.#left) return this.#left()
    const isOver = NEVER_AGAIN.includes(reason) || (zoom_code !== null && CODES_NEVER_AGAIN.includes(zoom_code))
    const isRefusedAgain = reason === 'ticket_refused' && this.#hasRefusedTicket
    if (reason === 'ticket_refused') this.#hasRefusedTicket = true
    if (isOver || isRefusedAgain) return this.#giveUp({ kind: 'ended', reason, zoom_code })
    this.#wait({ ...NO_STATE, trouble: reason === 'left' || reason === 'meeting_ended' ? null : reason, zoom_code })
  }

  #wait(frame: FrameState) {
    this.relay.forgetPeople()
    const delay = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)] ?? 0
    this.#set({ phase: 'waiting', frame, retryAt: performance.now() + delay, isSwitching: false })
    this.relay.reportState()
  }

  async #rejoin() {
    this.#set({ phase: 'taking', retryAt: null })
    await this.#join()
  }

  #handleRefusal(error: unknown) {
    if (error instanceof ApiError && error.code === 'seat_taken') {
      const { by = '', since = '' } = error.holder ?? {}
      return this.#end({ kind: 'taken', by, since })
    }
    const isFirst = this.relay.lease === null
    if (isFinal(error) || isFirst) return this.#giveUp({ kind: 'failed', message: messageOf(error, FAILED) })
    this.#wait({ ...this.view.frame, connection: 'reconnecting' })
  }

  #giveUp(notice: SeatNotice) {
    const lease = this.relay.end()
    this.#end(notice)
    if (lease) void this.#release(lease, notice.kind === 'ended' ? notice.zoom_code : null)
  }

  /** Another console takes the seat: this one leaves first, so that Zoom never sees two. */
  async #handOver() {
    this.#set({ phase: 'leaving', retryAt: null })
    await this.#leaveFrame()
    const lease = this.relay.end()
    if (lease) await this.#release(lease)
    this.#end({ kind: 'taken-over' })
  }

  async #leaveFrame() {
    const frame = this.#frame
    if (!frame) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, LEAVE_MS)
    this.#left = resolve
    frame.send({ type: 'leave', id: randomUuid() })
    await promise
    clearTimeout(timer)
    if (this.#left === resolve) this.#left = null
    if (this.#frame === frame) this.#frame = null
    frame.close()
  }

  #end(notice: SeatNotice | null) {
    if (!this.isHeld) return
    this.#attempt++
    this.#frame?.close()
    this.#frame = null
    this.relay.end()
    this.#stopTicks()
    this.#stopFollowing()
    this.#unlock?.()
    this.#unlock = null
    this.relay.clear()
    tabStorage.remove(STORED)
    this.#set({ ...OFF, notice, hiddenSince: this.view.hiddenSince })
  }

  #tick() {
    const { phase, retryAt } = this.view
    if (phase === 'waiting' && retryAt !== null && performance.now() >= retryAt) void this.#rejoin()
    this.relay.tick()
  }

  /** A page that slept is still in the meeting: it needs no new joining, unless another console has the seat by now. */
  #renewLostLease(failures = 0) {
    this.relay.end()
    const attempt = this.#attempt
    const isOver = () => this.#attempt !== attempt || this.view.phase === 'leaving'
    this.#options.calls.take(this.#request(false)).then(
      ({ lease }) => {
        if (isOver()) return void this.#release(lease)
        this.#holdLease(lease)
        this.relay.reportAll()
      },
      (error: unknown) => {
        if (isOver()) return
        const delay = LEASE_RETRY_MS[failures]
        if (delay !== undefined && !isFinal(error)) {
          setTimeout(() => isOver() || this.relay.lease || this.#renewLostLease(failures + 1), delay)
          return
        }
        const isTaken = error instanceof ApiError && error.code === 'seat_taken'
        void this.#leaveFrame().then(() => (isTaken ? this.#end({ kind: 'taken-over' }) : this.#handleRefusal(error)))
      },
    )
  }

  #set(change: Partial<KeeperView>) {
    this.view = { ...this.view, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** True for an answer that the same call would get again. */
const isFinal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429

function readStored(): { user_id: string; seat_id: string; way: SeatWay; sound: boolean } | null {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(STORED) ?? '')
    if (!isRecord(stored) || typeof stored.user_id !== 'string' || typeof stored.seat_id !== 'string') return null
    const { user_id, seat_id } = stored
    return { user_id, seat_id, way: SeatWay.parse(stored.way), sound: stored.sound === true }
  } catch {
    return null
  }
}
