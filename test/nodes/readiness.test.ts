import { expect, test } from 'vitest'
import { readMetrics, sampleOf } from '../servers/read-metrics.ts'
import { setupNodes } from './setup.ts'

const { a, b, redis } = await setupNodes()

async function ask(path: string) {
  const answer = await fetch(`${a.origin}${path}`)
  const { message } = await answer.json()
  return { status: answer.status, message }
}
const redisUp = async () => sampleOf(await readMetrics(a), 'parley_redis_up')
const isReadyAgain = () => expect.poll(async () => (await ask('/readyz')).status, { timeout: 20_000 }).toBe(200)

const LOST = { status: 503, message: 'Redis cannot be reached.' }

test('a node is not ready while its Redis is frozen, answers all the same, and becomes ready by itself', async () => {
  expect(await ask('/readyz')).toMatchObject({ status: 200 })
  expect(await redisUp()).toBe(1)
  redis.pause()
  const answers = await Promise.all([ask('/readyz'), ask('/readyz'), ask('/readyz')])
  expect(answers).toEqual([LOST, LOST, LOST])
  expect(await redisUp()).toBe(0)
  expect(await ask('/readyz?redis=optional')).toMatchObject({ status: 200 })
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
  redis.resume()
  await isReadyAgain()
  expect(await redisUp()).toBe(1)
})

test('a node is not ready while its Redis is gone, unless Redis does not count', async () => {
  await redis.kill()
  await expect.poll(() => ask('/readyz')).toMatchObject(LOST)
  expect(await ask('/readyz?redis=optional')).toMatchObject({ status: 200 })
  expect((await fetch(`${b.origin}/readyz?redis=no`)).status).toBe(503)
  await redis.start()
  await isReadyAgain()
})
