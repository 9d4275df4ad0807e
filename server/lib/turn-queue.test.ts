import { beforeEach, describe, expect, test, vi } from 'vitest'
import { TurnQueue } from './turn-queue.ts'

let queue: TurnQueue<'known' | 'strangers'>
let ran: string[]
let refused: string[]
let release: () => void
let blocked: Promise<void>
const options = { concurrency: 1, maxWaiting: 4, full: () => new Error('full') }

/** Runs one at a time, and blocks the first until it is released. */
beforeEach(() => {
  queue = new TurnQueue(['known', 'strangers'], options)
  ran = []
  refused = []
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  blocked = promise
  void queue.run('strangers', ['first'], () => blocked)
})

/** Each letter of `groups` names one, the outermost first. */
const add = (lane: 'known' | 'strangers', groups: string, name: string) =>
  queue.run(lane, [...groups], async () => void ran.push(name)).catch(() => void refused.push(name))

async function finish(calls: Promise<void>[]) {
  release()
  await Promise.all(calls)
}

describe('a queue of turns', () => {
  test('runs each lane in turn, and each group of a lane in turn', async () => {
    const strangers = ['a1', 'a2', 'a3', 'b1'].map((name) => add('strangers', name.charAt(0), name))
    const known = ['c1', 'c2', 'd1'].map((name) => add('known', name.charAt(0), name))
    await finish([...strangers, ...known])
    expect(ran).toEqual(['c1', 'a1', 'd1', 'b1', 'c2', 'a2', 'a3'])
  })

  test('refuses at its turn a call that has waited too long, and goes on', async () => {
    const hurried = new TurnQueue(['known'], { ...options, longestWaitMs: 6_000 })
    const first = hurried.run('known', ['a'], () => blocked)
    const act = vi.fn(async () => {})
    const late = expect(hurried.run('known', ['a'], act)).rejects.toThrow('full')
    const now = vi.spyOn(performance, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER)
    release()
    await Promise.all([first, late])
    now.mockRestore()
    expect(act).not.toHaveBeenCalled()
    await hurried.run('known', ['a'], act)
    expect(act).toHaveBeenCalledOnce()
  })

  test('has places of its own in each lane', async () => {
    const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add('strangers', 'a', name))
    await finish([...calls, add('known', 'a', 'known')])
    expect(refused).toEqual(['a5'])
    expect(ran).toEqual(['known', 'a1', 'a2', 'a3', 'a4'])
  })

  test('gives a newcomer the place of the newest of the largest group', async () => {
    const calls = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((name) => add('strangers', name.charAt(0), name))
    await finish(calls)
    expect(refused.toSorted()).toEqual(['a3', 'c2'])
    expect(ran).toEqual(['a1', 'b1', 'c1', 'a2'])
  })

  test('does the same for the groups within a group', async () => {
    const calls = ['ax1', 'ax2', 'ay1', 'b1', 'c1', 'az1', 'c2']
    await finish(calls.map((name) => add('strangers', name.slice(0, -1), name)))
    expect(refused.toSorted()).toEqual(['ax2', 'az1', 'c2'])
    expect(ran).toEqual(['ax1', 'b1', 'c1', 'ay1'])
  })

  test('refuses a newcomer where all groups are as small', async () => {
    const calls = ['a1', 'b1', 'c1', 'd1', 'e1'].map((name) => add('strangers', name.charAt(0), name))
    await finish(calls)
    expect(refused).toEqual(['e1'])
  })

  test('goes on after a call that failed, and is free again in the end', async () => {
    const failed = queue.run('known', ['a'], () => Promise.reject(new Error('failed')))
    const next = add('known', 'a', 'next')
    release()
    await expect(failed).rejects.toThrow('failed')
    await next
    await add('known', 'a', 'at once')
    expect(ran).toEqual(['next', 'at once'])
  })
})
