import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { DashboardAnswer } from '../../../shared/dashboard.ts'
import { host } from '../../../shared/examples.ts'
import type { Deps } from '../../deps.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { findRoom } from '../rooms/rooms.ts'
import { appVersions } from './app-versions.ts'
import { findFirstSteps } from './first-steps.ts'

export const dashboardRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/dashboard',
      {
        schema: {
          tags: ['Profile'],
          operationId: 'getDashboard',
          summary: 'Get the numbers of the dashboard',
          response: {
            200: withExample(DashboardAnswer, {
              success: true,
              data: {
                users: { total: 2, online: 1 },
                rooms: { total: 1, active: 1 },
                recordings: { total: 1 },
                app_versions: { newest: '2.4.1', older: 1 },
                first_steps: { has_users: true, has_sent_logins: false },
                room: { name: host.room_name, is_active: true },
              },
            }),
          },
        },
        config: { rateLimit: { max: 120 } },
      },
      async (request) => {
        const host = signedInHost(request)
        const room = await findRoom(deps, host)
        const live = await deps.rooms.of(host.host_id)
        const recordings = await deps.db
          .selectFrom('recordings')
          .select(sql<number>`count(*)::int`.as('total'))
          .where('room_id', '=', room.room_id)
          .where('file_type', '=', 'M4A')
          .where('trashed_at', 'is', null)
          .executeTakeFirstOrThrow()
        const data = {
          users: live.counts(),
          rooms: { total: 1, active: room.is_active ? 1 : 0 },
          recordings,
          app_versions: appVersions(live.appVersions()),
          first_steps: await findFirstSteps(deps, { ...host, room_id: room.room_id }),
          room: { name: room.room_name, is_active: room.is_active },
        }
        return { success: true as const, data }
      },
    )
  }
