import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ById, Done } from '../../../shared/envelope.ts'
import { host, ID } from '../../../shared/examples.ts'
import { HostAnswer } from '../../../shared/hosts.ts'
import { byMaster } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import { deleteHost, restoreHost } from './delete-host.ts'
import { purgeHost } from './purge-host.ts'

const tags = ['Hosts']
const HostId = withExample(ById, { id: ID.host })
const DeletedHostId = withExample(ById, { id: ID.deletedHost })

export const masterDeletionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.delete(
      '/admin/hosts/:id',
      {
        schema: {
          tags,
          operationId: 'deleteHost',
          summary: 'Delete a host',
          description:
            'Ends its sessions and signs out its phones at once, revokes its Zoom grant and frees its names. Its data is ' +
            'kept for 30 days.',
          params: HostId,
          response: {
            200: withExample(Done, {
              success: true,
              message:
                'Host "stmary" deleted successfully. All associated data has been removed. It can be restored for 30 days.',
            }),
          },
        },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        const username = await deleteHost(deps, signedInMaster(request), id, request.ip)
        const message = `Host "${username}" deleted successfully. All associated data has been removed. It can be restored for 30 days.`
        return { success: true as const, message }
      },
    )

    app.post(
      '/admin/hosts/:id/restore',
      {
        schema: {
          tags,
          operationId: 'restoreHost',
          summary: 'Restore a deleted host',
          description:
            'Within 30 days of the deletion. Its users have to sign in again, and Zoom has to be connected again. Refused ' +
            'if one of its names has been taken since; `errors` says which.',
          params: DeletedHostId,
          response: {
            200: withExample(HostAnswer, {
              success: true,
              message: 'Host "stmary" restored. Zoom has to be connected again.',
              data: host,
            }),
          },
          failures: ['conflict'],
        },
      },
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

    app.post(
      '/admin/hosts/:id/purge',
      {
        schema: {
          tags,
          operationId: 'purgeHost',
          summary: 'Remove the data of a deleted host now',
          description:
            'For erasure requests; otherwise the data is removed 30 days after the deletion. This cannot be undone.',
          params: DeletedHostId,
          response: {
            200: withExample(Done, {
              success: true,
              message: 'The data of this host has been removed for good.',
            }),
          },
          failures: ['conflict'],
        },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        await purgeHost(deps, id, byMaster(signedInMaster(request), request.ip))
        return { success: true as const, message: 'The data of this host has been removed for good.' }
      },
    )
  }
