import { afterAll, afterEach, beforeEach } from 'vitest'
import { deleteAllRows, freshDatabase } from '../database.ts'
import { startRedis, type TestRedis } from '../redis.ts'
import { startTestApp, type TestServer } from '../start.ts'
import { closeStreams } from '../stream.ts'

export type TestNode = TestServer & { origin: string }

/** Two servers on one database and one Redis. */
export async function setupNodes(
  options: Parameters<typeof startTestApp>[0] = {},
): Promise<{ a: TestNode; b: TestNode; redis: TestRedis; start: () => Promise<TestNode> }> {
  const redis = await startRedis()
  const sharedDb = await freshDatabase()
  const started: TestNode[] = []
  const start = async () => {
    const server = await startTestApp({ ...options, sharedDb, config: { ...options.config, REDIS_URL: redis.url } })
    const node = { ...server, origin: await server.app.listen({ port: 0, host: '127.0.0.1' }) }
    started.push(node)
    return node
  }
  const [a, b] = [await start(), await start()]
  afterEach(async () => void (await closeStreams()))
  beforeEach(() => deleteAllRows(sharedDb))
  afterAll(async () => {
    for (const node of started) await node.close()
    await sharedDb.destroy()
    await redis.stop()
  })
  return { a, b, redis, start }
}
