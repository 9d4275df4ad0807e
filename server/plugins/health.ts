import type { FastifyPluginAsync } from 'fastify'
import { isReachable } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { SingleFlight } from '../lib/single-flight.ts'

/** Answers under any host name, because load balancers rarely send ours. */
export const PROBE_PATHS = ['/healthz', '/readyz']

export const healthRoutes =
  ({ db, stopping }: Deps): FastifyPluginAsync =>
  async (app) => {
    const checks = new SingleFlight<boolean>() // anybody can ask, as often as they like
    const refuseIfStopping = () => {
      if (stopping.aborted) throw new AppError('not_ready', 'The server is stopping.')
    }
    app.get('/healthz', async () => {
      refuseIfStopping() // for proxies that use this probe, since /readyz also fails without the database
      return { success: true }
    })
    app.get('/readyz', async () => {
      refuseIfStopping()
      if (!(await checks.run('database', () => isReachable(db))))
        throw new AppError('not_ready', 'The database cannot be reached.')
      return { success: true }
    })
  }
