import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { limitAuditReads } from '../audit/export-limit.ts'
import { filePagesOf } from '../auth/file-pages.ts'
import { actorKeyOf, allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { readPeriod } from './attendance.ts'
import { attendanceCsv, csvFileName } from './attendance-csv.ts'
import { attendanceJson } from './attendance-json.ts'
import { readCharts } from './charts/charts.ts'
import { listMeetings } from './meetings.ts'

/** While a meeting runs, a console asks six times a minute. */
const LIMIT = limitAuditReads(120, (request) => `reads ${actorKeyOf(request)}`)

export const attendanceRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get(
      '/host/attendance',
      { schema: api.getAttendance, exposeHeadRoute: false, config: LIMIT },
      async (request, reply) => {
        const by = signedInHost(request)
        const { format, table } = request.query
        const period = await readPeriod(deps, by, request.query)
        const { from, to, zone } = period
        if (format === 'csv') {
          await audit(deps, deps.db, by, {
            action: 'attendance_exported',
            after: { from, to, zone, table },
          })
          return reply
            .type('text/csv; charset=utf-8; header=present')
            .header('content-disposition', `attachment; filename="${csvFileName(period, table)}"`)
            .send(attendanceCsv(deps, filePagesOf(deps, request), period, table))
        }
        return reply.type('application/json; charset=utf-8').send(await attendanceJson(deps, period))
      },
    )

    app.get(
      '/host/attendance/charts',
      { schema: api.getAttendanceCharts, exposeHeadRoute: false, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const period = await readPeriod(deps, signedInHost(request), request.query)
        return { success: true as const, data: await readCharts(deps, period) }
      },
    )

    app.get(
      '/host/attendance/meetings',
      { schema: api.listMeetings, exposeHeadRoute: false, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const period = await readPeriod(deps, signedInHost(request), request.query)
        const meetings = await listMeetings(deps, period)
        return { success: true as const, data: { has_zoom: period.has_zoom, meetings } }
      },
    )
  }
