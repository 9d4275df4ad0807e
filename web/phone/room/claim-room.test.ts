import { afterEach, expect, test, vi } from 'vitest'
import { eventLoopTurns } from '../../../test/event-loop-turns.ts'
import { claimRoom } from './claim-room.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

type Held = { reject: (error: unknown) => void }

/** Stubs the browser's locks: each request steals. */
function stubLocks() {
  const held = new Map<string, Held>()
  const request = (name: string, _options: LockOptions, run: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      held.get(name)?.reject(new DOMException('Stolen', 'AbortError'))
      const own = { reject }
      held.set(name, own)
      void run().then(() => {
        if (held.get(name) === own) held.delete(name)
        resolve()
      })
    })
  vi.stubGlobal('navigator', { locks: { request } })
}

test('the tab that takes the room last has it, and the one before is told once', async () => {
  stubLocks()
  const [first, second, other] = [vi.fn(), vi.fn(), vi.fn()]
  claimRoom('anita', first)
  claimRoom('ravi', other)
  claimRoom('anita', second)
  await eventLoopTurns(2)
  expect([first, second, other].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0])
})

test('a tab that has left the room is told nothing', async () => {
  stubLocks()
  const first = vi.fn()
  claimRoom('anita', first)()
  await eventLoopTurns(2)
  claimRoom('anita', vi.fn())
  await eventLoopTurns(2)
  expect(first).not.toHaveBeenCalled()
})

test('a browser without locks, or one that refuses them, takes no room away', async () => {
  const taken = vi.fn()
  vi.stubGlobal('navigator', {})
  claimRoom('anita', taken)()
  const refuse = () => Promise.reject(new DOMException('Not here', 'SecurityError'))
  vi.stubGlobal('navigator', { locks: { request: refuse } })
  claimRoom('anita', taken)
  await eventLoopTurns(2)
  expect(taken).not.toHaveBeenCalled()
})
