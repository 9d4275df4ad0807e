import { expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { NetworkFailures } from './network-failures.ts'

test('guesses whose devices are being looked up find only the places that are left afterwards', async () => {
  const failures = new NetworkFailures(() => 1_000_000, { pseudonym: (name) => name })
  const [lookup, first, rest] = [Promise.withResolvers<boolean>(), Promise.withResolvers(), Promise.withResolvers()]
  const begun: number[] = []
  let ended = 0
  const guess = async (n: number) => {
    const networks = failures.networksOf(`2001:db8:0:${n % 100}::1`)
    await failures.run(
      networks,
      () => lookup.promise,
      async () => {
        begun.push(n)
        await (n < 90 ? first : rest).promise
        failures.fail(networks, 1_000_000)
      },
    )
  }
  const guesses = Array.from({ length: 300 }, (_, n) =>
    guess(n)
      .catch(() => {})
      .finally(() => void ended++),
  )
  await eventually(() => expect(begun).toHaveLength(100))
  first.resolve(null)
  await eventually(() => expect(ended).toBe(90))
  lookup.resolve(false)
  await lookup.promise
  rest.resolve(null)
  await Promise.all(guesses)
  expect(begun).toHaveLength(100)
})

test('an address is checked twenty times at one time, and five hundred more wait', async () => {
  const failures = new NetworkFailures(() => 1_000_000, { pseudonym: (name) => name })
  const end = Promise.withResolvers<void>()
  let [begun, left] = [0, 600]
  const act = async () => {
    begun++
    await end.promise
  }
  const signIn = () => failures.run(failures.networksOf('192.0.2.1'), async () => false, act).finally(() => void left--)
  const signIns = Promise.allSettled(Array.from({ length: 600 }, signIn))
  await eventually(() => expect([begun, left]).toEqual([20, 520]))
  end.resolve()
  await signIns
  expect(begun).toBe(520) // all were right
})

test('an IPv4 address counts as itself where it is written as IPv6', () => {
  const failures = new NetworkFailures(() => 1_000_000, { pseudonym: (name) => name })
  const networks = failures.networksOf('192.0.2.1')
  expect(networks.map(({ network }) => network)).toEqual(['192.0.2.1', '192.0.2.0/24'])
  for (const mapped of ['::ffff:192.0.2.1', '::FFFF:c000:201']) expect(failures.networksOf(mapped)).toEqual(networks)
})
