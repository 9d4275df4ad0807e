import { describe, expect, test } from 'vitest'
import type { PendingCommand, RoomUser } from '../../../../shared/room-users.ts'
import { listedUser } from '../../../../test/factories/listed.ts'
import { DELIVERY_SHOWN_MS, deliveryStatus, NOT_REACHED_AFTER_MS, startDelivery, updateDelivery } from './delivery.ts'

const waiting = (id: string, type: PendingCommand['type'] = 'mute-all') =>
  listedUser(id, { is_muted: true, pending_command: { id: '1', type } })
const asleep = (id: string) => ({ ...waiting(id), asleep: true })
const answered = (id: string) => listedUser(id, { is_muted: true })

const everybody = ['a', 'b', 'c'].map((id) => listedUser(id))
const sent = startDelivery('mute', { targeted: 3, reachable: 3 }, everybody, 1000)

function newsAfter(polls: RoomUser[][], now = 2000, delivery = sent) {
  return deliveryStatus(
    polls.reduce((so_far, users) => updateDelivery(so_far, users, 1500), delivery),
    now,
  )
}

describe('delivery of a Mute All', () => {
  test.each([
    ['before any poll', [], 'Muted 0 of 3, waiting for 3 phones', false],
    ['two phones answered', [[answered('a'), answered('b'), waiting('c')]], 'Muted 2 of 3, waiting for 1 phone', false],
    [
      'a mute of one that waits counts too',
      [[waiting('a', 'mute'), answered('b'), answered('c')]],
      'Muted 2 of 3, waiting for 1 phone',
      false,
    ],
    ['one sleeps', [[answered('a'), answered('b'), asleep('c')]], 'Muted 2 of 3, 1 not answering', true],
    [
      'one sleeps and another is waited for',
      [[answered('a'), waiting('b'), asleep('c')]],
      'Muted 1 of 3, waiting for 1 phone, 1 not answering',
      false,
    ],
    [
      'one sleeps and another went offline',
      [
        [answered('a'), waiting('b'), asleep('c')],
        [answered('a'), asleep('c')],
      ],
      'Muted 1 of 3, 1 not reached, 1 not answering',
      true,
    ],
    [
      'one slept, and answers after all',
      [[answered('a'), answered('b'), asleep('c')], everybody.map(({ id }) => answered(id))],
      'All 3 phones acknowledged',
      true,
    ],
    ['all answered', [[answered('a'), answered('b'), answered('c')]], 'All 3 phones acknowledged', true],
    [
      'one went offline before it answered',
      [
        [answered('a'), answered('b'), waiting('c')],
        [answered('a'), answered('b')],
      ],
      'Muted 2 of 3, 1 not reached',
      true,
    ],
    [
      'one answered and went offline',
      [
        [answered('a'), answered('b'), answered('c')],
        [answered('a'), answered('b')],
      ],
      'All 3 phones acknowledged',
      true,
    ],
  ])('%s', (_, polls, text, settled) => {
    expect(newsAfter(polls)).toEqual({ text, settled })
  })

  test('gives up on a phone that misses its heartbeat', () => {
    const polls = [[answered('a'), answered('b'), waiting('c')]]
    expect(newsAfter(polls, 1000 + NOT_REACHED_AFTER_MS)?.text).toBe('Muted 2 of 3, 1 not reached')
  })

  test('does not wait for sleeping phones', () => {
    const users = [listedUser('a'), listedUser('b', { asleep: true })]
    const delivery = startDelivery('mute', { targeted: 2, reachable: 1 }, users, 1000)
    expect(deliveryStatus(delivery, 1000)?.text).toBe('Muted 0 of 2, waiting for 1 phone, 1 not answering')
  })

  test('counts a phone again when it does answer', () => {
    const polls = [[answered('a'), answered('b'), waiting('c')], everybody.map(({ id }) => answered(id))]
    expect(newsAfter(polls, 1000 + NOT_REACHED_AFTER_MS)?.text).toBe('All 3 phones acknowledged')
  })

  test('ignores a poll from before the command', () => {
    expect(updateDelivery(sent, everybody, 990)).toBe(sent)
  })

  test.each([
    ['no phone was targeted', startDelivery('mute', { targeted: 0, reachable: 0 }, [], 1000), 1100],
    ['it is old', sent, 1000 + DELIVERY_SHOWN_MS + 1],
  ])('is none when %s', (_, delivery, now) => {
    expect(deliveryStatus(delivery, now)).toBeNull()
  })
})

test('an unmute waits for unmutes only', () => {
  const delivery = startDelivery('unmute', { targeted: 2, reachable: 2 }, everybody.slice(0, 2), 1000)
  const users = [listedUser('a'), waiting('b', 'unmute-all'), waiting('c', 'logout')]
  expect(newsAfter([users], 2000, delivery)?.text).toBe('Unmuted 1 of 2, waiting for 1 phone')
})
