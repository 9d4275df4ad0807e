import { describe, expect, test } from 'vitest'
import { listedUser as aUser } from '../../../../test/factories/listed.ts'
import {
  countGroups,
  countMembers,
  countStates,
  doesMeetingRun,
  filterUsers,
  NO_FILTER,
  NO_REFERENCE,
} from './room-filter.ts'

const pending = { id: 'e-1', type: 'mute' } as const
const users = [
  aUser('amina', { is_speaking: true, in_meeting: true, reference: 'Row 2' }),
  aUser('ben', { wants_to_speak: true, is_muted: true, in_meeting: false, reference: ' row 2' }),
  aUser('chen', { is_muted: true, asleep: true, pending_command: pending, in_meeting: false, reference: 'Row 10' }),
  aUser('dina', { in_meeting: null }),
]
const ids = (filter: Partial<typeof NO_FILTER>, meetingRuns = true) =>
  filterUsers(users, { ...NO_FILTER, ...filter }, meetingRuns).map(({ id }) => id)

describe('the states of a room', () => {
  test('count a user in each of them', () => {
    const counts = { speaking: 1, 'wants-to-speak': 1, muted: 2, 'not-answering': 1, 'not-confirmed': 1 }
    expect(countStates(users, true)).toEqual({ ...counts, 'app-only': 2 })
    expect(countStates(users, false)).toEqual({ ...counts, 'app-only': 0 })
  })

  test('filter, together with words and a group', () => {
    expect(ids({})).toEqual(['amina', 'ben', 'chen', 'dina'])
    expect(ids({ state: 'muted' })).toEqual(['ben', 'chen'])
    expect(ids({ state: 'app-only' })).toEqual(['ben', 'chen'])
    expect(ids({ state: 'app-only' }, false)).toEqual([])
    expect(ids({ state: 'muted', words: 'CHEN' })).toEqual(['chen'])
    expect(ids({ state: 'muted', group: { reference: 'ROW 2' } })).toEqual(['ben'])
  })
})

test('the meeting runs as soon as somebody is in it', () => {
  expect(doesMeetingRun(false, users)).toBe(true)
  expect(doesMeetingRun(false, users.slice(1))).toBe(false)
  expect(doesMeetingRun(true, [])).toBe(true)
})

describe('groups', () => {
  test('are the references in any case, numbers by size, and those without one last', () => {
    expect([...countGroups([...users].reverse())]).toEqual([
      ['row 2', 2],
      ['Row 10', 1],
      [NO_REFERENCE, 1],
    ])
    expect(ids({ group: { reference: NO_REFERENCE } })).toEqual(['dina'])
  })

  test('do not exist where nobody has a reference', () => {
    expect(countGroups([aUser('a'), aUser('b')]).size).toBe(0)
  })

  test('of the host count and filter their users, who may be in several', () => {
    const members = [aUser('a', { group_ids: ['g1', 'g2'] }), aUser('b', { group_ids: ['g2'] }), aUser('c')]
    expect([...countMembers(members)]).toEqual([
      ['g1', 1],
      ['g2', 2],
    ])
    const found = filterUsers(members, { words: '', state: null, group: { id: 'g2' } }, true)
    expect(found.map(({ id }) => id)).toEqual(['a', 'b'])
  })
})
