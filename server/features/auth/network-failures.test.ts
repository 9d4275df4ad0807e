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
