import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ById } from '../../../shared/envelope.ts'
import { ID } from '../../../shared/examples.ts'
import {
  ActOnUserBody,
  ActOnUsers,
  BulkAnswer,
  DeliveryAnswer,
  type SeenUser,
  USER_ACTIONS,
  UserAction,
} from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { applyUserAction, CHANGED } from './user-actions.ts'

const ONE = { targeted: 1, reachable: 1 }

const ACTIONS: Record<UserAction, { operationId: string; summary: string; description?: string; message: string }> = {
  activate: { operationId: 'activateUser', summary: 'Allow a user to sign in again', message: 'User activated' },
  deactivate: {
    operationId: 'deactivateUser',
    summary: "Block a user and sign out the user's phone",
    message: 'User deactivated',
  },
  delete: { operationId: 'deleteUser', summary: 'Delete a user permanently', message: 'User deleted' },
  logout: { operationId: 'logoutUser', summary: "Sign out a user's phone", message: 'User signed out' },
  mute: { operationId: 'muteUser', summary: 'Mute a user', message: 'User muted' },
  unmute: {
    operationId: 'unmuteUser',
    summary: 'Unmute a user',
    description: 'Unmutes this one user while the room is muted, until the next Mute All.',
    message: 'User unmuted',
  },
  'lower-hand': {
    operationId: 'lowerHand',
    summary: 'Take a user out of the queue to speak',
    description:
      'The phone receives it as its own `user-speaker-toggle` event, and may ask again. Nothing else changes for it.',
    message: 'Hand lowered',
  },
  switch: {
    operationId: 'switchUser',
    summary: 'Clear the device binding of a user',
    description: 'Signs out the old phone; the status is `C` until a new one has signed in.',
    message: 'Device binding cleared. User can now login from a new phone.',
  },
}

const EXPECTED = '`expect` is what the caller saw of the user: if any of it has changed since, nothing happens.'

const EXAMPLES: Partial<Record<UserAction, SeenUser>> = {
  delete: { username: 'anita', user_id: 'U000001' },
  unmute: { is_muted: true },
  'lower-hand': { wants_to_speak_at: '2026-11-20T12:00:00.000Z' },
  switch: { device_id: null },
}

/** Enough for fast clicks, and a few at once. */
const ACTION_LIMIT = {
  name: 'user actions',
  burst: 20,
  perSecond: 10,
  message: 'Too many requests. Please wait a moment and try again.',
}

export const userActionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    const actions = new TokenBuckets(deps, ACTION_LIMIT)

    for (const action of USER_ACTIONS) {
      const { message, ...words } = ACTIONS[action]
      app.post(
        `/host/users/:id/${action}`,
        {
          schema: {
            tags: ['Room users'],
            ...words,
            description: [words.description, EXPECTED].join(' ').trim(),
            params: withExample(ById, { id: ID.anita }),
            body: withExample(ActOnUserBody, { expect: EXAMPLES[action] ?? {} }),
            response: { 200: withExample(DeliveryAnswer, { success: true, message, data: ONE }) },
            failures: ['state_changed', 'too_many', 'busy'],
          },
          preHandler: async (request) => actions.take(signedInHost(request).host_id),
        },
        async (request) => {
          const id = uuidOr404(request.params.id, 'User not found')
          const { succeeded, failed, targeted, reachable } = await applyUserAction(
            deps,
            signedInHost(request),
            action,
            [id],
            request.ip,
            { [id]: request.body?.expect },
          )
          if (failed[0]?.code === CHANGED.code) throw new AppError(CHANGED.code, CHANGED.message)
          if (succeeded.length === 0) throw new AppError('not_found', 'User not found')
          return { success: true as const, message, data: { targeted, reachable } }
        },
      )
    }

    app.post(
      '/host/users/bulk/:action',
      {
        schema: {
          tags: ['Room users'],
          operationId: 'applyUserAction',
          summary: 'Do the same to many users',
          description:
            "At most 500, each counted once, in one transaction. An id of another host's user fails like one that does " +
            'not exist. One whose `expect` no longer holds fails with `state_changed`, and stays as it is.',
          params: withExample(z.object({ action: UserAction }), { action: 'mute' }),
          body: withExample(ActOnUsers, { userIds: [ID.anita, ID.master] }),
          response: {
            200: withExample(BulkAnswer, {
              success: true,
              message: '1 done, 1 failed',
              data: {
                ...ONE,
                succeeded: [ID.anita],
                failed: [{ id: ID.master, code: 'not_found', message: 'User not found' }],
              },
            }),
          },
          failures: ['busy'],
        },
        config: { rateLimit: { max: 300 } },
      },
      async (request) => {
        const { action } = request.params
        const host = signedInHost(request)
        const { userIds, expect } = request.body
        const data = await applyUserAction(deps, host, action, userIds, request.ip, expect)
        const { succeeded, failed } = data
        const message = `${succeeded.length} done${failed.length > 0 ? `, ${failed.length} failed` : ''}`
        return { success: true as const, message, data }
      },
    )
  }
