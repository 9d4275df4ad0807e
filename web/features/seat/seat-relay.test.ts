import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildAttendee, buildSeat } from '../../../test/factories/attendees.ts'
import { command, IN, openKeeper, seen } from '../../../test/factories/seat-keeper.ts'
import { ApiError } from '../../lib/api-client.ts'
import { tabStorage } from '../../lib/storage.ts'
import { seatWords } from './seat-words.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  tabStorage.remove('parley.seat')
})

test('reports five times a second at most, and without news renews the lease in time', async () => {
  const { frame, reports, pass, enter } = openKeeper()
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
  const { frame, reports, pass, enter } = openKeeper()
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
  const { frame, reports, state, pass, enter } = openKeeper()
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
    const { keeper, frame, state, pass, enter } = openKeeper()
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
    const { keeper, frame, reports, state, pass, enter } = openKeeper()
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
    const { keeper, frame, reports, state, pass, enter } = openKeeper()
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
    const { keeper, frame, state, pass, enter } = openKeeper()
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
    const { keeper, frame, state, pass, enter } = openKeeper()
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
    const { keeper, frame, frames, reports, released, pass, enter } = openKeeper()
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
  const { frame, reports, pass, enter } = openKeeper()
  await enter()
  reports.splice(0)
  const attendees = Array.from({ length: 5_000 }, (_, at) => seen({ key: `k${at}` }))
  frame().says({ type: 'people', full: true, attendees, left: [] })
  await pass(10_000)
  expect(new Set(reports.flatMap((report) => report.attendees ?? []).map(({ key }) => key)).size).toBe(2_000)
})

test('says that nobody gets its reports if they are refused', async () => {
  const { keeper, frame, state, pass, enter } = openKeeper()
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
  const { frame, store, state, pass, enter } = openKeeper()
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
    const opened = openKeeper()
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
    const { store, frame, readings, state, pass, enter } = openKeeper()
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
    const opened = openKeeper()
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
  const { keeper, frame, reports, guarded, pass, enter } = openKeeper()
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
