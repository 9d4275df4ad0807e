import { afterEach, expect, test, vi } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('runs tasks of one key in turn, and tasks of other keys in parallel', async () => {
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

test('passes a failure to the caller, and runs the next task', async () => {
  const mutex = new KeyedMutex()
  const failing = mutex.run('a', () => Promise.reject(new Error('no')))
  const next = mutex.run('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  await expect.poll(() => mutex.isLocked('a')).toBe(false)
})

test('refuses a task that has waited too long', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const mutex = new KeyedMutex({ ms: 1_000, refusal: () => new Error('busy') })
  const first = mutex.run('a', async () => void vi.advanceTimersByTime(1_000))
  const second = mutex.run('a', async () => void vi.advanceTimersByTime(1))
  const third = mutex.run('a', async () => 'never')
  await Promise.all([first, second])
  await expect(third).rejects.toThrow('busy')
})
