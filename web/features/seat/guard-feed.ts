import type { ToSeat } from '../../seat/messages.ts'
import type { SeatStore } from '../../widgets/seat/seat-store.ts'

/** Ticks come once a second. After a longer gap the page has slept, and what it knows is old. */
const ASLEEP_MS = 2_500
/** An answer that took longer may have been written before the page slept. */
const ANSWER_MS = 5_000

interface Options {
  store: Pick<SeatStore, 'getState' | 'read'>
  send: (message: ToSeat) => void
  /** Called when the server has said how the room is. */
  onRead: () => void
}

/**
 * Tells the frame whom its guard lets speak while Mute All holds, again with each tick, since the frame forgets it soon.
 * After a sleep it says nothing before the server has said how the room is now, and a lock that begins is asked for first:
 * the stream may have been held up, and bring one that has ended since.
 */
export class GuardFeed {
  readonly #options: Options
  /** Reads the clock of the day, since the other one stands still on some machines while they sleep. */
  #awakeOn = 0
  #doubtSince: number | null = null
  #isReading = false
  /** True while a lock holds, or is asked for. */
  #isLocking = false
  #sent = ''

  constructor(options: Options) {
    this.#options = options
  }

  start() {
    this.#awakeOn = Date.now()
    this.#doubtSince = null
    this.#isLocking = false
    this.#sent = ''
  }

  /** True while what the page knows may be as old as its sleep. */
  get #isBehind(): boolean {
    return this.#doubtSince !== null || since(this.#awakeOn) > ASLEEP_MS
  }

  /** True if the server has not answered since the sleep. */
  get isUnanswered(): boolean {
    return this.#doubtSince !== null && since(this.#doubtSince) > ANSWER_MS
  }

  /** Call once a second. */
  tick() {
    const now = Date.now()
    if (since(this.#awakeOn) > ASLEEP_MS) this.#doubtSince = now
    this.#awakeOn = now
    if (this.#doubtSince !== null) void this.#read()
  }

  /** Sends what has changed; a lock is sent in any case with `isRepeated`. */
  send({ isOff, isRepeated = false }: { isOff: boolean; isRepeated?: boolean }) {
    const { seat, attendees } = this.#options.store.getState()
    const lock = seat.lock && !isOff
    const begins = lock && !this.#isLocking
    this.#isLocking = lock
    if (begins) {
      this.#doubtSince ??= Date.now()
      void this.#read()
    }
    if (!isOff && this.#isBehind) return
    const keys = lock ? [...attendees.values()].filter((one) => one.is_allowed).map(({ key }) => key) : []
    const allowed = { lock, keys: keys.toSorted() }
    const text = JSON.stringify(allowed)
    if (text === this.#sent && !(isRepeated && lock)) return
    this.#sent = text
    this.#options.send({ type: 'allow', ...allowed, at: Date.now() })
  }

  async #read() {
    if (this.#isReading) return
    this.#isReading = true
    const askedOn = Date.now()
    const isRead = await this.#options.store.read().then(
      () => true,
      () => false,
    )
    this.#isReading = false
    if (!isRead || since(askedOn) > ANSWER_MS) return
    this.#doubtSince = null
    this.#options.onRead()
  }
}

const since = (on: number) => Math.abs(Date.now() - on)
