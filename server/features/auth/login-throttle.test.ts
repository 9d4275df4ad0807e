import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { buildThrottle } from '../../../test/factories/build-throttle.ts'
import { noopBus } from '../../lib/bus.ts'
import { SlidingWindow } from '../../lib/sliding-window.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'

const HOUR = 3_600_000

/** More keys than any of the caches holds. */
const KEYS = 60_000
/** A loop over all keys would read the clock once for each. */
const MOST_READS = 40

function countingClock() {
  let reads = 0
  return {
    now() {
      reads++
      return 1_000_000
    },
    readsOf: async (act: () => unknown) => {
      reads = 0
      await act()
      return reads
    },
  }
}

describe('with more keys than are kept, one more looks at few', () => {
  test('in a sliding window', async () => {
    const { now, readsOf } = countingClock()
    const window = new SlidingWindow(now, 3_600_000)
    for (let n = 0; n < KEYS; n++) window.add(`key ${n}`)
    expect(await readsOf(() => window.add('one more'))).toBeLessThan(MOST_READS)
    expect(window.count('one more')).toBe(1)
    expect(window.count('key 0')).toBe(0)
  })

  test('in token buckets', async () => {
    const { now, readsOf } = countingClock()
    const limit = { name: 'test', burst: 2, perSecond: 0.001, message: 'Too many' }
    const buckets = new TokenBuckets({ now, bus: noopBus }, limit)
    for (let n = 0; n < KEYS; n++) buckets.take(`key ${n}`)
    expect(await readsOf(() => buckets.take('one more'))).toBeLessThan(MOST_READS)
  })

  test('at sign-ins', async () => {
    const { now, readsOf } = countingClock()
    const { throttle, countElsewhere } = buildThrottle(now)
    for (let n = 0; n < KEYS; n++) countElsewhere({ account: `account ${n}`, address: `address ${n}` })
    const guess = () => throttle.guess('one more', '192.0.2.1', async () => ({ isRight: false }))
    expect(await readsOf(guess)).toBeLessThan(MOST_READS)
    for (let n = 0; n < 4; n++) await guess()
    await expect(guess()).rejects.toMatchObject({ code: 'too_many' })
  })
})

describe('one account from one address', () => {
  test('waits after five failures: 2 s, then twice as long each time up to 15 minutes, for an hour', async () => {
    let now = 1_000_000
    const { throttle } = buildThrottle(() => now)
    const guess = () => throttle.guess('amina', '192.0.2.1', async () => ({ isRight: false }))
    for (let n = 0; n < 5; n++) await guess()
    for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      await expect(guess()).rejects.toMatchObject({ code: 'too_many', retryAfterSeconds: seconds })
      now += seconds * 1_000 - 1
      await expect(guess()).rejects.toMatchObject({ retryAfterSeconds: 1 })
      now++
      await guess()
    }
    now += HOUR - 1
    await guess()
    await expect(guess()).rejects.toMatchObject({ retryAfterSeconds: 900 })
    now += HOUR
    for (let n = 0; n < 5; n++) await guess()
    await expect(guess()).rejects.toMatchObject({ retryAfterSeconds: 2 })
  })

  test('is checked as often as failures are left, however many come at once', async () => {
    const { throttle } = buildThrottle(() => 1_000_000)
    let looked = 0
    const guess = (isRight: boolean) =>
      throttle.guess('amina', '192.0.2.1', async () => {
        looked++
        await Promise.resolve()
        return { isRight }
      })
    for (let n = 0; n < 4; n++) await guess(false)
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => guess(false)))
    expect(looked).toBe(5)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject(
      Array(4).fill({ reason: { code: 'too_many', retryAfterSeconds: 2 } }),
    )
  })

  test('the right password, sent twice at once after four failures, signs in twice', async () => {
    const { throttle } = buildThrottle(() => 1_000_000)
    const guess = (isRight: boolean) => throttle.guess('amina', '192.0.2.1', async () => ({ isRight }))
    for (let n = 0; n < 4; n++) await guess(false)
    expect(await Promise.all([guess(true), guess(true)])).toEqual([{ isRight: true }, { isRight: true }])
  })

  test('the right password of a phone, sent 25 times at once, signs in each time: those that wait know the phone', async () => {
    const { throttle } = buildThrottle(() => 1_000_000)
    const signIn = async () => {
      await throttle.guess('amina', '192.0.2.1', async () => ({ isRight: true }), 'a phone')
      await throttle.remember('amina', '192.0.2.1', 'a phone')
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, signIn))
    expect(outcomes.map(({ status }) => status)).toEqual(Array(25).fill('fulfilled'))
  })

  test('is checked five times at one time, and fifty more wait', async () => {
    const { throttle } = buildThrottle(() => 1_000_000)
    const end = Promise.withResolvers<void>()
    let looked = 0
    let left = 60
    const check = async () => {
      looked++
      await end.promise
      return { isRight: false }
    }
    const guess = () => throttle.guess('amina', '192.0.2.1', check).finally(() => void left--)
    const guesses = Promise.allSettled(Array.from({ length: 60 }, guess))
    await eventually(() => expect([looked, left]).toEqual([5, 55]))
    end.resolve()
    await guesses
    expect(looked).toBe(5) // the waiting ones count the failures before them
  })
})

describe('in a session', () => {
  const ip = '192.0.2.1'
  const right = async () => ({ isRight: true })
  const wrong = async () => ({ isRight: false })

  test('the owner is held up by wrong passwords of that session alone, at this and other servers', async () => {
    let now = 1_000_000
    const { throttle, countElsewhere } = buildThrottle(() => now)
    const show = (session_id: string, check = wrong) => throttle.guessInSession('amina', { ip, session_id }, check)
    for (let n = 0; n < 4; n++) await show('one')
    countElsewhere({ account: 'amina', address: ip, place: 'session one' })
    await expect(show('one', right)).rejects.toMatchObject({ code: 'too_many', retryAfterSeconds: 2 })
    await show('two', right)
    await expect(throttle.guess('amina', ip, right)).rejects.toMatchObject({ code: 'too_many' })
    now += 2_000
    await show('one', right)
    for (let n = 0; n < 5; n++) await show('one')
  })

  test('a right one does not free those who guess at the same address', async () => {
    const { throttle } = buildThrottle(() => 1_000_000)
    for (let n = 0; n < 5; n++) await throttle.guess('amina', ip, wrong)
    await throttle.guessInSession('amina', { ip, session_id: 'one' }, right)
    await expect(throttle.guess('amina', ip, wrong)).rejects.toMatchObject({ code: 'too_many' })
  })

  test('wrong ones count for the account', async () => {
    const { throttle } = buildThrottle(() => 1_000_000)
    for (let n = 0; n < 100; n++)
      await throttle.guessInSession('amina', { ip: `10.0.${n}.1`, session_id: `${n}` }, wrong)
    await expect(throttle.guess('amina', '192.0.2.9', right)).rejects.toMatchObject({ code: 'too_many' })
  })
})

test('a wrong token of a link counts for its address, and for no account', async () => {
  const { throttle, published } = buildThrottle(() => 1_000_000)
  const guess = () => throttle.guessToken('192.0.2.1', async () => ({ isRight: false }))
  for (let n = 0; n < 20; n++) await guess()
  await expect(guess()).rejects.toMatchObject({ code: 'too_many' })
  expect(published).toHaveLength(20)
  expect(published.every((message) => message.type === 'sign-in-checked' && message.account === null)).toBe(true)
})
