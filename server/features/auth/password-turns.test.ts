import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { noopBus } from '../../lib/bus.ts'
import { hashPassword, Passwords } from './passwords.ts'

test('guesses in all places hold up neither a known device nor a new one in another network', async () => {
  const passwords = new Passwords({ now: () => 1_000_000, bus: noopBus })
  const hash = await hashPassword('right')
  const begun: string[] = []
  const check = (name: string, isKnownDevice: boolean, network: string) =>
    passwords
      .isRight('right', hash, { isKnownDevice, networks: [network], begin: () => void begun.push(name) })
      .catch(() => {})
  const guesses = Array.from({ length: 200 }, () => check('guess', false, 'of the guesses'))
  await Promise.all([...guesses, check('known', true, 'own'), check('new', false, 'own')])
  const running = availableParallelism()
  expect(begun).toHaveLength(running + 50 + 1) // 50 guesses and the new one wait, and the known one beside them
  // Includes the running ones, and the two whose turns come first.
  expect(begun.indexOf('known')).toBeLessThanOrEqual(running + 1)
  expect(begun.indexOf('new')).toBeLessThanOrEqual(running + 3)
})

test.each([true, false])('fifty checks wait on devices that are known or not: %s', async (isKnownDevice) => {
  const passwords = new Passwords({ now: () => 1_000_000, bus: noopBus })
  const hash = await hashPassword('right')
  const check = (isKnown: boolean) => passwords.isRight('right', hash, { isKnownDevice: isKnown, networks: ['one'] })
  const checks = Array.from({ length: availableParallelism() + 51 }, () => check(isKnownDevice))
  const others = Array.from({ length: 50 }, () => check(!isKnownDevice))
  const refused = (await Promise.allSettled([...checks, ...others])).filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { code: 'busy', status: 503 } }])
})

test('a host or master sets 5,000 passwords at once, then twenty a second', () => {
  let now = 1_000_000
  const passwords = new Passwords({ now: () => now, bus: noopBus })
  passwords.count('a host', 5_000)
  expect(() => passwords.count('a host', 1)).toThrow('That is too many passwords in a short time.')
  passwords.count('another host', 1)
  now += 1_000
  passwords.count('a host', 20)
  expect(() => passwords.count('a host', 1)).toThrow('That is too many passwords in a short time.')
})
