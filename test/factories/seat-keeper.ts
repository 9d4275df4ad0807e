import { vi } from 'vitest'
import type { SeatCommand, SeenAttendee } from '../../shared/seat.ts'
import type { SeatCalls } from '../../web/features/seat/seat-calls.ts'
import { type SeatFrame, SeatKeeper } from '../../web/features/seat/seat-keeper.ts'
import { ApiError } from '../../web/lib/api-client.ts'
import type { FromSeat, ToSeat } from '../../web/seat/messages.ts'
import { createSeatStore } from '../../web/widgets/seat/seat-store.ts'
import { buildAttendee } from './attendees.ts'

export const TICKET = {
  ...{ role: 1 as const, sdk_url: 'http://sdk.test', sdk_version: '6.2.0', meeting_number: '1', passcode: 'secret' },
  ...{ signature: 'signed', user_name: 'Parley', customer_key: 'seat-1', zak: 'zak' },
  expires_at: '2026-11-27T22:00:00.000Z',
}
export const IN: Extract<FromSeat, { type: 'state' }> = {
  ...{ type: 'state', powers: 'host', connection: 'in', trouble: null, zoom_code: null },
  ...{ is_recording: false, can_see_speaking: true, sound: 'off' },
}
type Report = Parameters<SeatCalls['report']>[0]

class Frame implements SeatFrame {
  readonly sent: ToSeat[] = []
  isClosed = false
  opens = Promise.resolve()
  #message: (message: FromSeat) => void = () => {}
  gone = () => {}
  open = () => this.opens
  send = (message: ToSeat) => void this.sent.push(message)
  close() {
    this.isClosed = true
  }
  on(event: 'message' | 'gone', listener: ((message: FromSeat) => void) | (() => void)) {
    if (event === 'message') this.#message = listener
    else this.gone = listener as () => void
  }
  says = (message: FromSeat) => this.#message(message)
  types = () => this.sent.map((message) => (message.type === 'do' ? message.what : message.type))
}

export const refusal = (code: string, more: ConstructorParameters<typeof ApiError>[2] = {}) =>
  new ApiError(409, 'No', { code, ...more })
export const seen = (fields: Partial<SeenAttendee>): SeenAttendee => {
  const { user_id, by, suggestion, is_allowed, joined_at, ...attendee } = buildAttendee(fields)
  return attendee
}
export const command = (fields: Partial<SeatCommand>): SeatCommand => ({ seat_id: '', id: 'c1', do: 'mute', ...fields })

/** Opens a keeper with a server that answers as `state` says, and frames that say what a test lets them say. */
export function openKeeper({ userId = 'host', offersSound = false } = {}) {
  const frames: Frame[] = []
  const framesHaveSound: boolean[] = []
  const reports: Report[] = []
  const taken: Parameters<SeatCalls['take']>[0][] = []
  const released: unknown[] = []
  const guarded: string[] = []
  const state = {
    commands: [] as SeatCommand[],
    take: null as unknown, // what the next take is refused with
    report: null as unknown,
    reading: null as unknown,
    isLocked: false, // by another tab
  }
  let tick = () => {}
  const readings: number[] = []
  const store = {
    ...createSeatStore(),
    async read() {
      readings.push(Date.now())
      if (state.reading) throw state.reading
    },
  }
  const keeper = new SeatKeeper({
    ...{ userId, language: 'en-US', store, offersSound },
    lock: async () => (state.isLocked ? null : () => {}),
    startTicks: (callback) => {
      tick = callback
      return () => {
        tick = () => {}
      }
    },
    onGuarded: (name) => void guarded.push(name),
    openFrame: ({ hasSound }) => {
      framesHaveSound.push(hasSound)
      const frame = new Frame()
      frames.push(frame)
      return frame
    },
    calls: {
      async take(body) {
        taken.push(body)
        if (state.take) throw state.take
        const { seat_id } = body
        return { lease: { seat_id, epoch: taken.length, expires_at: TICKET.expires_at }, ticket: TICKET }
      },
      async report(report) {
        reports.push(report)
        if (state.report) throw state.report
        return { expires_at: TICKET.expires_at, commands: state.commands.splice(0) }
      },
      release: async (body) => void released.push(body),
    },
  })
  const frame = () => {
    const last = frames.at(-1)
    if (!last) throw new Error('There is no frame')
    return last
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1000) {
      await vi.advanceTimersByTimeAsync(Math.min(1000, ms - passed))
      tick()
      await vi.advanceTimersByTimeAsync(0)
    }
  }
  const enter = async () => {
    await keeper.take('host')
    frame().says(IN)
    await pass(1000)
  }
  return {
    ...{ keeper, store, readings, frame, frames, framesHaveSound, reports, taken, released, guarded, state },
    ...{ pass, enter },
  }
}
