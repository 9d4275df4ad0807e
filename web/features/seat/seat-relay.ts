import type { SeatCommand, SeatLease, SeatOutcome, SeenAttendee } from '../../../shared/seat.ts'
import type { FromSeat, ToSeat } from '../../seat/messages.ts'
import type { KeeperView } from '../../widgets/seat/keeper-view.ts'
import type { SeatStore } from '../../widgets/seat/seat-store.ts'
import { GuardFeed } from './guard-feed.ts'
import { ReportBuffer } from './report-buffer.ts'
import { ReportSender } from './report-sender.ts'
import type { SeatCalls } from './seat-calls.ts'
import { UnrulyAttendees } from './unruly-attendees.ts'
import { VoiceWatch } from './voice-watch.ts'

interface RelayOptions {
  store: SeatStore
  report: SeatCalls['report']
  /** Returns null while there is no seat. */
  seatId: () => string | null
  view: () => KeeperView
  send: (message: ToSeat) => void
  onChange: (change: Partial<KeeperView>) => void
  /** Receives the name of somebody whom the frame has muted again. */
  onGuarded: (name: string) => void
  /** Called when another console takes the seat. */
  onLeave: () => void
  onLeaseLost: () => void
}

/** The guard stops after so long without an answer, since those who may speak are no longer known. */
const GUARD_WITHOUT_SERVER_MS = 60_000
const COMMANDS_KEPT = 1_000

/** Carries what the frame of the seat sees to the server, and what the server wants to the frame. */
export class SeatRelay {
  readonly #options: RelayOptions
  readonly #buffer = new ReportBuffer()
  readonly #seen = new Set<string>()
  readonly #unruly = new UnrulyAttendees()
  readonly #voices = new VoiceWatch()
  readonly #guardFeed: GuardFeed
  readonly #reports: ReportSender

  constructor(options: RelayOptions) {
    this.#options = options
    this.#guardFeed = new GuardFeed({
      store: options.store,
      send: options.send,
      onRead: () => this.sendAllowed(),
    })
    this.#reports = new ReportSender({
      buffer: this.#buffer,
      send: options.report,
      state: () => this.#reportedState(),
      onCommands: (commands) => {
        for (const command of commands) this.#obey(command)
      },
      onLeaseLost: options.onLeaseLost,
    })
  }

  get lease(): SeatLease | null {
    return this.#reports.lease
  }

  get people(): ReadonlyMap<string, SeenAttendee> {
    return this.#buffer.people
  }

  /** Begins with a seat that is being taken. */
  start() {
    this.#reports.noteAnswer()
    this.#guardFeed.start()
  }

  holdLease(lease: SeatLease) {
    this.#reports.begin(lease)
  }

  /** Begins with a page that joins the meeting and has seen nobody yet. */
  startJoining() {
    this.#buffer.clear()
    this.#voices.start()
  }

  reportState() {
    this.#reports.reportState()
  }

  reportAll() {
    this.#buffer.sendAll()
    this.#reports.reportState()
  }

  forgetPeople() {
    this.#buffer.clear()
  }

  /** Reports nothing more. Returns the lease, if there was one. */
  end(): SeatLease | null {
    return this.#reports.end()
  }

  clear() {
    this.#buffer.clear()
    this.#unruly.clear()
  }

  /** Takes what the frame sees and has done. */
  receive(message: Exclude<FromSeat, { type: 'state' | 'ended' }>) {
    if (message.type === 'guarded') this.#countGuarded(message.key, message.times)
    if (message.type === 'speaking' && message.keys.length > 0) this.#voices.noteNamed()
    this.#buffer.receive(message)
    this.#reports.flush()
  }

  /** Notes what a phone of Parley's app says of its voice. */
  handleVoice(userId: string, isSpeaking: boolean) {
    this.#voices.setVoice(userId, isSpeaking)
  }

  /** Forgets the voices of phones where their ends may have been missed. */
  forgetVoices() {
    this.#voices.forgetVoices()
  }

  /**
   * Asks the server for the commands that stand now. The stream may have been held up on its way, or in another tab, and
   * bring what has been taken back or has failed since. Another console that takes the seat waits for no answer.
   */
  handleCommand(command: SeatCommand) {
    const { seat_id, id, do: what } = command
    if (seat_id !== this.#options.seatId() || this.#seen.has(id)) return
    if (what === 'leave') this.#obey(command)
    else this.#reports.askFor(id)
  }

  /** Takes back what the server has settled otherwise than done, such as with Unmute All. */
  handleSettled({ id, outcome }: { id: string; outcome: SeatOutcome }) {
    this.#reports.callOff(id)
    if (this.#options.seatId() === null || outcome === 'done') return
    if (this.#seen.has(id)) this.#options.send({ type: 'drop', id })
    else this.#remember(id)
  }

  sendAllowed(isRepeated = false) {
    this.#guardFeed.send({ isOff: this.#options.view().isServerGone, isRepeated })
  }

  /** Call once a second. */
  tick() {
    const { view, onChange } = this.#options
    this.#guardFeed.tick()
    const isServerGone = this.#reports.silentMs > GUARD_WITHOUT_SERVER_MS || this.#guardFeed.isUnanswered
    if (isServerGone !== view().isServerGone) onChange({ isServerGone })
    this.sendAllowed(true)
    this.#updateUnruly()
    this.#voices.tick(view().phase === 'in')
    const { isDeaf } = this.#voices
    if (isDeaf !== view().isDeaf) onChange({ isDeaf })
    this.#reports.flush()
  }

  #obey(command: SeatCommand) {
    if (command.seat_id !== this.#options.seatId() || this.#seen.has(command.id)) return
    this.#remember(command.id)
    const { id, do: what, key, user_id = key && this.#buffer.people.get(key)?.zoom_user_id } = command
    if (what === 'leave') return this.#options.onLeave()
    this.#options.send({ type: 'do', id, what, ...(typeof user_id === 'number' && { user_id }) })
  }

  #remember(id: string) {
    this.#seen.add(id)
    const [oldest] = this.#seen
    if (this.#seen.size > COMMANDS_KEPT && oldest !== undefined) this.#seen.delete(oldest)
  }

  #countGuarded(key: string, times: number) {
    this.#unruly.count(key, times)
    this.#updateUnruly()
    const name = this.#buffer.people.get(key)?.name
    if (name !== undefined) this.#options.onGuarded(name)
  }

  #updateUnruly() {
    const unruly = this.#unruly.list(this.#buffer.people)
    if (unruly.join() !== this.#options.view().unruly.join()) this.#options.onChange({ unruly })
  }

  #reportedState() {
    const view = this.#options.view()
    const { powers, trouble, zoom_code, is_recording, can_see_speaking, connection, sound } = view.frame
    const is_hidden = view.hiddenSince !== null && sound !== 'on' // browsers do not slow down a page with sound
    const isWaiting = view.phase === 'waiting' || view.phase === 'taking'
    return {
      connection: isWaiting ? ('reconnecting' as const) : connection,
      zoom_code: reportable(zoom_code),
      ...{ powers, trouble, is_recording, can_see_speaking, is_hidden },
    }
  }
}

/** The frame's code may be any number, for which the server would refuse the whole report. */
export const reportable = (code: number | null) =>
  code !== null && Number.isInteger(code) && code >= 0 && code < 1e6 ? code : null
