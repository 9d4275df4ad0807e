import { beforeEach, expect, test } from 'vitest'
import { CircuitBreaker } from './circuit-breaker.ts'
import { ZoomError } from './errors.ts'

const SECOND = 1000
const MIDNIGHT = Date.parse('2026-11-22T00:00:00Z')
let now = 0
let breaker: CircuitBreaker
let asked = 0

beforeEach(() => {
  now = Date.parse('2026-11-21T10:00:00Z')
  breaker = new CircuitBreaker(() => now)
  asked = 0
})

const down = () => new ZoomError('unavailable', 'Zoom could not be reached')
const callZoom = (error?: Error, key = 'host') =>
  breaker
    .run(key, async () => {
      asked++
      if (error) throw error
      return 'answer'
    })
    .catch((error: unknown) => error)

async function fail(times: number, error = down()) {
  for (let time = 0; time < times; time++) await callZoom(error)
}

test('opens after five failures in a row, and then fails fast', async () => {
  await fail(5)
  expect(await callZoom()).toMatchObject({ fault: 'unavailable' })
  expect(asked).toBe(5)
  expect(await callZoom(undefined, 'another host')).toBe('answer')
})

test('ignores failures that are not in a row, and refusals', async () => {
  await fail(4)
  expect(await callZoom()).toBe('answer')
  await fail(4)
  await callZoom(new ZoomError('refused', 'No permission'))
  await fail(4)
  expect(await callZoom()).toBe('answer')
})

test('sends one trial after the cool-down, and waiting calls share its outcome', async () => {
  await fail(5)
  now += 5 * SECOND
  const pending = Promise.withResolvers<string>()
  const trial = breaker.run('host', () => pending.promise)
  const others = [callZoom(), callZoom()]
  await new Promise(setImmediate)
  expect(asked).toBe(5)
  pending.resolve('back')
  expect(await trial).toBe('back')
  expect(await Promise.all(others)).toEqual(['answer', 'answer'])
})

test('a failed trial also fails the calls that waited for it', async () => {
  await fail(5)
  now += 5 * SECOND
  const [first, ...others] = await Promise.all([callZoom(down()), callZoom(), callZoom()])
  expect(asked).toBe(6)
  for (const answer of [first, ...others]) expect(answer).toMatchObject({ fault: 'unavailable' })
})

test('the cool-down grows while trials fail, to a minute at most', async () => {
  await fail(5)
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    now += seconds * SECOND - 1
    const before = asked
    await callZoom(down())
    expect(asked).toBe(before)
    now += 1
    await callZoom(down())
    expect(asked).toBe(before + 1)
  }
})

test('waits exactly as long as Zoom asks', async () => {
  await callZoom(
    new ZoomError('rate_limit', 'Too many', { retryAfterMs: 90 * SECOND, zoomMessage: 'Try again later.' }),
  )
  now += 90 * SECOND - 1
  expect(await callZoom()).toMatchObject({ fault: 'rate_limit', details: { zoomMessage: 'Try again later.' } })
  now += 1
  expect(await callZoom()).toBe('answer')
})

test('a daily limit without a time ends with the UTC day', async () => {
  await callZoom(new ZoomError('rate_limit', 'Too many', { isDaily: true }))
  now = MIDNIGHT - 1
  expect(await callZoom()).toMatchObject({ fault: 'rate_limit' })
  now = MIDNIGHT
  expect(await callZoom()).toBe('answer')
})

test('a per-second limit does not open it, however many calls hit it', async () => {
  await fail(200, new ZoomError('rate_limit', 'Too many'))
  expect(await callZoom()).toBe('answer')
  await fail(200, new ZoomError('busy', 'Too many wait'))
  expect(await callZoom()).toBe('answer')
})

test('calls that fail together do not extend the cool-down', async () => {
  await Promise.all(Array.from({ length: 200 }, () => callZoom(down())))
  now += 5 * SECOND - 1
  expect(await callZoom()).toMatchObject({ fault: 'unavailable' })
  now += 1
  expect(await callZoom()).toBe('answer')
})

test('fails queued calls fast when it opens, but not the trial', async () => {
  expect(() => breaker.assertClosed('host')).not.toThrow()
  await fail(5)
  expect(() => breaker.assertClosed('host')).toThrow(ZoomError)
  now += 5 * SECOND
  const trial = breaker.run('host', async () => breaker.assertClosed('host'))
  expect(await trial).toBeUndefined()
})

test('lets the next call try when a trial did not get its turn', async () => {
  await fail(5)
  now += 5 * SECOND
  await callZoom(new ZoomError('busy', 'Too many wait'))
  const before = asked
  await Promise.all([callZoom(down()), callZoom(), callZoom()])
  expect(asked).toBe(before + 1)
})
