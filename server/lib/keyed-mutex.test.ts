import { afterEach, expect, test, vi } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('tasks of one key run one after the other, those of another key meanwhile', async () => {
  const mutex = new KeyedMutex()
  const steps: string[] = []
  const first = Promise.withResolvers<void>()
  const one = mutex.run('a', async () => {
    steps.push('one begins')
    await first.promise
    steps.push('one ends')
  })
  const two = mutex.run('a', async () => void steps.push('two'))
  await mutex.run('b', async () => void steps.push('other'))
  expect(mutex.isLocked('a')).toBe(true)
  first.resolve()
  await Promise.all([one, two])
  expect(steps).toEqual(['one begins', 'other', 'one ends', 'two'])
})

test('a task that fails is the caller’s to handle, and the next one runs', async () => {
  const mutex = new KeyedMutex()
  const failing = mutex.run('a', () => Promise.reject(new Error('no')))
  const next = mutex.run('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  await expect.poll(() => mutex.isLocked('a')).toBe(false)
})

test('a task that had to wait too long is refused instead of run', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const mutex = new KeyedMutex({ ms: 1_000, refusal: () => new Error('busy') })
  const first = mutex.run('a', async () => void vi.advanceTimersByTime(1_000))
  const second = mutex.run('a', async () => void vi.advanceTimersByTime(1))
  const third = mutex.run('a', async () => 'never')
  await Promise.all([first, second])
  await expect(third).rejects.toThrow('busy')
})
