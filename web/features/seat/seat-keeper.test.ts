import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SeenAttendee } from '../../../shared/seat.ts'
import { command, IN, openKeeper, refusal, seen, TICKET } from '../../../test/factories/seat-keeper.ts'
import { ApiError } from '../../lib/api-client.ts'
import { tabStorage } from '../../lib/storage.ts'
import { seatWords } from './seat-words.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  tabStorage.remove('parley.seat')
})

test('joins with the ticket, and reports whom it sees', async () => {
  const { keeper, frame, reports, pass, enter } = openKeeper()
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

describe('an end', () => {
  test('is followed by further attempts, each with a ticket of its own', async () => {
    const { keeper, frame, frames, taken, pass, enter } = openKeeper()
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
    const { keeper, frame, taken, released, pass, enter } = openKeeper()
    await enter()
    frame().says({ type: 'ended', reason, zoom_code })
    await pass(60_000)
    expect(keeper.view).toMatchObject({ phase: 'off', notice: { kind: 'ended', reason, zoom_code } })
    expect(taken).toHaveLength(1)
    expect(released).toMatchObject([{ zoom_code }])
  })

  test('by a refused ticket is followed by one fresh ticket', async () => {
    const { keeper, frame, taken, pass } = openKeeper()
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
    const { keeper, frame, frames, reports, state, taken, pass, enter } = openKeeper()
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
    const { keeper, frames, state, taken, frame, pass, enter } = openKeeper()
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
    const { keeper, frame, frames, state, pass, enter } = openKeeper()
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
  const { keeper, taken, state } = openKeeper()
  const holder = { by: 'Anna', since: TICKET.expires_at }
  state.take = refusal('seat_taken', { holder })
  await keeper.take('host')
  expect(keeper.view).toMatchObject({ phase: 'off', notice: { kind: 'taken', ...holder } })
  state.take = null
  await keeper.take('host', true)
  expect(taken.map(({ take_over }) => take_over)).toEqual([false, true])
})

test('two tabs of one browser do not take it both', async () => {
  const { keeper, taken, state } = openKeeper()
  state.isLocked = true
  await keeper.take('host')
  expect([taken.length, keeper.view.notice?.kind]).toEqual([0, 'other-tab'])
})

test('a second press takes nothing more', async () => {
  const { keeper, taken } = openKeeper()
  await Promise.all([keeper.take('host'), keeper.take('host')])
  expect(taken.length).toBe(1)
})

test('releasing leaves the meeting before it gives the seat back', async () => {
  const { keeper, frame, released, reports, pass, enter } = openKeeper()
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
  const { keeper, frame, released, enter } = openKeeper()
  await enter()
  const ends = [keeper.release(), keeper.release()]
  frame().says({ type: 'ended', reason: 'left', zoom_code: null })
  await Promise.all(ends)
  expect([released.length, keeper.view.phase]).toEqual([1, 'off'])
})

test('a release that the end of the session overtakes calls nothing any more', async () => {
  const { keeper, released, pass, enter } = openKeeper()
  await enter()
  const ended = keeper.release()
  keeper.close()
  await pass(4000)
  await ended
  expect([released, keeper.view.phase]).toEqual([[], 'off'])
})

test('a frame that does not leave within three seconds is cut off', async () => {
  const { keeper, frame, released, pass, enter } = openKeeper()
  await enter()
  const ended = keeper.release()
  await pass(3000)
  await ended
  expect([frame().isClosed, released.length]).toEqual([true, 1])
})

test('a reloaded page takes the same seat again, and nobody else’s', async () => {
  const first = openKeeper()
  await first.enter()
  const other = openKeeper({ userId: 'another host' })
  await other.keeper.resume()
  expect(other.taken).toEqual([])
  const again = openKeeper()
  await again.keeper.resume()
  expect(again.taken).toMatchObject([{ seat_id: first.keeper.seatId, as: 'host', take_over: false }])
  const ended = again.keeper.release()
  again.frame().says({ type: 'ended', reason: 'left', zoom_code: null })
  await ended
  const later = openKeeper()
  await later.keeper.resume()
  expect(later.taken).toEqual([])
})

test('knows whether the meeting would be left without a host', async () => {
  const { keeper, frame, enter } = openKeeper()
  await enter()
  const people = (...attendees: SeenAttendee[]) => frame().says({ type: 'people', full: true, attendees, left: [] })
  people(seen({ key: 'self', is_self: true, is_host: true }), seen({ key: 'lee' }))
  expect(keeper.isOnlyHost).toBe(true)
  people(seen({ key: 'self', is_self: true, is_host: true }), seen({ key: 'kim', is_co_host: true }))
  expect(keeper.isOnlyHost).toBe(false)
})

describe('the sound', () => {
  const joins = ({ frames }: ReturnType<typeof openKeeper>) =>
    frames.flatMap(({ sent }) => sent.flatMap((one) => (one.type === 'join' ? [one.silent] : [])))

  /** Presses the button, and lets Zoom confirm that the page has left. */
  async function switchSound(opened: ReturnType<typeof openKeeper>, hasSound: boolean) {
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
    const opened = openKeeper({ offersSound: true })
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
    const opened = openKeeper()
    await opened.enter()
    await opened.keeper.switchSound(true)
    expect([opened.keeper.view.offersSound, opened.frames.length, opened.keeper.view.phase]).toEqual([false, 1, 'in'])
  })

  test('is offered again after a reload, and not to a seat that is taken anew', async () => {
    const opened = openKeeper({ offersSound: true })
    await opened.enter()
    await switchSound(opened, true)
    const again = openKeeper({ offersSound: true })
    await again.keeper.resume()
    expect(joins(again)).toEqual([false])
    const forbidden = openKeeper({ offersSound: false })
    await forbidden.keeper.resume()
    expect([joins(forbidden), forbidden.framesHaveSound]).toEqual([[true], [false]])
    const ended = again.keeper.release()
    again.frame().says({ type: 'ended', reason: 'left', zoom_code: null })
    await ended
    await again.keeper.take('host')
    expect(joins(again)).toEqual([false, true])
  })

  test('comes back with a seat that has lost Zoom, and goes with one that another console takes', async () => {
    const opened = openKeeper({ offersSound: true })
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
    const opened = openKeeper({ offersSound: true })
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
    const opened = openKeeper({ offersSound: true })
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
    async function entered(options: Parameters<typeof openKeeper>[0] = { offersSound: true }) {
      const opened = openKeeper(options)
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
