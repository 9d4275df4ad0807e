import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ById } from '../../../shared/envelope.ts'
import { anita, host, ID, PASSWORD } from '../../../shared/examples.ts'
import { BulkUsers, CredentialsAnswer, CredentialsOfManyAnswer } from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { revealCredentials, revealCredentialsOfMany } from './credentials.ts'

const tags = ['Room users']
const tooMany = 'Too many passwords were shown. Please wait a moment and try again.'

/** The only calls that return passwords. They are never kept to be replayed. */
export const credentialsRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post(
      '/host/users/:id/credentials',
      {
        schema: {
          tags,
          operationId: 'revealCredentials',
          summary: "Reveal a user's credentials",
          description: 'Every use is recorded in the audit log.',
          params: withExample(ById, { id: ID.anita }),
          response: {
            200: withExample(CredentialsAnswer, {
              success: true,
              data: { host_id: 'H000001', user_id: 'U000001', username: 'anita', password: PASSWORD },
            }),
          },
        },
        config: { isNeverReplayed: true, rateLimit: { max: 20 }, tooMany },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        return { success: true as const, data: await revealCredentials(deps, signedInHost(request), id, request.ip) }
      },
    )

    app.post(
      '/host/users/bulk/credentials',
      {
        schema: {
          tags,
          operationId: 'revealCredentialsOfMany',
          summary: 'Reveal the credentials of many users',
          description:
            'For cards to hand out: at most 500 users, each once, in the order of the call. The audit log names all of ' +
            "them. An id of another host's user fails like one that does not exist.",
          body: withExample(BulkUsers, { userIds: [ID.anita, ID.master] }),
          response: {
            200: withExample(CredentialsOfManyAnswer, {
              success: true,
              data: {
                host_id: host.user_id,
                room_name: host.room_name,
                app_title: null,
                credentials: [{ id: ID.anita, user_id: anita.user_id, username: anita.username, password: PASSWORD }],
                failed: [{ id: ID.master, code: 'not_found', message: 'User not found' }],
              },
            }),
          },
        },
        config: { isNeverReplayed: true, rateLimit: { max: 6 }, tooMany },
      },
      async (request) => {
        const { userIds } = request.body
        return {
          success: true as const,
          data: await revealCredentialsOfMany(deps, signedInHost(request), userIds, request.ip),
        }
      },
    )
  }
