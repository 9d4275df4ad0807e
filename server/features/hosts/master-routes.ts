import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ById, Done } from '../../../shared/envelope.ts'
import {
  EditHost,
  HostAnswer,
  HostProfileAction,
  HostsAnswer,
  IntegrateHost,
  type ProfileAction,
} from '../../../shared/hosts.ts'
import { byMaster } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import { deleteHost, restoreHost } from './delete-host.ts'
import { editHost } from './edit-host.ts'
import { findHost, listHosts } from './hosts.ts'
import { integrateHost } from './integrate-host.ts'
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

    app.get(
      '/admin/hosts',
      { schema: { querystring: z.object({ deleted: z.stringbool().default(false) }), response: { 200: HostsAnswer } } },
      async ({ query }) => ({ success: true as const, data: { hosts: await listHosts(deps, query.deleted) } }),
    )

    app.get('/admin/hosts/:id', { schema: { params: ById, response: { 200: HostAnswer } } }, async ({ params }) => ({
      success: true as const,
      data: await findHost(deps, uuidOr404(params.id, 'Host not found')),
    }))

    app.post(
      '/admin/hosts/integrate',
      { schema: { body: IntegrateHost, response: { 200: HostAnswer } } },
      async (request) => {
        const data = await integrateHost(deps, signedInMaster(request), request.body, request.ip)
        return { success: true as const, message: 'Host account integrated successfully!', data }
      },
    )

    app.put(
      '/admin/hosts/:id',
      { schema: { params: ById, body: EditHost, response: { 200: HostAnswer } } },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        const data = await editHost(deps, signedInMaster(request), id, request.body, request.ip)
        return { success: true as const, message: 'Host updated successfully', data }
      },
    )

    app.post(
      '/admin/hosts/:id/profile/:action',
      { schema: { params: HostProfileAction, response: { 200: HostAnswer } } },
      async (request) => {
        const { action } = request.params
        const id = uuidOr404(request.params.id, 'Host not found')
        const by = byMaster(signedInMaster(request).master_id, request.ip)
        const data = await actOnProfile(deps, by, id, action)
        return { success: true as const, message: `The room of "${data.username}" ${PROFILE_DONE[action]}`, data }
      },
    )

    app.delete('/admin/hosts/:id', { schema: { params: ById, response: { 200: Done } } }, async (request) => {
      const id = uuidOr404(request.params.id, 'Host not found')
      const username = await deleteHost(deps, signedInMaster(request), id, request.ip)
      const message = `Host "${username}" deleted successfully. All associated data has been removed.`
      return { success: true as const, message }
    })

    app.post(
      '/admin/hosts/:id/restore',
      { schema: { params: ById, response: { 200: HostAnswer } } },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        const data = await restoreHost(deps, signedInMaster(request), id, request.ip)
        return {
          success: true as const,
          message: `Host "${data.username}" restored. Zoom has to be connected again.`,
          data,
        }
      },
    )

    app.post('/admin/hosts/:id/purge', { schema: { params: ById, response: { 200: Done } } }, async (request) => {
      const id = uuidOr404(request.params.id, 'Host not found')
      await purgeHost(deps, id, byMaster(signedInMaster(request).master_id, request.ip))
      return { success: true as const, message: 'The data of this host has been removed for good.' }
    })
  }
