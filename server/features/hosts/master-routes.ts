import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ById } from '../../../shared/envelope.ts'
import { host, ID, newHost, OAUTH_RESULT, PASSWORD } from '../../../shared/examples.ts'
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
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import { editHost } from './edit-host.ts'
import { findHost, listHosts } from './hosts.ts'
import { integrateHost } from './integrate-host.ts'
import { actOnProfile } from './profile-actions.ts'

const HostsQuery = z.object({
  deleted: z.stringbool().default(false).describe('True lists the deleted hosts that can still be restored.'),
})

const tags = ['Hosts']
const HostId = withExample(ById, { id: ID.host })

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
      {
        schema: {
          tags,
          operationId: 'listHosts',
          summary: 'List all hosts',
          querystring: withExample(HostsQuery, { deleted: 'false' }),
          response: { 200: withExample(HostsAnswer, { success: true, data: { hosts: [host] } }) },
        },
      },
      async ({ query }) => ({ success: true as const, data: { hosts: await listHosts(deps, query.deleted) } }),
    )

    app.get(
      '/admin/hosts/:id',
      {
        schema: {
          tags,
          operationId: 'getHost',
          summary: 'Get one host',
          params: HostId,
          response: { 200: withExample(HostAnswer, { success: true, data: host }) },
        },
      },
      async ({ params }) => ({
        success: true as const,
        data: await findHost(deps, uuidOr404(params.id, 'Host not found')),
      }),
    )

    app.post(
      '/admin/hosts/integrate',
      {
        schema: {
          tags,
          operationId: 'addHost',
          summary: 'Create a host with its room',
          description:
            'Names are compared without regard to case and Unicode form. A blank `room_name` becomes `ROOM-` and the ' +
            "host's number. `oauth_result_id` connects the Zoom account that consented; it can be claimed once, by the " +
            'master who began it, for the same e-mail. `zoom_oauth_data` is accepted and ignored.',
          body: withExample(IntegrateHost, {
            email: newHost.email,
            password: PASSWORD,
            username: newHost.username,
            room_name: newHost.room_name,
            recording_enabled: true,
            mobile: newHost.mobile,
            storage_limit_gb: 5,
            subscription_type: 12,
            oauth_result_id: OAUTH_RESULT,
          }),
          response: {
            200: withExample(HostAnswer, {
              success: true,
              message: 'Host account integrated successfully!',
              data: newHost,
            }),
          },
          failures: ['conflict', 'not_found', 'too_many', 'busy'],
        },
      },
      async (request) => {
        const data = await integrateHost(deps, signedInMaster(request), request.body, request.ip)
        return { success: true as const, message: 'Host account integrated successfully!', data }
      },
    )

    app.put(
      '/admin/hosts/:id',
      {
        schema: {
          tags,
          operationId: 'editHost',
          summary: 'Edit a host',
          description:
            'Only the given fields change. A blank password keeps the current one; a new password ends all earlier ' +
            'sessions. An empty `zoom_user_email` revokes the Zoom grant. An end date without a time means its last second ' +
            'in UTC; `subscription_action` and `subscription_months` record in the history where the dates came from. ' +
            'With `expect`, nothing is saved if someone has changed the host since.',
          params: HostId,
          body: withExample(EditHost, {
            username: host.username,
            email: host.email,
            mobile: host.mobile,
            storage_limit_gb: 10,
            zoom_user_email: host.zoom_user_email,
            password: '',
            subscription_start_date: '2026-03-01',
            subscription_end_date: '2027-03-01',
            subscription_status: 'active',
            subscription_action: 'extend',
            subscription_months: 12,
            room_name: host.room_name,
            recording_enabled: true,
          }),
          response: {
            200: withExample(HostAnswer, {
              success: true,
              message: 'Host updated successfully',
              data: { ...host, storage_limit_gb: 10 },
            }),
          },
          failures: ['conflict', 'state_changed', 'too_many', 'busy'],
        },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        const data = await editHost(deps, signedInMaster(request), id, request.body, request.ip)
        return { success: true as const, message: 'Host updated successfully', data }
      },
    )

    app.post(
      '/admin/hosts/:id/profile/:action',
      {
        schema: {
          tags,
          operationId: 'actOnHostProfile',
          summary: "Stop or activate a host's room, or sign out the host's phone",
          description:
            '`stop` signs out every phone of the room and refuses new ones, `activate` reverses it. `change-phone` clears ' +
            "the device binding of the host's own phone and signs it out, `logout` only signs it out.",
          params: withExample(HostProfileAction, { id: ID.host, action: 'stop' }),
          response: {
            200: withExample(HostAnswer, {
              success: true,
              message: 'The room of "stmary" is stopped. Its phones cannot sign in until it is activated.',
              data: host,
            }),
          },
          failures: ['busy'],
        },
      },
      async (request) => {
        const { action } = request.params
        const id = uuidOr404(request.params.id, 'Host not found')
        const by = byMaster(signedInMaster(request), request.ip)
        const data = await actOnProfile(deps, by, id, action)
        return { success: true as const, message: `The room of "${data.username}" ${PROFILE_DONE[action]}`, data }
      },
    )
  }
