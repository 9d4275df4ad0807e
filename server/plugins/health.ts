import type { FastifyPluginAsync } from 'fastify'
import { isReachable } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { isDoneWithin } from '../lib/is-done-within.ts'
import { SingleFlight } from '../lib/single-flight.ts'

/** Answers under any host name, because load balancers rarely send ours. */
export const PROBE_PATHS = ['/healthz', '/readyz']

/** Shorter than the patience of a probe. */
const LONGEST_CHECK_MS = 2_000

export const healthRoutes =
  ({ db, redis, stopping }: Pick<Deps, 'db' | 'redis' | 'stopping'>): FastifyPluginAsync =>
  async (app) => {
    const checks = new SingleFlight<boolean>() // anybody can ask, as often as they like
    const refuseIfStopping = () => {
      if (stopping.aborted) throw new AppError('not_ready', 'The server is stopping.')
    }
    /** Callers share a check that hangs, and none waits long for it. */
    async function requireAnswer(name: 'database' | 'Redis', check: () => Promise<boolean>): Promise<void> {
      let isUp = false
      const checked = checks.run(name, check).then((answer) => {
        isUp = answer
      })
      await isDoneWithin(checked, LONGEST_CHECK_MS)
      if (!isUp) throw new AppError('not_ready', `${name === 'Redis' ? name : `The ${name}`} cannot be reached.`)
    }
    app.get('/healthz', async () => {
      refuseIfStopping() // for proxies that use this probe, since /readyz also fails without the database
      return { success: true }
    })
    app.get<{ Querystring: { redis?: string } }>('/readyz', async ({ query }) => {
      refuseIfStopping()
      const isOptional = query.redis === 'optional' // rooms go on without Redis, each node's by itself
      await Promise.all([
        requireAnswer('database', () => isReachable(db)),
        redis && !isOptional ? requireAnswer('Redis', () => redis.isUp()) : null,
      ])
      return { success: true }
    })
  }
