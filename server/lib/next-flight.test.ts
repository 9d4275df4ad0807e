import { expect, test } from 'vitest'
import { NextFlight } from './next-flight.ts'

test('callers during a run share one that begins after it', async () => {
  const flights = new NextFlight<string>()
  const runs: PromiseWithResolvers<void>[] = []
  const work = () => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  }
  const first = flights.run('a', work)
  const [second, third] = [flights.run('a', work), flights.run('a', work)]
  const other = flights.run('b', work)
  expect(runs).toHaveLength(2)

  runs[0]?.reject(new Error('It failed'))
  await expect(first).rejects.toThrow('It failed')
  await expect.poll(() => runs.length).toBe(3)
  for (const run of runs) run.resolve()
  await Promise.all([second, third, other])

  const last = flights.run('a', work)
  expect(runs).toHaveLength(4)
  runs[3]?.resolve()
  await last
})
