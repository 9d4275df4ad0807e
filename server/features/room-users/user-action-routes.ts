import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ById } from '../../../shared/envelope.ts'
import { ID } from '../../../shared/examples.ts'
import {
  BulkAnswer,
  BulkUsers,
  CleanupAnswer,
  DeliveryAnswer,
  MuteAllBody,
  UnmuteBody,
  USER_ACTIONS,
  UserAction,
} from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { muteAll } from './mute-all.ts'
import { applyUserAction } from './user-actions.ts'

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
    description:
      'Unmutes this one user while the room is muted, until the next Mute All. `expect` is the state that the caller ' +
      'saw: if it has changed since, nothing happens.',
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

/** As fast as a person clicks, and a few at once. */
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
      const isUnmute = action === 'unmute'
      app.post(
        `/host/users/:id/${action}`,
        {
          schema: {
            tags: ['Room users'],
            ...words,
            params: withExample(ById, { id: ID.anita }),
            ...(isUnmute && { body: withExample(UnmuteBody, { expect: { is_muted: true } }) }),
            response: { 200: withExample(DeliveryAnswer, { success: true, message, data: ONE }) },
            failures: [...(isUnmute ? ['state_changed' as const] : []), 'too_many', 'busy'],
          },
          preHandler: async (request) => actions.take(signedInHost(request).host_id),
        },
        async (request) => {
          const id = uuidOr404(request.params.id, 'User not found')
          const expect = isUnmute ? UnmuteBody.parse(request.body)?.expect : undefined
          const { succeeded, targeted, reachable } = await applyUserAction(
            deps,
            signedInHost(request),
            action,
            [id],
            request.ip,
            expect,
          )
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
            'not exist.',
          params: withExample(z.object({ action: UserAction }), { action: 'mute' }),
          body: withExample(BulkUsers, { userIds: [ID.anita, ID.master] }),
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
        const data = await applyUserAction(deps, host, action, request.body.userIds, request.ip)
        const { succeeded, failed } = data
        const message = `${succeeded.length} done${failed.length > 0 ? `, ${failed.length} failed` : ''}`
        return { success: true as const, message, data }
      },
    )

    app.post(
      '/host/trigger-bulk-mute/:action',
      {
        schema: {
          tags: ['Live control'],
          operationId: 'muteAll',
          summary: 'Mute or unmute the whole room',
          description:
            "Sets or clears the room's flag and the mute of every user, including later arrivals. `targeted` counts " +
            'the phones it is for, `reachable` those that answer and have an open stream. With `except`, these users are ' +
            'left as they are, in the same act: who is speaking is not cut off. One of them who is muted stays muted.',
          params: withExample(z.object({ action: z.enum(['mute', 'unmute']) }), { action: 'mute' }),
          body: withExample(MuteAllBody, { except: [ID.anita] }),
          response: {
            200: withExample(DeliveryAnswer, {
              success: true,
              message: 'All users muted',
              data: { targeted: 2, reachable: 1 },
            }),
          },
          failures: ['busy'],
        },
      },
      async (request) => {
        const active = request.params.action === 'mute'
        const except = active ? request.body?.except : undefined
        const data = await muteAll(deps, signedInHost(request), { active, except }, request.ip)
        return { success: true as const, message: active ? 'All users muted' : 'All users unmuted', data }
      },
    )

    app.post(
      '/host/cleanup-stale-users',
      {
        schema: {
          tags: ['Live control'],
          operationId: 'cleanUpStaleUsers',
          summary: 'Set users offline whose phones have stopped sending',
          description: 'This also happens automatically after 30 s; a second call finds nothing left to do.',
          response: { 200: withExample(CleanupAnswer, { success: true, cleanedUsers: 0 }) },
        },
        config: { rateLimit: { max: 120 } },
      },
      async (request) => {
        const { host_id } = signedInHost(request)
        const room = await deps.rooms.of(host_id)
        return { success: true as const, cleanedUsers: await room.sweep() }
      },
    )
  }
