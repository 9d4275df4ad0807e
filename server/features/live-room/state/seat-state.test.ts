import { expect, test } from 'vitest'
import { SeatState } from './seat-state.ts'

const holder = { seat_id: 'seat', epoch: 1, session_id: 'session', by: 'Ana', taken_at: 0, expires_at: 15_000 }
const report = (seq: number, fields: object = {}) => ({
  ...{ seat_id: 'seat', epoch: 1, id: `report ${seq}`, seq, full: false, part: 0, more: false },
  ...{ attendees: [], left: [], done: [] },
  state: {
    ...{ connection: 'in' as const, powers: 'host' as const, trouble: null },
    ...{ is_recording: false, can_see_speaking: true, is_hidden: false },
  },
  ...fields,
})

test('a report out of step renews the lease, and changes nothing else', () => {
  const seat = new SeatState()
  seat.take(holder)
  seat.report(report(0, { full: true }), 1_000, 16_000)
  seat.report(report(5, { speaking: ['lee'] }), 9_000, 24_000)
  expect(seat).toMatchObject({ holder: { expires_at: 24_000 }, seq: 0, reportId: 'report 0', speaking: [] })
})
