import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonSlices } from './json-slices.ts'

const Item = z.object({ n: z.number() })
const text = async (length: number) =>
  (await Array.fromAsync(jsonSlices(Item, Array.from({ length }).keys().toArray(), (n) => ({ n, secret: 'x' })))).join(
    '',
  )

test.each([0, 1, 250, 251, 1_000])('an array of %i rows reads as if it was serialised at once', async (length) => {
  const items = Array.from({ length }, (_, n) => ({ n }))
  expect(await text(length)).toBe(JSON.stringify(items))
})

test('other work goes on between the slices', async () => {
  let turns = 0
  const count = () => {
    turns++
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  await text(1_000)
  clearImmediate(turn)
  expect(turns).toBeGreaterThanOrEqual(3)
})

test('refuses a row that does not match the schema', async () => {
  const slices = jsonSlices(z.object({ n: z.number().max(5) }), [5, 6], (n) => ({ n }))
  await expect(Array.fromAsync(slices)).rejects.toThrow(z.ZodError)
})
