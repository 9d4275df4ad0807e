import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ProfileAction } from '../../../shared/hosts.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { countAssistants } from '../assistants/assistants.ts'
import { MAX_FILES } from '../audit/export-limit.ts'
import { filePagesOf } from '../auth/file-pages.ts'
import { actorKeyOf, allow, signedInMaster } from '../auth/guards.ts'
import { deleteHost, restoreHost } from './delete-host.ts'
import { editHost } from './edit-host.ts'
import { findHostAccount, hostFile } from './export-host.ts'
import { findHost, listHosts } from './hosts.ts'
import { integrateHost } from './integrate-host.ts'
import * as api from './master-api.ts'
import { actOnProfile } from './profile-actions.ts'
import { purgeHost } from './purge-host.ts'

const PROFILE_DONE: Record<ProfileAction, string> = {
  activate: 'is active',
  stop: 'is stopped. Its phones cannot sign in until it is activated.',
  logout: 'has its own phone signed out',
  'change-phone': 'can be entered by its host from a new phone',
}

export const masterHostRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get('/admin/hosts', { schema: api.listHosts }, async ({ query }) => ({
      success: true as const,
      data: { hosts: await listHosts(deps, query.deleted) },
    }))

    app.get('/admin/hosts/:id', { schema: api.getHost }, async ({ params }) => {
      const host = await findHost(deps, uuidOr404(params.id, 'Host not found'))
      return { success: true as const, data: { ...host, assistant_count: await countAssistants(deps.db, host.id) } }
    })

    app.post('/admin/hosts/integrate', { schema: api.addHost }, async (request) => {
      const data = await integrateHost(deps, signedInMaster(request), request.body)
      return { success: true as const, message: 'Host account integrated successfully!', data }
    })

    app.put(
      '/admin/hosts/:id',
      { schema: api.editHost, config: { needsConfirmation: setsPassword } },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        const { host: data, isRenamed } = await editHost(deps, signedInMaster(request), id, request.body)
        const haveOtherNames = isRenamed && (await countAssistants(deps.db, id)) > 0
        const names = haveOtherNames ? `. Its assistants sign in as NAME@${data.username} now.` : ''
        return { success: true as const, message: `Host updated successfully${names}`, data }
      },
    )

    app.post('/admin/hosts/:id/profile/:action', { schema: api.actOnHostProfile }, async (request) => {
      const { action } = request.params
      const id = uuidOr404(request.params.id, 'Host not found')
      const by = signedInMaster(request)
      const data = await actOnProfile(deps, by, id, action)
      return { success: true as const, message: `The room of "${data.username}" ${PROFILE_DONE[action]}`, data }
    })

    app.delete('/admin/hosts/:id', { schema: api.deleteHost, config: { needsConfirmation: true } }, async (request) => {
      const id = uuidOr404(request.params.id, 'Host not found')
      const username = await deleteHost(deps, signedInMaster(request), id)
      const message = `Host "${username}" deleted successfully. All associated data has been removed. It can be restored for 30 days.`
      return { success: true as const, message }
    })

    app.post('/admin/hosts/:id/restore', { schema: api.restoreHost }, async (request) => {
      const id = uuidOr404(request.params.id, 'Host not found')
      const data = await restoreHost(deps, signedInMaster(request), id)
      return {
        success: true as const,
        message: `Host "${data.username}" restored. Zoom has to be connected again.`,
        data,
      }
    })

    app.get(
      '/admin/hosts/:id/export',
      {
        schema: api.exportHost,
        exposeHeadRoute: false,
        config: { needsConfirmation: true, rateLimit: { max: MAX_FILES, keyGenerator: actorKeyOf }, turns: 'files' },
      },
      async (request, reply) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        const account = await findHostAccount(deps.db, id)
        await audit(deps, deps.db, signedInMaster(request), { host_id: id, action: 'host_exported', target: id })
        return reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', `attachment; filename="host-${id}.json"`)
          .send(hostFile(deps, filePagesOf(deps, request), account))
      },
    )

    app.post(
      '/admin/hosts/:id/purge',
      { schema: api.purgeHost, config: { needsConfirmation: true } },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        await purgeHost(deps, id, signedInMaster(request))
        return { success: true as const, message: 'The data of this host has been removed for good.' }
      },
    )
  }

/** A blank password keeps the current one. */
const setsPassword = ({ body }: FastifyRequest) => z.object({ password: z.string().min(1) }).safeParse(body).success
