import { randomUUID } from 'node:crypto'
import type { SeatReport, SeenAttendee } from '../../shared/seat.ts'
import type { TestServer } from '../servers/start.ts'
import { call, type SignedIn } from './accounts.ts'

/** Somebody in Zoom's own app. */
export const seen = (name: string, fields: Partial<SeenAttendee> = {}): SeenAttendee => ({
  ...{ key: `key-${name}`, zoom_user_id: 16_778_240, name, customer_key: null, audio: 'computer', muted: false },
  ...{ is_host: false, is_co_host: false, is_guest: true, is_hold: false, hand: false, is_bot: false, is_self: false },
  ...fields,
})

/** The state of a seat that is in the meeting as its host. */
export const SEAT_STATE: SeatReport['state'] = {
  ...{ connection: 'in', powers: 'host', trouble: null, zoom_code: null },
  ...{ is_recording: false, can_see_speaking: true, is_hidden: false },
}

/** A console that has the seat, or wants it. */
export class TestSeat {
  readonly seat_id = randomUUID()
  readonly as: SignedIn
  #server: TestServer
  epoch = 0
  seq = 0

  constructor(server: TestServer, as: SignedIn) {
    this.#server = server
    this.as = as
  }

  /** Sends the next calls to another server. */
  moveTo(server: TestServer): void {
    this.#server = server
  }

  async take(fields: Record<string, unknown> = {}) {
    const body = { seat_id: this.seat_id, as: 'host', ...fields }
    const taken = await call(this.#server, 'POST', '/host/seat', { as: this.as, body })
    if (taken.status === 200) {
      this.epoch = taken.body.data.lease.epoch
      this.seq = 0
    }
    return taken
  }

  /** Reports that the seat is in the meeting. */
  async report({
    state = {},
    ...fields
  }: Partial<Omit<SeatReport, 'state'>> & { state?: Partial<typeof SEAT_STATE> } = {}) {
    const { seat_id, epoch, seq } = this
    const body = { seat_id, epoch, seq, ...fields, state: { ...SEAT_STATE, ...state } }
    const reported = await call(this.#server, 'PUT', '/host/seat', { as: this.as, body })
    if (reported.status === 200) this.seq = body.seq + 1
    return reported
  }

  release(fields: { zoom_code?: number } = {}) {
    const { seat_id, epoch } = this
    return call(this.#server, 'DELETE', '/host/seat', { as: this.as, body: { seat_id, epoch, ...fields } })
  }
}
