import type { z } from 'zod'
import {
  SEAT_COMMAND_MS,
  SEAT_RENEWAL_MS,
  type SeatCommand,
  type SeatLease,
  type SeatReport,
} from '../../../shared/seat.ts'
import { ApiError } from '../../lib/api-client.ts'
import type { ReportBuffer } from './report-buffer.ts'
import type { SeatCalls } from './seat-calls.ts'

/** Five reports a second. */
const REPORT_EVERY_MS = 200
/** A command that the stream has announced, and the answer did not have, is asked for so often: another server may be behind. */
const ASK_EVERY_MS = 900
/** Commands of an answer that took longer come once more with the next one, if they still stand. */
const ANSWER_MS = 5_000

interface Options {
  buffer: ReportBuffer
  send: SeatCalls['report']
  state: () => z.output<typeof SeatReport>['state']
  onCommands: (commands: readonly SeatCommand[]) => void
  onLeaseLost: () => void
}

/** Reports to the server what the frame sees, while there is a lease, which each report renews. */
export class ReportSender {
  readonly #options: Options
  #lease: SeatLease | null = null
  #seq = 0
  #isSending = false
  #isStateDirty = false
  /** Announced commands that no answer has had yet, and since when. */
  readonly #announced = new Map<string, number>()
  #sentAt = Number.NEGATIVE_INFINITY
  #answeredAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get lease(): SeatLease | null {
    return this.#lease
  }

  /** Milliseconds since the server has last answered. */
  get silentMs(): number {
    return performance.now() - this.#answeredAt
  }

  /** Counts as an answer. */
  noteAnswer() {
    this.#answeredAt = performance.now()
  }

  begin(lease: SeatLease) {
    this.#lease = lease
    this.#seq = 0
    this.noteAnswer()
  }

  /** Sends nothing more. Returns the lease, if there was one. */
  end(): SeatLease | null {
    const lease = this.#lease
    this.#lease = null
    this.#announced.clear()
    clearTimeout(this.#timer)
    return lease
  }

  reportState() {
    this.#isStateDirty = true
    this.flush()
  }

  /** Asks for a command until an answer has it, it is called off, or it has failed. */
  askFor(id: string) {
    this.#announced.set(id, performance.now())
    this.reportState()
  }

  callOff(id: string) {
    this.#announced.delete(id)
  }

  /** Sends a report if one is due: one at a time, and no more than five a second. */
  flush() {
    const lease = this.#lease
    const { buffer, send, onCommands, onLeaseLost } = this.#options
    if (!lease || this.#isSending) return
    const sinceLast = performance.now() - this.#sentAt
    const everyMs = this.#isAsking() ? ASK_EVERY_MS : SEAT_RENEWAL_MS - 500
    const isDue = this.#isStateDirty || !buffer.isEmpty || sinceLast >= everyMs
    if (!isDue) return
    clearTimeout(this.#timer)
    if (sinceLast < REPORT_EVERY_MS) {
      this.#timer = setTimeout(() => this.flush(), REPORT_EVERY_MS - sinceLast)
      return
    }
    this.#isSending = true
    this.#isStateDirty = false
    this.#sentAt = performance.now()
    const taken = buffer.take()
    const sentAt = Date.now()
    const { seat_id, epoch } = lease
    send({ seat_id, epoch, seq: this.#seq++, state: this.#options.state(), ...taken })
      .then(
        ({ commands }) => {
          if (this.#lease !== lease) return
          this.noteAnswer()
          if (Math.abs(Date.now() - sentAt) > ANSWER_MS) return
          for (const { id } of commands) this.callOff(id)
          onCommands(commands)
        },
        (error: unknown) => {
          if (this.#lease !== lease) return
          buffer.putBack(taken)
          if (error instanceof ApiError) this.#noteRefusal(error)
          if (error instanceof ApiError && error.code === 'seat_lost') onLeaseLost()
          return 'failed'
        },
      )
      .then((outcome) => {
        this.#isSending = false
        if (outcome !== 'failed') this.flush() // a failed report is repeated with the next tick
      })
  }

  #isAsking(): boolean {
    const now = performance.now()
    for (const [id, since] of this.#announced) if (now - since > SEAT_COMMAND_MS) this.#announced.delete(id)
    return this.#announced.size > 0
  }

  /** A conflict or a limit is an answer too. Any other refusal will come again: nobody gets this seat's reports. */
  #noteRefusal({ status }: ApiError) {
    if (status === 409 || status === 429) this.noteAnswer()
    else if (status >= 400 && status < 500) this.#answeredAt = Number.NEGATIVE_INFINITY
  }
}
