import type { FastifyInstance } from 'fastify'
import { HOUR_MS } from '../../shared/dates.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { actorOfSession } from '../features/auth/guards.ts'
import type { Session } from '../features/auth/session-rows.ts'

/**
 * Audits calls that the caller's role may not make: one row for each account and hour, with the first route. Each
 * session and route counts once.
 */
export function auditRefusedAccess(api: FastifyInstance, deps: Deps): void {
  const audited = new WeakMap<Session, Set<string>>()

  api.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof AppError) || error.code !== 'not_allowed') return
    const token = request.headers.authorization?.split(' ')[1]
    const session = token ? await deps.sessions.find(token) : null
    if (!session) return
    const route = `${request.method} ${request.routeOptions.url ?? ''}`
    const routes = audited.get(session) ?? new Set()
    if (routes.has(route)) return
    audited.set(session, routes.add(route))

    const by = actorOfSession(session, request.ip)
    await deps.refusedCalls.audit(by, { action: 'access_refused', after: { route } }, HOUR_MS)
  })
}
