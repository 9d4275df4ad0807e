import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { findConfirmation } from '../features/auth/confirmation.ts'
import { actorOfSession } from '../features/auth/guards.ts'
import { confirmMethods } from '../features/second-factor/passkeys.ts'
import { rpIdOf } from '../features/second-factor/rp-id.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call is refused unless its session was confirmed lately. A function decides by the request. */
    needsConfirmation?: true | ((request: FastifyRequest) => boolean)
  }
}

/**
 * Runs before a call claims its Idempotency-Key: the refusal is not kept, so that the confirmed repeat takes effect.
 */
export function requireConfirmation(api: FastifyInstance, deps: Deps): void {
  api.addHook('onRoute', (route) => {
    const needed = route.config?.needsConfirmation
    if (!needed) return
    const check = async (request: FastifyRequest) => {
      if (needed !== true && !needed(request)) return
      if (!request.session || (await findConfirmation(deps, request.session))) return
      const { role, id } = actorOfSession(request.session, request.ip)
      const methods = role === 'phone' ? [] : await confirmMethods(deps, { role, id }, rpIdOf(request))
      throw new AppError('confirm_needed', "Please confirm that it's you.", { details: { confirm: { methods } } })
    }
    route.preHandler = [...[route.preHandler ?? []].flat(), check]
  })
}
