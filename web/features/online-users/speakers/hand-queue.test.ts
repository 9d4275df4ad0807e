import { describe, expect, test } from 'vitest'
import { listedUser as aUser } from '../../../../test/factories/listed.ts'
import { currentSpeakers, handQueue, nextInQueue } from './hand-queue.ts'

const asking = (id: string, wants_to_speak_at: string | null) => aUser(id, { wants_to_speak: true, wants_to_speak_at })
const idsOf = (users: { id: string }[]) => users.map(({ id }) => id)

describe('the queue of hands', () => {
  test('follows the order of raising, not of the tiles', () => {
    const users = [
      aUser('silent'),
      asking('late', '2026-11-21T10:00:05.000Z'),
      asking('just-now', null),
      asking('early', '2026-11-21T10:00:00.900Z'),
    ]
    expect(idsOf(handQueue({ users, queueOrder: 'first_come' }))).toEqual(['early', 'late', 'just-now'])
  })

  test('skips users who are being unmuted already', () => {
    const queue = [asking('a', null), asking('b', null)]
    expect(nextInQueue(queue, new Set(['a']))?.id).toBe('b')
    expect(nextInQueue(queue, new Set(['a', 'b']))).toBeUndefined()
  })
})

describe('the current speaker', () => {
  const speaking = aUser('speaking', { is_speaking: true })
  const open = aUser('open')
  const silenced = aUser('silenced', { is_muted: true })

  test.each([
    ['everyone who speaks', [open, speaking], 'open', ['speaking']],
    ['the one who was last allowed to speak, if no one speaks', [open, silenced], 'open', ['open']],
    ['no one, if that one has been muted', [open, silenced], 'silenced', []],
    ['no one, if that one has left', [open], 'gone', []],
  ])('is %s', (_, users, letSpeak, expected) => {
    expect(idsOf(currentSpeakers(users, letSpeak))).toEqual(expected)
  })
})
