import { expect, test } from 'vitest'
import { setup } from '../../../test/servers/setup.ts'
import { clearKnownDevices } from './jobs.ts'
import { KnownDevices } from './known-devices.ts'

const DAY = 24 * 3_600_000
let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })

/** Asks a server that has just started. */
const isKnown = (account: string, device = 'phone') => new KnownDevices(server.deps).has(account, device, '127.0.0.1')
const stored = async () => (await server.deps.db.selectFrom('known_devices').select('hash').execute()).length

test('a device is known for 90 days after it was last seen, to its account alone, and is then forgotten', async () => {
  const devices = new KnownDevices(server.deps)
  await devices.remember('amina', 'phone')
  expect(await isKnown('amina')).toBe(true)
  expect([await isKnown('baraka'), await isKnown('amina', 'another phone')]).toEqual([false, false])
  now += 2 * DAY
  await devices.remember('baraka', 'phone')
  now += 87 * DAY
  await devices.remember('amina', 'phone')
  now += 3 * DAY
  expect([await isKnown('amina'), await isKnown('baraka')]).toEqual([true, false])
  now += 1
  await clearKnownDevices.run(server.deps)
  expect(await stored()).toBe(1)
  now += 87 * DAY - 2
  expect(await isKnown('amina')).toBe(true)
  now += 1
  expect(await isKnown('amina')).toBe(false)
  now += 1
  await clearKnownDevices.run(server.deps)
  expect(await stored()).toBe(0)
})
