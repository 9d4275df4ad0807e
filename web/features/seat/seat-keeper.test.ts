import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SeatCommand, SeenAttendee } from '../../../shared/seat.ts'
import { buildAttendee, buildSeat } from '../../../test/factories/attendees.ts'
import { ApiError } from '../../lib/api-client.ts'
import { tabStorage } from '../../lib/storage.ts'
import type { FromSeat, ToSeat } from '../../seat/messages.ts'
import { createSeatStore } from '../../widgets/seat/seat-store.ts'
import type { SeatCalls } from './seat-calls.ts'
import { type SeatFrame, SeatKeeper } from './seat-keeper.ts'
import { seatWords } from './seat-words.ts'

const TICKET = {
  ...{ role: 1 as const, sdk_url: 'http://sdk.test', sdk_version: '6.2.0', meeting_number: '1', passcode: 'secret' },
  ...{ signature: 'signed', user_name: 'Parley', customer_key: 'seat-1', zak: 'zak' },
  expires_at: '2026-11-27T22:00:00.000Z',
}
const IN: Extract<FromSeat, { type: 'state' }> = {
  ...{ type: 'state', powers: 'host', connection: 'in', trouble: null, zoom_code: null },
  ...{ is_recording: false, can_see_speaking: true, sound: 'off' },
}
type Report = Parameters<SeatCalls['report']>[0]

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  tabStorage.remove('parley.seat')
})

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

const refusal = (code: string, more: ConstructorParameters<typeof ApiError>[2] = {}) =>
  new ApiError(409, 'No', { code, ...more })
const seen = (fields: Partial<SeenAttendee>): SeenAttendee => {
  const { user_id, by, suggestion, is_allowed, joined_at, ...attendee } = buildAttendee(fields)
  return attendee
}
const command = (fields: Partial<SeatCommand>): SeatCommand => ({ seat_id: '', id: 'c1', do: 'mute', ...fields })

function open({ userId = 'host', offersSound = false } = {}) {
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

test('joins with the ticket, and reports whom it sees', async () => {
  const { keeper, frame, reports, pass, enter } = open()
  await enter()
  expect(frame().sent[0]).toEqual({ type: 'join', ticket: TICKET, as: 'host', silent: true, language: 'en-US' })
  expect(keeper.view).toMatchObject({ phase: 'in', notice: null })
  frame().says({ type: 'people', full: true, attendees: [seen({ key: 'lee' }), seen({ key: 'kim' })], left: [] })
  frame().says({ type: 'speaking', keys: ['lee'] })
  await pass(1000)
  expect(reports.at(-1)).toMatchObject({ speaking: ['lee'] })
  const last = reports.findLast(({ full }) => full)
  expect(last).toMatchObject({ full: true, part: 0, epoch: 1, state: { connection: 'in' } })
  expect(last?.attendees?.map(({ key }) => key)).toEqual(['lee', 'kim'])
  frame().says({ type: 'people', full: false, attendees: [seen({ key: 'lee', muted: true })], left: ['kim'] })
  await pass(1000)
  expect(reports.at(-1)).toMatchObject({ full: false, attendees: [{ key: 'lee', muted: true }], left: ['kim'] })
  expect(reports.map(({ seq }) => seq)).toEqual(reports.map((_, at) => at))
})

test('reports five times a second at most, and without news renews the lease in time', async () => {
  const { frame, reports, pass, enter } = open()
  await enter()
  const before = reports.length
  for (let at = 0; at < 100; at++) {
    frame().says({ type: 'people', full: false, attendees: [seen({ key: `k${at}` })], left: [] })
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(reports.length - before).toBeLessThanOrEqual(6)
  await pass(1000)
  const quiet = reports.length
  await pass(30_000)
  expect(reports.length - quiet).toBeGreaterThanOrEqual(6)
  expect(reports.length - quiet).toBeLessThanOrEqual(7)
})

test('a thousand are reported in parts that the server accepts', async () => {
  const { frame, reports, pass, enter } = open()
  await enter()
  const attendees = Array.from({ length: 1000 }, (_, at) => seen({ key: `k${at}`, name: '😀'.repeat(32) }))
  reports.splice(0)
  frame().says({ type: 'people', full: true, attendees, left: [] })
  await pass(4000)
  const parts = reports.filter(({ full }) => full)
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at))
  expect(parts.flatMap((part) => part.attendees ?? []).map(({ key }) => key)).toEqual(attendees.map(({ key }) => key))
  for (const part of parts) expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(64 * 1024)
})

test('a report without an answer is followed by the whole list, and nothing done is forgotten', async () => {
  const { frame, reports, state, pass, enter } = open()
  await enter()
  frame().says({ type: 'people', full: true, attendees: [seen({ key: 'lee' })], left: [] })
  await pass(1000)
  state.report = new ApiError(0, 'Network error')
  frame().says({ type: 'done', id: 'c1', outcome: 'done' })
  await pass(1000)
  state.report = null
  reports.splice(0)
  await pass(2000)
  expect(reports[0]).toMatchObject({ full: true, attendees: [{ key: 'lee' }], done: [{ id: 'c1', outcome: 'done' }] })
})

describe('commands', () => {
  test('are obeyed once, whether they come over the stream or with an answer', async () => {
    const { keeper, frame, state, pass, enter } = open()
    await enter()
    frame().says({ type: 'people', full: true, attendees: [seen({ key: 'lee', zoom_user_id: 7 })], left: [] })
    const mute = command({ seat_id: keeper.seatId ?? '', key: 'lee' })
    keeper.relay.handleCommand(mute)
    keeper.relay.handleCommand(command({ ...mute, seat_id: 'another seat', id: 'c2' }))
    state.commands.push(mute, command({ seat_id: keeper.seatId ?? '', id: 'c3', do: 'mute-all' }))
    await pass(6000)
    expect(frame().sent.filter(({ type }) => type === 'do')).toEqual([
      { type: 'do', id: 'c1', what: 'mute', user_id: 7 },
      { type: 'do', id: 'c3', what: 'mute-all' },
    ])
  })

  test('of the stream are obeyed within moments if the server still wants them, else never', async () => {
    const { keeper, frame, reports, state, pass, enter } = open()
    await enter()
    const order = (id: string) => command({ seat_id: keeper.seatId ?? '', id, do: 'mute-all' })
    reports.splice(0)
    state.commands.push(order('stands'))
    keeper.relay.handleCommand(order('over')) // the stream was held up
    keeper.relay.handleCommand(order('stands'))
    await vi.advanceTimersByTimeAsync(250)
    expect(frame().sent.filter(({ type }) => type === 'do')).toEqual([{ type: 'do', id: 'stands', what: 'mute-all' }])
    const asked = reports.length
    expect(asked).toBeGreaterThan(0)
    keeper.relay.handleCommand(order('stands'))
    await vi.advanceTimersByTimeAsync(250)
    expect(reports).toHaveLength(asked)
    state.commands.push(order('later'))
    keeper.relay.handleCommand(order('later'))
    await pass(1_000)
    expect(frame().sent.at(-1)).toEqual({ type: 'do', id: 'later', what: 'mute-all' })
  })

  test('of the stream that the answering server has not heard of yet are asked for once a second', async () => {
    const { keeper, frame, reports, state, pass, enter } = open()
    await enter()
    await pass(1_000)
    const order = (id: string) => command({ seat_id: keeper.seatId ?? '', id, do: 'mute-all' })
    keeper.relay.handleCommand(order('behind'))
    await pass(2_000)
    expect(frame().types()).not.toContain('mute-all')
    state.commands.push(order('behind'))
    await pass(2_000)
    expect(frame().sent.at(-1)).toEqual({ type: 'do', id: 'behind', what: 'mute-all' })
    keeper.relay.handleCommand(order('called off'))
    keeper.relay.handleCommand(order('lost'))
    keeper.relay.handleSettled({ id: 'called off', outcome: 'refused' })
    await pass(30_000)
    reports.splice(0)
    await pass(30_000)
    expect(reports.length).toBeLessThan(8) // renewals alone
  })

  test('that the server has settled are dropped, unless they are done, and not begun', async () => {
    const { keeper, frame, state, pass, enter } = open()
    await enter()
    const order = (id: string) => command({ seat_id: keeper.seatId ?? '', id, do: 'mute-all' })
    state.commands.push(order('refused'), order('done'))
    keeper.relay.handleCommand(order('refused'))
    await pass(1_000)
    keeper.relay.handleSettled({ id: 'refused', outcome: 'refused' })
    keeper.relay.handleSettled({ id: 'done', outcome: 'done' })
    keeper.relay.handleSettled({ id: 'early', outcome: 'timeout' })
    state.commands.push(order('early')) // of an answer that was under way
    await pass(6_000)
    const sent = frame().sent.filter(({ type }) => type === 'do' || type === 'drop')
    expect(sent).toMatchObject([
      { type: 'do', id: 'refused' },
      { type: 'do', id: 'done' },
      { type: 'drop', id: 'refused' },
    ])
  })

  test('of an answer that comes after a sleep wait for the next answer', async () => {
    const { keeper, frame, state, pass, enter } = open()
    await enter()
    const order = (id: string) => command({ seat_id: keeper.seatId ?? '', id, do: 'mute-all' })
    state.commands.push(order('over'))
    frame().says({ ...IN, is_recording: true })
    vi.setSystemTime(Date.now() + 100_000)
    await pass(6_000)
    expect(frame().types()).not.toContain('mute-all')
    state.commands.push(order('new'))
    await pass(6_000)
    expect(frame().sent.at(-1)).toEqual({ type: 'do', id: 'new', what: 'mute-all' })
  })

  test('leave leaves the meeting, and gives the seat back', async () => {
    const { keeper, frame, frames, reports, released, pass, enter } = open()
    await enter()
    keeper.relay.handleCommand(command({ seat_id: keeper.seatId ?? '', id: 'c9', do: 'leave' }))
    expect(released).toEqual([])
    expect(frame().types().at(-1)).toBe('leave')
    reports.splice(0)
    frame().says({ type: 'ended', reason: 'left', zoom_code: null })
    await pass(40_000)
    expect([released.length, reports.length]).toEqual([1, 0])
    expect(keeper.view).toMatchObject({ phase: 'off', notice: { kind: 'taken-over' } })
    expect([frames.length, frames[0]?.isClosed]).toEqual([1, true])
  })
})

test('keeps no more people of a frame than the server lists and counts', async () => {
  const { frame, reports, pass, enter } = open()
  await enter()
  reports.splice(0)
  const attendees = Array.from({ length: 5_000 }, (_, at) => seen({ key: `k${at}` }))
  frame().says({ type: 'people', full: true, attendees, left: [] })
  await pass(10_000)
  expect(new Set(reports.flatMap((report) => report.attendees ?? []).map(({ key }) => key)).size).toBe(2_000)
})

test('says that nobody gets its reports if they are refused', async () => {
  const { keeper, frame, state, pass, enter } = open()
  await enter()
  state.report = new ApiError(400, 'No', { code: 'malformed' })
  frame().says({ type: 'people', full: true, attendees: [seen({ key: 'lee' })], left: [] })
  await pass(2_000)
  expect(keeper.view.isServerGone).toBe(true)
  state.report = null
  await pass(2_000)
  expect(keeper.view.isServerGone).toBe(false)
})

test('tells the frame whom the guard may let speak, and after a minute without a server nobody is guarded', async () => {
  const { frame, store, state, pass, enter } = open()
  await enter()
  const allowed = () => frame().sent.findLast(({ type }) => type === 'allow')
  store.setState({
    seat: buildSeat({ lock: true }),
    attendees: new Map(['b', 'a', 'c'].map((key) => [key, buildAttendee({ key, is_allowed: key !== 'c' })])),
  })
  await vi.advanceTimersByTimeAsync(0) // the server has confirmed it
  expect(allowed()).toEqual({ type: 'allow', lock: true, keys: ['a', 'b'], at: Date.now() })
  state.report = new ApiError(0, 'Network error')
  await pass(59_000)
  expect(allowed()).toMatchObject({ lock: true, at: Date.now() })
  await pass(10_000)
  expect(allowed()).toMatchObject({ lock: false, keys: [] })
  state.report = null
  await pass(6000)
  expect(allowed()).toMatchObject({ lock: true })
})

describe('Mute All', () => {
  async function locked() {
    const opened = open()
    await opened.enter()
    const { store, frame } = opened
    store.setState({ seat: buildSeat({ lock: true }) })
    await vi.advanceTimersByTimeAsync(0) // the server has confirmed it
    opened.readings.splice(0)
    return { ...opened, allowed: () => frame().sent.filter(({ type }) => type === 'allow') }
  }

  test('is said to the frame once a second, and its end once', async () => {
    const { store, pass, allowed } = await locked()
    const before = allowed().length
    await pass(10_000)
    expect(allowed().length - before).toBe(10)
    store.setState({ seat: buildSeat() })
    await pass(10_000)
    expect(allowed().length - before).toBe(11)
  })

  test('is said once the server confirms it, and never if it has ended since', async () => {
    const { store, frame, readings, state, pass, enter } = open()
    await enter()
    const locks = () => frame().sent.flatMap((message) => (message.type === 'allow' ? [message.lock] : []))
    const ends = Promise.withResolvers<void>()
    store.read = async () => {
      readings.push(Date.now())
      await ends.promise
      store.setState({ seat: buildSeat() }) // the stream was held up
    }
    store.setState({ seat: buildSeat({ lock: true }) })
    await pass(1_000)
    expect(readings).toHaveLength(1)
    ends.resolve()
    await pass(3_000)
    expect(locks()).not.toContain(true)
    store.read = async () => {
      readings.push(Date.now())
      if (state.reading) throw state.reading
    }
    store.setState({ seat: buildSeat({ lock: true }) })
    await vi.advanceTimersByTimeAsync(0)
    expect(locks().at(-1)).toBe(true)
    store.setState({ seat: buildSeat() })
    expect(locks().at(-1)).toBe(false)
    state.reading = new ApiError(0, 'Network error')
    store.setState({ seat: buildSeat({ lock: true }) })
    await pass(2_000)
    expect(locks().at(-1)).toBe(false)
    state.reading = null
    await pass(1_000)
    expect(locks().at(-1)).toBe(true)
  })

  test('is not said after a sleep before the server has said how the room is now', async () => {
    const { store, state, readings, pass, allowed } = await locked()
    const before = allowed().length
    state.reading = new ApiError(0, 'Network error')
    vi.setSystemTime(Date.now() + 35_000)
    store.setState({ attendees: new Map([['lee', buildAttendee({ key: 'lee', is_allowed: true })]]) }) // of the stream
    await pass(4_000)
    expect(allowed()).toHaveLength(before)
    expect(readings.length).toBeGreaterThan(1)
    state.reading = null
    store.setState({ seat: buildSeat() })
    await pass(2_000)
    expect(allowed().slice(before)).toMatchObject([{ lock: false }])
    const read = readings.length
    await pass(10_000)
    expect(readings).toHaveLength(read)
  })

  test('that the server does not confirm after a sleep is over, and the page says so', async () => {
    const { keeper, state, pass, allowed } = await locked()
    state.reading = new ApiError(0, 'Network error')
    vi.setSystemTime(Date.now() + 35_000)
    await pass(8_000)
    expect(keeper.view.isServerGone).toBe(true)
    expect(allowed().at(-1)).toMatchObject({ lock: false })
    state.reading = null
    await pass(2_000)
    expect(keeper.view.isServerGone).toBe(false)
    expect(allowed().at(-1)).toMatchObject({ lock: true })
  })

  test('of an answer that was under way while the page slept is asked for anew', async () => {
    const { store, readings, pass, allowed } = await locked()
    const before = allowed().length
    const { promise, resolve } = Promise.withResolvers<void>()
    store.read = () => {
      readings.push(Date.now())
      return readings.length === 1 ? promise : Promise.resolve()
    }
    vi.setSystemTime(Date.now() + 35_000)
    await pass(1_000)
    vi.setSystemTime(Date.now() + 35_000)
    resolve()
    await vi.advanceTimersByTimeAsync(100)
    expect(allowed()).toHaveLength(before)
    await pass(3_000)
    expect([readings.length, allowed().length > before]).toEqual([2, true])
  })
})

describe('a page that is hidden for six minutes', () => {
  const MINUTES_MS = 6 * 60_000
  /** The browser runs the page's own timers once a minute; those of its worker go on. */
  async function hidden() {
    const opened = open()
    await opened.enter()
    const { store, keeper } = opened
    store.setState({ seat: buildSeat({ lock: true }) })
    await vi.advanceTimersByTimeAsync(0) // the server has confirmed it
    const start = setTimeout
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) =>
      start(run, Math.max(ms, 60_000))) as never)
    keeper.setHidden(true)
    return { ...opened, title: () => seatWords(keeper.view, Date.now()).title }
  }
  afterEach(() => void vi.restoreAllMocks())

  test('keeps the lease and the guard, reports whom it sees, and asks after four to be kept in sight', async () => {
    const { keeper, frame, reports, pass, title, taken } = await hidden()
    const times: number[] = []
    const words: string[] = []
    for (let passed = 0; passed < MINUTES_MS; passed += 1_000) {
      const [sent, said] = [reports.length, frame().sent.length]
      await pass(1_000)
      if (reports.length > sent) times.push(passed)
      expect(frame().sent.slice(said)).toMatchObject([{ type: 'allow', lock: true }])
      words.push(title())
    }
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(15_000 / 2) // half of a lease
    expect(reports.at(-1)?.state).toMatchObject({ is_hidden: true, connection: 'in' })
    expect([keeper.view.phase, taken.length]).toEqual(['in', 1])
    expect(words.indexOf('Keep this tab in sight')).toBe(4 * 60 - 1)
    expect(new Set(words)).toEqual(new Set(['You have the host’s seat', 'Keep this tab in sight']))

    frame().says({ type: 'people', full: false, attendees: [seen({ key: 'lee', muted: false })], left: [] })
    await pass(1_000)
    expect(reports.flatMap(({ attendees = [] }) => attendees.map(({ key }) => key))).toContain('lee')
    keeper.setHidden(false)
    await pass(1_000)
    expect(title()).toBe('You have the host’s seat')
    expect(reports.at(-1)?.state.is_hidden).toBe(false)
  })

  test('and gets no answers says after one that nothing is guarded', async () => {
    const { state, pass, title, frame } = await hidden()
    state.report = new ApiError(0, 'Network error')
    await pass(62_000)
    expect(title()).toBe('Parley does not answer')
    expect(frame().sent.at(-1)).toMatchObject({ type: 'allow', lock: false })
  })
})

test('names whom the frame has muted again, and the fifth time in a minute calls them unruly', async () => {
  const { keeper, frame, reports, guarded, pass, enter } = open()
  await enter()
  frame().says({ type: 'people', full: true, attendees: [seen({ key: 'lee', name: 'Lee' })], left: [] })
  for (let time = 1; time <= 5; time++) {
    expect(keeper.view.unruly).toEqual([])
    frame().says({ type: 'guarded', key: 'lee', times: 1 })
    await pass(5000)
  }
  expect([guarded, keeper.view.unruly]).toEqual([['Lee', 'Lee', 'Lee', 'Lee', 'Lee'], ['lee']])
  expect(reports.flatMap((report) => report.guarded ?? [])).toHaveLength(5)
  await pass(60_000)
  expect(keeper.view.unruly).toEqual([])
})

describe('an end', () => {
  test('is followed by further attempts, each with a ticket of its own', async () => {
    const { keeper, frame, frames, taken, pass, enter } = open()
    await enter()
    for (const [wait, attempts] of [
      [2, 2],
      [5, 3],
      [10, 4],
      [20, 5],
      [30, 6],
      [30, 7],
    ] as const) {
      frame().says({ type: 'ended', reason: 'join_failed', zoom_code: null })
      expect(keeper.view.phase).toBe('waiting')
      await pass((wait - 1) * 1000)
      expect(taken.length).toBe(attempts - 1)
      await pass(1000)
      expect(taken.length).toBe(attempts)
    }
    expect(frames.length).toBe(7)
    expect(new Set(taken.map(({ seat_id }) => seat_id)).size).toBe(1)
    frame().says(IN)
    frame().says({ type: 'ended', reason: 'join_failed', zoom_code: null })
    await pass(2000)
    expect(taken.length).toBe(8)
  })

  test.each([
    ['elsewhere', null],
    ['removed', null],
    ['sdk_too_old', null],
    ['other_meeting', 3711],
    ['join_failed', 5],
    ['join_failed', 6],
    ['join_failed', 3711],
    ['join_failed', 4008],
    ['sdk_failed', 10000],
    ['meeting_ended', null],
    ['left', null],
  ] as const)('by %s (%s) gives the seat back, and is final', async (reason, zoom_code) => {
    const { keeper, frame, taken, released, pass, enter } = open()
    await enter()
    frame().says({ type: 'ended', reason, zoom_code })
    await pass(60_000)
    expect(keeper.view).toMatchObject({ phase: 'off', notice: { kind: 'ended', reason, zoom_code } })
    expect(taken).toHaveLength(1)
    expect(released).toMatchObject([{ zoom_code }])
  })

  test('by a refused ticket is followed by one fresh ticket', async () => {
    const { keeper, frame, taken, pass } = open()
    await keeper.take('host')
    frame().says({ type: 'ended', reason: 'ticket_refused', zoom_code: 3265 })
    await pass(2000)
    frame().says({ type: 'ended', reason: 'ticket_refused', zoom_code: 3265 })
    await pass(60_000)
    expect([taken.length, keeper.view.phase]).toEqual([2, 'off'])
  })
})

describe('a lost lease', () => {
  test('is taken again without a new joining, since the page is still in the meeting', async () => {
    const { keeper, frame, frames, reports, state, taken, pass, enter } = open()
    await enter()
    frame().says({ type: 'people', full: true, attendees: [seen({ key: 'lee' })], left: [] })
    await pass(1000)
    state.report = refusal('seat_lost')
    frame().says({ type: 'speaking', keys: ['lee'] })
    await vi.advanceTimersByTimeAsync(300)
    state.report = null
    reports.splice(0)
    await pass(2000)
    expect([taken.length, frames.length, keeper.view.phase]).toEqual([2, 1, 'in'])
    expect(reports[0]).toMatchObject({ epoch: 2, seq: 0, full: true, attendees: [{ key: 'lee' }] })
  })

  test('is asked for again while the server or Zoom is away, and the page stays in the meeting', async () => {
    const { keeper, frames, state, taken, frame, pass, enter } = open()
    await enter()
    state.report = refusal('seat_lost')
    state.take = new ApiError(503, 'Zoom is away')
    frame().says({ type: 'speaking', keys: ['lee'] })
    await pass(6_000)
    expect([keeper.view.phase, taken.length]).toEqual(['in', 3])
    state.report = null
    state.take = null
    await pass(6_000)
    expect([keeper.view.phase, taken.length, frames.length]).toEqual(['in', 4, 1])
    expect(frame().types()).not.toContain('leave')
    state.report = refusal('seat_lost')
    state.take = new ApiError(503, 'Zoom is away')
    await pass(30_000)
    expect(keeper.view).toMatchObject({ phase: 'off', notice: { kind: 'failed' } })
    expect(taken).toHaveLength(8)
  })

  test('that another console has by now ends the seat', async () => {
    const { keeper, frame, frames, state, pass, enter } = open()
    await enter()
    state.report = refusal('seat_lost')
    state.take = refusal('seat_taken', { holder: { by: 'Anna', since: TICKET.expires_at } })
    frame().says({ type: 'speaking', keys: ['lee'] })
    await pass(10_000)
    expect(keeper.view).toMatchObject({ phase: 'off', notice: { kind: 'taken-over' } })
    expect(frames[0]?.types()).toContain('leave')
    expect(frames[0]?.isClosed).toBe(true)
  })
})

test('a seat that another console has is offered, and taken over on request alone', async () => {
  const { keeper, taken, state } = open()
  const holder = { by: 'Anna', since: TICKET.expires_at }
  state.take = refusal('seat_taken', { holder })
  await keeper.take('host')
  expect(keeper.view).toMatchObject({ phase: 'off', notice: { kind: 'taken', ...holder } })
  state.take = null
  await keeper.take('host', true)
  expect(taken.map(({ take_over }) => take_over)).toEqual([false, true])
})

test('two tabs of one browser do not take it both', async () => {
  const { keeper, taken, state } = open()
  state.isLocked = true
  await keeper.take('host')
  expect([taken.length, keeper.view.notice?.kind]).toEqual([0, 'other-tab'])
})

test('a second press takes nothing more', async () => {
  const { keeper, taken } = open()
  await Promise.all([keeper.take('host'), keeper.take('host')])
  expect(taken.length).toBe(1)
})

test('releasing leaves the meeting before it gives the seat back', async () => {
  const { keeper, frame, released, reports, pass, enter } = open()
  await enter()
  const { seatId } = keeper
  const ended = keeper.release()
  expect([frame().types().at(-1), released.length]).toEqual(['leave', 0])
  const before = reports.length
  frame().says({ type: 'ended', reason: 'left', zoom_code: null })
  await ended
  await pass(20_000)
  expect(released).toEqual([{ seat_id: seatId, epoch: 1, zoom_code: null }])
  expect([reports.length - before, keeper.view.phase, keeper.view.notice]).toEqual([0, 'off', null])
})

test('a release that is asked for twice is one, and both wait for it', async () => {
  const { keeper, frame, released, enter } = open()
  await enter()
  const ends = [keeper.release(), keeper.release()]
  frame().says({ type: 'ended', reason: 'left', zoom_code: null })
  await Promise.all(ends)
  expect([released.length, keeper.view.phase]).toEqual([1, 'off'])
})

test('a release that the end of the session overtakes calls nothing any more', async () => {
  const { keeper, released, pass, enter } = open()
  await enter()
  const ended = keeper.release()
  keeper.close()
  await pass(4000)
  await ended
  expect([released, keeper.view.phase]).toEqual([[], 'off'])
})

test('a frame that does not leave within three seconds is cut off', async () => {
  const { keeper, frame, released, pass, enter } = open()
  await enter()
  const ended = keeper.release()
  await pass(3000)
  await ended
  expect([frame().isClosed, released.length]).toEqual([true, 1])
})

test('a reloaded page takes the same seat again, and nobody else’s', async () => {
  const first = open()
  await first.enter()
  const other = open({ userId: 'another host' })
  await other.keeper.resume()
  expect(other.taken).toEqual([])
  const again = open()
  await again.keeper.resume()
  expect(again.taken).toMatchObject([{ seat_id: first.keeper.seatId, as: 'host', take_over: false }])
  const ended = again.keeper.release()
  again.frame().says({ type: 'ended', reason: 'left', zoom_code: null })
  await ended
  const later = open()
  await later.keeper.resume()
  expect(later.taken).toEqual([])
})

test('knows whether the meeting would be left without a host', async () => {
  const { keeper, frame, enter } = open()
  await enter()
  const people = (...attendees: SeenAttendee[]) => frame().says({ type: 'people', full: true, attendees, left: [] })
  people(seen({ key: 'self', is_self: true, is_host: true }), seen({ key: 'lee' }))
  expect(keeper.isOnlyHost).toBe(true)
  people(seen({ key: 'self', is_self: true, is_host: true }), seen({ key: 'kim', is_co_host: true }))
  expect(keeper.isOnlyHost).toBe(false)
})

describe('the sound', () => {
  const joins = ({ frames }: ReturnType<typeof open>) =>
    frames.flatMap(({ sent }) => sent.flatMap((one) => (one.type === 'join' ? [one.silent] : [])))

  /** Presses the button, and lets Zoom confirm that the page has left. */
  async function switchSound(opened: ReturnType<typeof open>, hasSound: boolean) {
    const { keeper, frame, pass } = opened
    const left = frame()
    const switched = keeper.switchSound(hasSound)
    expect([left.types().at(-1), opened.frames.at(-1)]).toEqual(['leave', left]) // nothing joins before it has left
    left.says({ ...IN, connection: 'in' }) // what it still says
    expect(keeper.view.phase).toBe('taking')
    left.says({ type: 'ended', reason: 'left', zoom_code: null })
    await switched
    await pass(0)
    frame().says({ ...IN, sound: hasSound ? 'ready' : 'off' })
  }

  test('is joined in a frame of its own, once the silent one has left, with the same seat', async () => {
    const opened = open({ offersSound: true })
    const { keeper, frame, frames, framesHaveSound, taken, released, enter } = opened
    await enter()
    expect(keeper.view).toMatchObject({ offersSound: true, hasSound: false })
    await switchSound(opened, true)
    expect([joins(opened), framesHaveSound]).toEqual([
      [true, false],
      [false, true],
    ])
    expect(taken.map(({ seat_id, silent, take_over }) => [seat_id === keeper.seatId, silent, take_over])).toEqual([
      [true, true, false],
      [true, false, false],
    ])
    expect([frames[0]?.isClosed, released]).toEqual([true, []])
    expect(seatWords(keeper.view, 0).title).toBe('Press Zoom’s own button that joins the audio')
    frame().says({ ...IN, sound: 'on' })
    expect(seatWords(keeper.view, 0)).toMatchObject({ tone: 'good', hint: 'In the sound: muted, and quiet here.' })
    await switchSound(opened, false)
    expect([joins(opened), framesHaveSound]).toEqual([
      [true, false, true],
      [false, true, false],
    ])
  })

  test('is not there where the operator does not permit it', async () => {
    const opened = open()
    await opened.enter()
    await opened.keeper.switchSound(true)
    expect([opened.keeper.view.offersSound, opened.frames.length, opened.keeper.view.phase]).toEqual([false, 1, 'in'])
  })

  test('is offered again after a reload, and not to a seat that is taken anew', async () => {
    const opened = open({ offersSound: true })
    await opened.enter()
    await switchSound(opened, true)
    const again = open({ offersSound: true })
    await again.keeper.resume()
    expect(joins(again)).toEqual([false])
    const forbidden = open({ offersSound: false })
    await forbidden.keeper.resume()
    expect([joins(forbidden), forbidden.framesHaveSound]).toEqual([[true], [false]])
    const ended = again.keeper.release()
    again.frame().says({ type: 'ended', reason: 'left', zoom_code: null })
    await ended
    await again.keeper.take('host')
    expect(joins(again)).toEqual([false, true])
  })

  test('comes back with a seat that has lost Zoom, and goes with one that another console takes', async () => {
    const opened = open({ offersSound: true })
    const { keeper, frame, pass, enter } = opened
    await enter()
    await switchSound(opened, true)
    frame().says({ type: 'ended', reason: 'join_failed', zoom_code: null })
    await pass(3_000)
    expect(joins(opened)).toEqual([true, false, false])
    frame().says(IN)
    keeper.relay.handleCommand(command({ seat_id: keeper.seatId ?? '', do: 'leave' }))
    frame().says({ type: 'ended', reason: 'left', zoom_code: null })
    await pass(1_000)
    expect(keeper.view).toMatchObject({ phase: 'off', hasSound: false, notice: { kind: 'taken-over' } })
  })

  test('a release while the seat changes ends it, and joins nothing any more', async () => {
    const opened = open({ offersSound: true })
    const { keeper, frame, frames, released, pass, enter } = opened
    await enter()
    const switched = keeper.switchSound(true)
    const ended = keeper.release()
    frame().says({ type: 'ended', reason: 'left', zoom_code: null })
    await pass(4_000)
    await Promise.all([switched, ended])
    expect([frames.length, released.length, keeper.view.phase]).toEqual([1, 1, 'off'])
  })

  test('exempts a hidden page from the warning, here and on other consoles', async () => {
    const opened = open({ offersSound: true })
    const { keeper, frame, reports, pass, enter } = opened
    await enter()
    keeper.setHidden(true)
    await pass(1_000)
    expect(reports.at(-1)?.state.is_hidden).toBe(true)
    const later = Date.now() + 5 * 60_000
    expect(seatWords(keeper.view, later)).toMatchObject({ title: 'Keep this tab in sight', hint: /and silent/ })
    await switchSound(opened, true)
    expect(seatWords(keeper.view, later).title).toBe('Keep this tab in sight') // until it is joined
    frame().says({ ...IN, sound: 'on' })
    await pass(1_000)
    expect([seatWords(keeper.view, later).title, reports.at(-1)?.state.is_hidden]).toEqual([
      'You have the host’s seat',
      false,
    ])
  })

  describe('is recommended once phones have heard voices for a minute of whom Zoom names none', () => {
    const RECOMMENDED = 'Join the sound to see who speaks.'
    async function entered(options: Parameters<typeof open>[0] = { offersSound: true }) {
      const opened = open(options)
      await opened.enter()
      return { ...opened, hint: () => seatWords(opened.keeper.view, Date.now()).hint }
    }

    test('however the voices are spread', async () => {
      const { keeper, pass, hint } = await entered()
      await pass(120_000) // no voice
      keeper.relay.handleVoice('anita', true)
      await pass(40_000)
      keeper.relay.handleVoice('anita', false)
      await pass(60_000)
      expect(hint()).toBeUndefined()
      keeper.relay.handleVoice('ben', true)
      await pass(18_000)
      expect(hint()).toBeUndefined()
      await pass(3_000)
      expect(hint()).toBe(RECOMMENDED)
    })

    test('but not while the stream of the room is closed, nor after Zoom has named anyone', async () => {
      const { keeper, frame, pass, hint } = await entered()
      keeper.relay.handleVoice('anita', true)
      await pass(10_000)
      keeper.relay.forgetVoices()
      await pass(120_000)
      expect(hint()).toBeUndefined()
      keeper.relay.handleVoice('anita', true)
      await pass(60_000)
      expect(hint()).toBe(RECOMMENDED)
      frame().says({ type: 'speaking', keys: ['anita'] })
      await pass(1_000)
      expect(hint()).toBeUndefined()
      frame().says({ type: 'speaking', keys: [] })
      await pass(120_000)
      expect(hint()).toBeUndefined()
    })

    test('and only said where the sound is not permitted', async () => {
      const { keeper, pass, hint } = await entered({})
      keeper.relay.handleVoice('anita', true)
      await pass(62_000)
      expect(hint()).toBe('Zoom does not tell this page who speaks.')
    })
  })
})
