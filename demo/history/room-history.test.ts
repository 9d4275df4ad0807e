import { expect, test } from 'vitest'
import { type HistoryOptions, makeRoomHistory } from './room-history.ts'

const DAY_MS = 86_400_000
const users = Array.from({ length: 20 }, (_, index) => ({
  id: `id-${index}`,
  user_id: `U${index}`,
  username: `User ${index}`,
  ...(index === 3 && { until: 4 }),
  ...(index === 4 && { from: 8 }),
}))
const meetings = Array.from({ length: 10 }, (_, index) => ({
  uuid: `m${index}`,
  began_at: index * DAY_MS,
  minutes: 60,
}))
const options: HistoryOptions = { users, meetings, turnSeconds: 40, actsPerMeeting: 5, seed: 'one' }
const history = makeRoomHistory(options)
const meetingOf = (at: number) => Math.round(at / DAY_MS)

test('is the same for the same seed, and another for another', () => {
  expect(makeRoomHistory(options)).toEqual(history)
  expect(makeRoomHistory({ ...options, seed: 'two' }).stays).not.toEqual(history.stays)
})

test('users come between their first and their last meeting, and the leader to all', () => {
  const cameTo = (id: string) =>
    new Set(history.stays.filter(({ user }) => user.id === id).map(({ from }) => meetingOf(from)))
  expect(cameTo('id-0').size).toBe(10)
  expect(Math.max(...cameTo('id-3'))).toBeLessThanOrEqual(4)
  expect(Math.min(...cameTo('id-4'))).toBeGreaterThanOrEqual(8)
  for (const { from, to } of history.stays) expect(to).toBeGreaterThan(from)
})

test('users speak in turn, while they are there', () => {
  expect(history.speeches.length).toBeGreaterThan(300)
  let before = 0
  for (const { user, from, to } of history.speeches) {
    expect(from).toBeGreaterThanOrEqual(before)
    const there = history.stays.some((stay) => stay.user === user && stay.from <= from && to <= stay.to)
    expect(there || user.id === 'id-0').toBe(true)
    before = to
  }
})

test('hands wait until the end of some who never spoke', () => {
  expect(history.hands.length).toBeGreaterThan(0)
  for (const { user, meeting, from, to } of history.hands) {
    expect([to, from < to]).toEqual([meeting.began_at + 3_600_000, true])
    const spoke = history.speeches.some((one) => one.user === user && one.from >= meeting.began_at && one.to <= to)
    expect(spoke).toBe(false)
  }
})

test('a host acts in each meeting, in the order of time', () => {
  expect(history.acts.length).toBeGreaterThan(25)
  const times = history.acts.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
})
