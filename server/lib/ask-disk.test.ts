import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askDisk } from './ask-disk.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a disk that hangs is asked once, whoever asks, and nobody waits for it for long', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const ask = vi.fn(() => promise)
  const first = expect(askDisk('names', ask)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await vi.advanceTimersByTimeAsync(3_000)
  await first
  const second = askDisk('names', ask)
  await expect(askDisk('other names', async () => 'others')).resolves.toBe('others')
  expect(ask).toHaveBeenCalledTimes(1)
  resolve('names')
  await expect(second).resolves.toBe('names')
  await expect(askDisk('names', async () => 'new names')).resolves.toBe('new names')
})
