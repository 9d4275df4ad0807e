import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../simulator/random.ts'
import type { History, PendingWrite } from './history.ts'
import type { UsedRoom } from './used-room.ts'

const WRITERS = 3
/** Equals a console's timeout. */
const GIVE_UP_MS = 15_000

export interface WriteCounts {
  acknowledged: number
  /** Writes of unknown outcome. */
  unanswered: number
  /** Statuses other than success, rate limit or not ready. */
  unexpected: number[]
}

/**
 * Mutes and unmutes users and all, while phones raise and lower hands, until it is stopped. A Mute All counts as one
 * write per user; judging a server's state as a whole shows that it takes effect for all of them at once.
 */
export function keepWriting(
  port: number,
  { token, userIds, phones }: UsedRoom,
  histories: Map<string, History>,
  random: Random,
) {
  const counts: WriteCounts = { acknowledged: 0, unanswered: 0, unexpected: [] }
  let isOver = false

  async function write(own: Random): Promise<void> {
    const word = own.next() < 0.5 ? 'mute' : 'unmute'
    const userId = own.next() < 0.03 ? undefined : own.pick(userIds)
    const path = userId ? `/host/users/${userId}/${word}` : `/host/trigger-bulk-mute/${word}`
    const began = performance.now()
    const writes = [...histories].flatMap(([id, history]): PendingWrite[] =>
      userId === undefined || id === userId ? [history.begin(word === 'mute', began)] : [],
    )
    const status = await press(path).catch(() => null)
    const answered = performance.now()
    if (status === 200) {
      counts.acknowledged++
      for (const one of writes) one.acknowledge(answered)
    } else if (status && status < 500) for (const one of writes) one.refuse()
    else counts.unanswered++
    if (status && ![200, 429, 503].includes(status)) counts.unexpected.push(status)
  }

  async function press(path: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    const signal = AbortSignal.timeout(GIVE_UP_MS)
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { method: 'POST', headers, signal })
    await answer.text()
    return answer.status
  }

  const repeat = async (own: Random, work: (own: Random) => Promise<void>) => {
    while (!isOver) {
      await work(own)
      await delay(own.between(200, 400)) // as fast as the limits permit
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, index) => repeat(random.fork(String(index)), write))
  const hands = repeat(random.fork('hands'), async (own) => {
    const phone = own.pick(phones)
    const hand = phone?.state.wants_to_speak ? phone.lowerHand() : phone?.raiseHand()
    await hand?.catch(() => {}) // the server is unavailable
  })
  return {
    counts,
    async end() {
      isOver = true
      await Promise.all([...writers, hands])
    },
  }
}
