import { expect, test } from 'vitest'
import type { BusMessage } from './bus.ts'
import { TokenBuckets } from './token-bucket.ts'

const LIMIT = { name: 'clicks', burst: 20, perSecond: 10, message: 'Too many' }

function buildBuckets() {
  let at = 0
  let receive = (_message: BusMessage) => {}
  const bus = {
    publish() {},
    pseudonym: (name: string) => name,
    subscribe(listener: typeof receive) {
      receive = listener
    },
  }
  const buckets = new TokenBuckets({ now: () => at, bus }, LIMIT)
  return {
    setClock(ms: number) {
      at = ms
    },
    takeElsewhere: (ms: number) => receive({ type: 'tokens-taken', limit: 'clicks', key: 'host', count: 1, at: ms }),
    /** Counts the tokens that can be taken now. */
    remaining() {
      for (let taken = 0; ; taken++)
        try {
          buckets.take('host')
        } catch {
          return taken
        }
    },
  }
}

test('counts what other servers take', () => {
  const { setClock, takeElsewhere, remaining } = buildBuckets()
  setClock(60_000)
  for (let taken = 0; taken < 5; taken++) takeElsewhere(59_999 + taken)
  expect(remaining()).toBe(15)
})

test('does not count again what others took while this server was away', () => {
  const { setClock, takeElsewhere, remaining } = buildBuckets()
  setClock(60_000)
  expect(remaining()).toBe(20)
  for (let ms = 0; ms < 58_000; ms += 100) takeElsewhere(ms)
  setClock(62_000)
  expect(remaining()).toBe(20)
})
