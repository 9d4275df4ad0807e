import { afterAll, afterEach, beforeEach } from 'vitest'
import type { Config } from '../../server/config.ts'
import { deleteAllRows, freshDatabase } from '../servers/database.ts'
import { startRedis, type TestRedis } from '../servers/redis.ts'
import { startTestApp, type TestServer } from '../servers/start.ts'
import { closeStreams } from '../servers/stream.ts'

export type TestNode = TestServer & { origin: string }

interface Nodes<Redis> {
  a: TestNode
  b: TestNode
  redis: Redis
  start: (config?: Partial<Config>) => Promise<TestNode>
}

/** Sets up two servers on one database and one Redis. */
export async function setupNodes(options: Parameters<typeof startTestApp>[0] = {}): Promise<Nodes<TestRedis>> {
  return setupNodesOn(await startRedis(), options)
}

/** Sets up two servers on a replacement of Redis. */
export async function setupNodesOn<Redis extends Pick<TestRedis, 'url' | 'stop'>>(
  redis: Redis,
  options: Parameters<typeof startTestApp>[0] = {},
): Promise<Nodes<Redis>> {
  const sharedDb = await freshDatabase()
  const started: TestNode[] = []
  const start = async (config: Partial<Config> = {}) => {
    const server = await startTestApp({
      ...options,
      sharedDb,
      config: { ...options.config, ...config, REDIS_URL: redis.url },
    })
    const node = { ...server, origin: await server.app.listen({ port: 0, host: '127.0.0.1' }) }
    started.push(node)
    return node
  }
  const [a, b] = [await start(), await start()]
  afterEach(async () => void (await closeStreams()))
  beforeEach(() => deleteAllRows(sharedDb))
  afterAll(async () => {
    for (const node of started) if (node.app.server.listening) await node.close()
    await sharedDb.destroy()
    await redis.stop()
  })
  return { a, b, redis, start }
}
