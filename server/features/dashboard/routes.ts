import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { listGoLiveChecks } from '../go-live/planned-check.ts'
import { findNextMeeting } from '../planned-meetings/planned-meetings.ts'
import { findRoom } from '../rooms/rooms.ts'
import * as api from './api.ts'
import { appVersions } from './app-versions.ts'
import { readDashboardCharts } from './charts.ts'
import { findFirstSteps } from './first-steps.ts'

export const dashboardRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get('/host/dashboard', { schema: api.getDashboard, config: { rateLimit: { max: 120 } } }, async (request) => {
      const host = signedInHost(request)
      const room = await findRoom(deps, host)
      const live = await deps.rooms.get(host.host_id)
      const recordings = await deps.db
        .selectFrom('recordings')
        .select(sql<number>`count(*)::int`.as('total'))
        .where('room_id', '=', room.room_id)
        .where('file_type', '=', 'M4A')
        .where('trashed_at', 'is', null)
        .executeTakeFirstOrThrow()
      const app_versions = appVersions(live.appVersions())
      const next_meeting = await findNextMeeting(deps, host.host_id)
      const facts = { versions: app_versions, meeting: next_meeting }
      const data = {
        users: live.counts(),
        rooms: { total: 1, active: room.is_active ? 1 : 0 },
        recordings,
        app_versions,
        first_steps: await findFirstSteps(deps, { ...host, room_id: room.room_id }),
        next_meeting,
        go_live: host.acts_as === 'host' ? await listGoLiveChecks(deps, host.host_id, facts) : null,
        room: { name: room.room_name, is_active: room.is_active },
      }
      return { success: true as const, data }
    })

    app.get(
      '/host/dashboard/charts',
      { schema: api.getDashboardCharts, exposeHeadRoute: false, config: { rateLimit: { max: 60 } } },
      async (request) => ({
        success: true as const,
        data: await readDashboardCharts(deps, signedInHost(request), request.query.zone),
      }),
    )
  }
