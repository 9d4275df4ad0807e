import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ById } from '../../../shared/envelope.ts'
import { anita, host, ID, PASSWORD } from '../../../shared/examples.ts'
import {
  CredentialsAnswer,
  CredentialsBody,
  CredentialsOfManyAnswer,
  RevealCredentials,
} from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { revealCredentials, revealCredentialsOfMany } from './credentials.ts'

const tags = ['Room users']
/** Counts passwords, not calls: the cards of a whole room at once, then twenty a minute. */
const REVEALED = {
  name: 'revealed passwords',
  burst: 2_000,
  perSecond: 20 / 60,
  message: 'Too many passwords were shown. Please wait a moment and try again.',
}

/** The only calls that return passwords, which are never stored for a replay. */
export const credentialsRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    const revealed = new TokenBuckets(deps, REVEALED)

    app.post(
      '/host/users/:id/credentials',
      {
        schema: {
          tags,
          operationId: 'revealCredentials',
          summary: "Reveal a user's credentials",
          description:
            'Every use is recorded in the audit log. A host may see 2,000 passwords at once, and 20 a minute after that.',
          params: withExample(ById, { id: ID.anita }),
          body: withExample(CredentialsBody, { purpose: 'copy' }),
          response: {
            200: withExample(CredentialsAnswer, {
              success: true,
              data: { host_id: 'H000001', user_id: 'U000001', username: 'anita', password: PASSWORD },
            }),
          },
        },
        config: { isNeverReplayed: true },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        const host = signedInHost(request)
        revealed.take(host.host_id)
        return {
          success: true as const,
          data: await revealCredentials(deps, host, id, request.body?.purpose, request.ip),
        }
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
          body: withExample(RevealCredentials, { userIds: [ID.anita, ID.master], purpose: 'cards' }),
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
        config: { isNeverReplayed: true },
      },
      async (request) => {
        const host = signedInHost(request)
        const ids = [...new Set(request.body.userIds.map((id) => id.toLowerCase()))]
        revealed.take(host.host_id, ids.length)
        return {
          success: true as const,
          data: await revealCredentialsOfMany(deps, host, { ids, purpose: request.body.purpose }, request.ip),
        }
      },
    )
  }
