import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { addAssistant, editAssistant, inviteAssistant, listAssistants, removeAssistant } from './assistants.ts'

const NOT_FOUND = 'Assistant not found'

/** The answer holds a link, so that it is not kept. */
const LINK = {
  needsConfirmation: true as const,
  keepsNoAnswer: true,
  rateLimit: { max: 60 },
  tooMany: 'Too many links were made. Please wait a moment and try again.',
}

export const assistantRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get('/host/assistants', { schema: api.listAssistants, exposeHeadRoute: false }, async (request) => {
      const assistants = await listAssistants(deps.db, signedInHost(request).host_id, deps.now())
      return { success: true as const, data: { assistants } }
    })

    app.post('/host/assistants', { schema: api.addAssistant, config: LINK }, async (request, reply) => {
      const { expires_at, ...added } = await addAssistant(deps, signedInHost(request), request.body)
      noStore(reply)
      return { success: true as const, data: { ...added, expires_at: expires_at.toISOString() } }
    })

    app.put(
      '/host/assistants/:id',
      { schema: api.editAssistant, config: { needsConfirmation: true } },
      async (request) => {
        const id = uuidOr404(request.params.id, NOT_FOUND)
        const assistant = await editAssistant(deps, signedInHost(request), id, request.body)
        return { success: true as const, data: { assistant } }
      },
    )

    app.post(
      '/host/assistants/:id/invite-link',
      { schema: api.inviteAssistant, config: LINK },
      async (request, reply) => {
        const id = uuidOr404(request.params.id, NOT_FOUND)
        const removes = request.body?.remove_second_factor ?? false
        const { url, expires_at } = await inviteAssistant(deps, signedInHost(request), id, removes)
        noStore(reply)
        return { success: true as const, data: { url, expires_at: expires_at.toISOString() } }
      },
    )

    app.delete(
      '/host/assistants/:id',
      { schema: api.removeAssistant, config: { needsConfirmation: true } },
      async (request) => {
        await removeAssistant(deps, signedInHost(request), uuidOr404(request.params.id, NOT_FOUND))
        return { success: true as const, message: 'Assistant removed' }
      },
    )
  }

const noStore = (reply: FastifyReply) => void reply.header('cache-control', 'no-store')
