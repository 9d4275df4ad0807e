import { expect, test, vi } from 'vitest'
import { withSignInLock } from './sign-in-lock.ts'

const withLocks = (request: (name: string, signIn: () => Promise<void>) => Promise<void>) =>
  vi.stubGlobal('navigator', { locks: { request } })

test.each([
  ['without locks', () => vi.stubGlobal('navigator', {})],
  ['where locks are blocked', () => withLocks(() => Promise.reject(new DOMException('Blocked', 'SecurityError')))],
  ['with the lock', () => withLocks((_name, signIn) => signIn())],
])('signs in once %s', async (_where, stub) => {
  stub()
  const signIn = vi.fn(async () => {})
  await withSignInLock(signIn)
  expect(signIn).toHaveBeenCalledTimes(1)
})

test('tries no refused sign-in again', async () => {
  withLocks((_name, signIn) => signIn())
  const signIn = vi.fn(() => Promise.reject(new Error('Refused')))
  await expect(withSignInLock(signIn)).rejects.toThrow('Refused')
  expect(signIn).toHaveBeenCalledTimes(1)
})
