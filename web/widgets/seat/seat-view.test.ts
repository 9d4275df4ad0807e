import { describe, expect, test } from 'vitest'
import type { SeatEvent } from '../../../shared/room-events.ts'
import type { Attendee, AttendeesAnswer, Seat } from '../../../shared/seat.ts'
import { buildAttendee, buildSeat } from '../../../test/factories/attendees.ts'
import {
  applySeatAnswer,
  applySeatEvent,
  attendeesByUser,
  emptySeatView,
  guestsOf,
  isSeeing,
  waitingOf,
} from './seat-view.ts'

const answer = (attendees: Attendee[], seat: Partial<Seat> = {}): AttendeesAnswer => ({
  success: true,
  data: { seat: buildSeat(seat), epoch: 3, attendees, speaking: [], others: 0 },
})
const seen = (...attendees: Attendee[]) => applySeatAnswer(emptySeatView, answer(attendees), 0)
const apply = (view: typeof emptySeatView, ...events: SeatEvent[]) =>
  events.reduce((next, event) => applySeatEvent(next, event, 500), view)
const isOnline = (userId: string) => userId === 'u1'
const keysOf = (attendees: readonly Attendee[]) => attendees.map(({ key }) => key)

describe('the attendees of a page', () => {
  const [lee, kim, ann] = [
    buildAttendee({ key: 'lee', joined_at: '2026-11-27T20:00:00.000Z' }),
    buildAttendee({ key: 'kim', joined_at: '2026-11-27T20:05:00.000Z' }),
    buildAttendee({ key: 'ann', user_id: 'u1', by: 'key' }),
  ]

  test('follow the events of the same seat', () => {
    const view = apply(
      seen(lee, kim),
      { name: 'attendees', data: { epoch: 3, changed: [{ ...lee, muted: true }], left: ['kim'] } },
      { name: 'attendees-speaking', data: { keys: ['lee'] } },
    )
    expect([...view.attendees.values()]).toEqual([{ ...lee, muted: true }])
    expect([...view.speaking]).toEqual(['lee'])
    expect(view.isStale).toBe(false)
  })

  test('are read again where an event belongs to another seat', () => {
    const view = apply(seen(lee), { name: 'attendees', data: { epoch: 4, changed: [kim], left: ['lee'] } })
    expect(keysOf([...view.attendees.values()])).toEqual(['lee'])
    expect(view.isStale).toBe(true)
    expect(applySeatAnswer(view, answer([kim]), 1)).toMatchObject({ isStale: false, isRead: true })
  })

  test('that are no users come newest first, without the seat and the waiting room', () => {
    const [self, held] = [buildAttendee({ key: 'self', is_self: true }), buildAttendee({ key: 'held', is_hold: true })]
    const view = seen(lee, kim, ann, self, held)
    expect(keysOf(guestsOf(view, isOnline))).toEqual(['kim', 'lee'])
    expect(keysOf(guestsOf(view, () => false))).toEqual(['kim', 'ann', 'lee'])
    expect(keysOf(waitingOf(view))).toEqual(['held'])
  })

  test('who joined twice are both found by their user', () => {
    const twice = buildAttendee({ key: 'ann on a tablet', user_id: 'u1', by: 'name' })
    expect(keysOf(attendeesByUser(seen(ann, lee, twice)).get('u1') ?? [])).toEqual(['ann', 'ann on a tablet'])
  })

  test('stay with the time of the loss where the seat is lost, and go where it ends', () => {
    const lost = apply(seen(lee), { name: 'seat', data: buildSeat({ state: 'lost' }) })
    expect(lost).toMatchObject({ lostAt: 500 })
    expect([isSeeing(seen(lee)), isSeeing(lost)]).toEqual([true, false])
    expect(applySeatEvent(lost, { name: 'seat', data: buildSeat({ state: 'lost' }) }, 900).lostAt).toBe(500)
    expect(keysOf(guestsOf(lost, isOnline))).toEqual(['lee'])
    expect(apply(lost, { name: 'seat', data: buildSeat({ state: 'in' }) }).lostAt).toBeNull()
    expect(guestsOf(apply(lost, { name: 'seat', data: buildSeat({ state: 'off' }) }), isOnline)).toEqual([])
  })
})

test('the outcomes of commands are kept, and no more than two hundred of them', () => {
  const settled = (id: string): SeatEvent => ({
    name: 'command-settled',
    data: { id, outcome: 'done', by: 'seat' },
  })
  const many = apply(seen(), ...Array.from({ length: 300 }, (_, at) => settled(`c${at}`)))
  expect([many.outcomes.size, many.outcomes.has('c299'), many.outcomes.has('c99')]).toEqual([200, true, false])
})
