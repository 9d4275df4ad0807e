import { expect, test } from 'vitest'
import { silentBus } from '../../lib/bus.ts'
import { hashPassword, Passwords } from './passwords.ts'

test('guesses in all places hold up neither a known device nor a new one in another network', async () => {
  const passwords = new Passwords({ now: () => 1_000_000, bus: silentBus })
  const hash = await hashPassword('right')
  const ended: string[] = []
  const check = (name: string, isKnownDevice: boolean, network: string) =>
    passwords.isRight('right', hash, { isKnownDevice, network }).then(
      () => void ended.push(name),
      ({ code }) => void ended.push(`${name} ${code}`),
    )
  const guesses = Array.from({ length: 200 }, () => check('guess', false, 'of the guesses'))
  await Promise.all([...guesses, check('known', true, 'own'), check('new', false, 'own')])
  const refused = ended.filter((name) => name === 'guess busy').length
  const checked = ended.filter((name) => name !== 'guess busy')
  expect(checked).toHaveLength(202 - refused)
  expect(checked.length).toBeGreaterThan(50)
  // Those that ran already, and the two whose turns come before theirs.
  const ahead = checked.length - 51
  expect(checked.indexOf('known')).toBeLessThanOrEqual(ahead + 1)
  expect(checked.indexOf('new')).toBeLessThanOrEqual(ahead + 3)
})
