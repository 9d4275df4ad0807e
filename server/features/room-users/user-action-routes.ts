import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES, type HostRole } from '../../../shared/auth.ts'
import { MODERATOR_ACTIONS, USER_ACTIONS, type UserAction } from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, roleNotAllowed, roomShareOf, signedInHost } from '../auth/guards.ts'
import { roomChanged } from './room-acts.ts'
import * as api from './user-action-api.ts'
import { applyUserAction, STATE_CHANGED } from './user-actions.ts'

/** The limit of a host, and of all its assistants together, since the phones are the same. Permits fast clicks. */
const ACTION_LIMIT = {
  name: 'user actions',
  burst: 20,
  perSecond: 10,
  message: 'Too many requests. Please wait a moment and try again.',
}

export const userActionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const acts = new TokenBuckets(deps, ACTION_LIMIT)
    for (const action of USER_ACTIONS) await app.register(oneUserRoute(deps, acts, action))
    await app.register(manyUsersRoute(deps))
  }

const oneUserRoute =
  (deps: Deps, acts: TokenBuckets, action: UserAction): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES.filter((role) => mayAct(role, action)))
    const message = api.USER_ACTION_DONE[action]

    app.post(
      `/host/users/:id/${action}`,
      { schema: api.actOnUser(action), preHandler: async (request) => acts.take(roomShareOf(request)) },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        const seen = { userIds: [id], expect: { [id]: request.body?.expect } }
        const outcome = await applyUserAction(deps, signedInHost(request), action, seen)
        const { succeeded, failed, targeted, reachable } = outcome
        if (failed[0]?.code === STATE_CHANGED.code) throw roomChanged(STATE_CHANGED.message, outcome.lastAct)
        if (succeeded.length === 0) throw new AppError('not_found', 'User not found')
        return { success: true as const, message, data: { targeted, reachable } }
      },
    )
  }

const manyUsersRoute =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES)

    app.post(
      '/host/users/bulk/:action',
      {
        schema: api.applyUserAction,
        config: { rateLimit: { max: 300 } },
        preValidation: async (request) => {
          if (!mayAct(signedInHost(request).acts_as, request.params.action)) throw roleNotAllowed()
        },
      },
      async (request) => {
        const { action } = request.params
        const { lastAct: _, ...data } = await applyUserAction(deps, signedInHost(request), action, request.body)
        const { succeeded, failed } = data
        const message = `${succeeded.length} done${failed.length > 0 ? `, ${failed.length} failed` : ''}`
        return { success: true as const, message, data }
      },
    )
  }

const mayAct = (role: HostRole, action: UserAction) => role !== 'moderator' || MODERATOR_ACTIONS.includes(action)
