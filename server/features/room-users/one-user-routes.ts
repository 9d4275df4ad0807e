import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ById } from '../../../shared/envelope.ts'
import { anita, ID } from '../../../shared/examples.ts'
import { RoomUserAnswer } from '../../../shared/room-users.ts'
import { UserHistoryAnswer, UserHistoryQuery } from '../../../shared/user-history.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { readUserHistory } from './user-history.ts'

const JOINED = '2026-11-20T11:30:00.000Z'

export const oneUserRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/users/:id',
      {
        schema: {
          tags: ['Room users'],
          operationId: 'getUser',
          summary: 'Get one user',
          description: 'As in the list, with the live state. Does not keep an idle session alive.',
          params: withExample(ById, { id: ID.anita }),
          response: { 200: withExample(RoomUserAnswer, { success: true, data: { user: anita } }) },
        },
        exposeHeadRoute: false,
        config: { background: true },
      },
      (request) =>
        deps.rooms.useUpToDate(signedInHost(request).host_id, async (room) => {
          const user = room.user(uuidOr404(request.params.id, 'User not found'))
          if (!user) throw new AppError('not_found', 'User not found')
          return { success: true as const, data: { user } }
        }),
    )

    app.get(
      '/host/users/:id/history',
      {
        schema: {
          tags: ['Room users'],
          operationId: 'getUserHistory',
          summary: 'Get when a user was online',
          description:
            'Stays newest first. `next` is the `before` of the next page; `visits` and `total_seconds` count all of ' +
            'them. What the user did, and what was done to it, is in the audit log: `GET /host/audit?user=`.',
          params: withExample(ById, { id: ID.anita }),
          querystring: withExample(UserHistoryQuery, { before: '2030-01-01T00:00:00.000Z', limit: 20 }),
          response: {
            200: withExample(UserHistoryAnswer, {
              success: true,
              data: {
                created_at: '2026-03-01T09:30:00.000Z',
                device_bound_at: '2026-03-02T18:00:00.000Z',
                visits: 41,
                total_seconds: 147_600,
                stays: [{ joined_at: JOINED, left_at: null, seconds: 1800 }],
                next: JOINED,
              },
            }),
          },
        },
        exposeHeadRoute: false,
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        return { success: true as const, data: await readUserHistory(deps, signedInHost(request), id, request.query) }
      },
    )
  }
