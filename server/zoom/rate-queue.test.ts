import { beforeEach, describe, expect, test } from 'vitest'
import type { Deadline } from './deadline.ts'
import { type QueuedCall, RateQueue } from './rate-queue.ts'

const LIGHT: QueuedCall = { accountId: 'account', plan: 'licensed', label: 'Light', hostId: 'host' }
let queue: RateQueue
let entered: { name: string; at: number }[]
let time = 0
let due: { at: number; act: () => void }[]

const after = (ms: number, act: () => void) => due.push({ at: time + ms, act })
beforeEach(() => {
  queue = new RateQueue({ now: () => time, after })
  entered = []
  due = []
})

/** Moves the clock and runs the timers that are due. */
async function pass(ms: number) {
  const end = time + ms
  for (;;) {
    await new Promise(setImmediate)
    const [next] = due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
    if (!next) break
    due = due.filter((one) => one !== next)
    time = next.at
    next.act()
  }
  time = end
}

function deadlineIn(ms: number): Deadline {
  const end = time + ms
  const gone = new AbortController()
  after(ms, () => gone.abort())
  return { signal: gone.signal, remaining: () => end - time }
}
const enter = (call: Partial<QueuedCall> = {}, { name = '', ms = 60_000 } = {}) =>
  queue.acquire({ ...LIGHT, ...call }, deadlineIn(ms)).then(() => void entered.push({ name, at: time }))
const refusalOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error)
const many = (count: number, call: Partial<QueuedCall> = {}) =>
  Promise.all(Array.from({ length: count }, () => enter(call)))

/** Returns the most calls sent within any second. */
function most(): number {
  const times = entered.map(({ at }) => at)
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length))
}

describe("keeps to Zoom's rates", () => {
  test.each<[Partial<QueuedCall>, number, number]>([
    [{}, 200, 30],
    [{ label: 'Medium' }, 60, 20],
    [{ plan: 'basic' }, 20, 4],
    [{ plan: 'basic', label: 'Medium' }, 6, 2],
  ])('%o', async (call, count, allowed) => {
    const all = many(count, call)
    await pass(9_500)
    await all
    expect(most()).toBeGreaterThan(allowed / 3)
    expect(most()).toBeLessThanOrEqual(allowed)
  })

  test('a call after a quiet period does not wait, nor do other accounts and classes', async () => {
    const crowd = many(100)
    await enter({ accountId: 'another' })
    await enter({ label: 'Medium' })
    expect(time).toBe(entered[0]?.at)
    await pass(10_000)
    await crowd
    const later = time
    await enter()
    expect(entered.at(-1)?.at).toBe(later)
  })

  test('pauses for a moment when Zoom reports too many calls all the same', async () => {
    queue.pause(LIGHT, null)
    void enter()
    await pass(800)
    expect(entered).toEqual([])
    await pass(400)
    expect(entered).toHaveLength(1)
  })
})

describe('a waiting call', () => {
  test('goes in order of arrival, with hosts of one account taking turns', async () => {
    const crowd = Array.from({ length: 20 }, (_, at) => enter({}, { name: `crowd ${at}` }))
    const lone = enter({ hostId: 'another host' }, { name: 'lone' })
    await pass(2_000)
    await Promise.all([...crowd, lone])
    const names = entered.map(({ name }) => name)
    expect(names.filter((name) => name !== 'lone')).toEqual(Array.from({ length: 20 }, (_, at) => `crowd ${at}`))
    expect(names.indexOf('lone')).toBeLessThanOrEqual(6) // after the burst of four
  })

  test('is refused at once if the wait would be too long, with a time to retry', async () => {
    const crowd = many(220)
    expect(await refusalOf(enter({}, { ms: 10_000 }))).toMatchObject({
      fault: 'busy',
      details: { retryAfterMs: expect.closeTo((217 / 22) * 1000, -1) },
    })
    const others = enter({ hostId: 'another host' }, { ms: 10_000 })
    await pass(11_000)
    await Promise.all([crowd, others])
    expect(entered).toHaveLength(221)
  })

  test('that gives up passes its turn to the next', async () => {
    const first = many(4)
    const impatient = refusalOf(queue.acquire(LIGHT, aborted()))
    const next = enter({}, { name: 'next' })
    expect(await impatient).toMatchObject({ fault: 'busy' })
    await pass(50)
    await Promise.all([first, next])
    expect(entered.at(-1)?.name).toBe('next')
  })
})

/** Builds a deadline that is aborted although time remains. */
function aborted(): Deadline {
  const gone = new AbortController()
  queueMicrotask(() => gone.abort())
  return { signal: gone.signal, remaining: () => 60_000 }
}
