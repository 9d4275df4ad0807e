import type { Attendee, SdkEvent } from '../events.ts'
import type { Order } from '../order.ts'

const CALL_MS = 5000
/** Three missed pings. */
const SILENCE_MS = 9000
const AGAIN_MS = 1000

/** Joins like Zoom's own app, which needs no signature. */
export type PlainJoinBody = { meeting_number: string; user_name: string; passcode: string; zak?: string }

export type JoinBody = {
  signature: string
  meeting_number: string
  user_name: string
  passcode: string
  customer_key?: string
  zak?: string
  obf_token?: string
}

type JoinAnswer = { participantUuid: string; token: string } | { code: number }
type Follower = { onEvent: (event: SdkEvent) => void; onLost: () => void; onGone: () => void }

/** The connection to the emulator that served this script. */
export class EmulatorConnection {
  readonly #origin: string
  #events: EventSource | undefined
  #receivedAt = 0
  #watch = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Returns code 0 if there is no response. */
  async join(body: JoinBody | PlainJoinBody): Promise<JoinAnswer> {
    const path = 'signature' in body ? '/sdk/join' : '/zoom/join'
    const response = await this.#post(path, { ...body, page: true }).catch(() => null)
    const answer = await response?.json().catch(() => null)
    const participantUuid = answer?.participant?.participant_uuid
    const token = answer?.token
    if (response?.ok && typeof participantUuid === 'string' && typeof token === 'string')
      return { participantUuid, token }
    return { code: typeof answer?.code === 'number' ? answer.code : 0 }
  }

  async offer(token: string, sdp: string): Promise<string> {
    const response = await this.#post(`/sdk/participants/${token}/offer`, { sdp })
    if (!response.ok) throw new Error(`The offer was answered ${response.status}`)
    return (await response.json()).sdp
  }

  async change(token: string, state: Partial<Pick<Attendee, 'muted' | 'audio' | 'raiseHand'>>): Promise<void> {
    const response = await this.#post(`/sdk/participants/${token}/state`, state)
    if (!response.ok) throw new Error(`The change was answered ${response.status}`)
  }

  /** Gives an order, whose effect only shows in the list of participants. */
  async order(token: string, order: Order): Promise<void> {
    await this.#post(`/sdk/participants/${token}/orders`, order).catch(() => null)
  }

  /** Reconnects automatically until it is closed or the meeting is over. */
  follow(token: string, follower: Follower) {
    this.close()
    const events = new EventSource(`${this.#origin}/sdk/participants/${token}/events`)
    this.#events = events
    this.#receivedAt = Date.now()
    events.addEventListener('message', ({ data }) => {
      this.#receivedAt = Date.now()
      follower.onEvent(JSON.parse(data))
    })
    events.addEventListener('error', () => {
      if (this.#events !== events) return
      follower.onLost()
      if (events.readyState === EventSource.CLOSED) void this.#reconnect(token, follower)
    })
    this.#watch = window.setInterval(() => {
      if (Date.now() - this.#receivedAt < SILENCE_MS) return
      follower.onLost()
      this.follow(token, follower)
    }, AGAIN_MS)
  }

  /** Uses a beacon, which also works while the page closes. */
  leave(token: string) {
    this.close()
    navigator.sendBeacon(`${this.#origin}/sdk/leave`, JSON.stringify({ token }))
  }

  close() {
    window.clearInterval(this.#watch)
    this.#events?.close()
    this.#events = undefined
  }

  /** The stream was refused: checks whether the participant has left the meeting or the emulator is unreachable. */
  async #reconnect(token: string, follower: Follower) {
    this.close()
    const response = await fetch(`${this.#origin}/sdk/participants/${token}`, { cache: 'no-store' }).catch(() => null)
    const answer = await response?.json().catch(() => null)
    if (answer?.is_in === false) follower.onGone()
    else this.#watch = window.setInterval(() => this.follow(token, follower), AGAIN_MS)
  }

  #post(path: string, body: object) {
    return fetch(this.#origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MS),
    })
  }
}
