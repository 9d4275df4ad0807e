import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NO_SEAT } from '../../../shared/seat.ts'
import { buildAttendee, buildSeat } from '../../../test/factories/attendees.ts'
import { createSeatStore } from './seat-store.ts'

const answer = vi.fn<() => Response>()
beforeEach(() => void vi.stubGlobal('fetch', async () => answer()))
afterEach(() => vi.unstubAllGlobals())

const lee = buildAttendee({ key: 'lee' })
const data = { seat: buildSeat(), epoch: 1, attendees: [lee], speaking: ['lee'], others: 0 }

test('takes what it knows of a list with unknown fields', async () => {
  const store = createSeatStore()
  const attendees = [{ ...lee, avatar: 'https://zoom.test/face.png' }]
  answer.mockReturnValue(Response.json({ success: true, data: { ...data, attendees, pages: 2 }, next: 'page' }))
  await store.read()
  expect([...store.getState().attendees.values()]).toEqual([lee])
  expect(store.getState().seat.state).toBe('in')
})

test.each([
  { ...data, attendees: { lee } },
  { ...data, attendees: [{ key: 'lee' }] },
  { ...data, seat: { ...NO_SEAT, state: 'elsewhere' } },
  { people: [lee] },
  null,
])('a list of an unknown form is no answer, and changes nothing (%#)', async (unknown) => {
  const store = createSeatStore()
  answer.mockReturnValueOnce(Response.json({ success: true, data }))
  await store.read()
  const before = store.getState()
  answer.mockReturnValueOnce(Response.json({ success: true, data: unknown }))
  await expect(store.read()).rejects.toThrow()
  expect(store.getState()).toBe(before)
})
