import { type Login, Phone, type ReceivedEvent } from '../shared/phone/phone.ts'
import type { Schedule } from '../shared/phone/schedule.ts'
import type { Random } from './random.ts'
import { type EventMatcher, waitForAcknowledgement, waitForEvent } from './wait-for-event.ts'

/** Long enough for a server under maximum load; a wait ends as soon as its event arrives. */
const WAIT_TIMEOUT_MS = 60_000
const ACK_HISTORY = 100

/** A phone whose events can be awaited, and whose random choices are reproducible. */
export class SimulatedPhone extends Phone {
  readonly random: Random
  #acknowledged: string[] = []

  constructor(baseUrl: string, login: Login, { random, schedule }: { random: Random; schedule: Schedule }) {
    super(baseUrl, login, { random, schedule })
    this.random = random
    this.on('acknowledged', ({ ids }) => {
      this.#acknowledged = [...this.#acknowledged, ...ids].slice(-ACK_HISTORY)
    })
  }

  /** Resolves once the stream has sent its first event and the server has answered a status call. */
  async openStream() {
    const opened = this.waitForEvent((event) => event.name === 'test')
    this.connect()
    await Promise.all([opened, this.report()])
  }

  /** Call it before the action that causes the event. */
  waitForEvent(matches: EventMatcher, { timeoutMs = WAIT_TIMEOUT_MS } = {}): Promise<ReceivedEvent> {
    return waitForEvent(this, matches, timeoutMs)
  }

  /** Resolves once the server has accepted the acknowledgement of an event. */
  waitForAcknowledgement(id: string, { timeoutMs = WAIT_TIMEOUT_MS } = {}): Promise<void> {
    return this.#acknowledged.includes(id) ? Promise.resolve() : waitForAcknowledgement(this, id, timeoutMs)
  }
}
