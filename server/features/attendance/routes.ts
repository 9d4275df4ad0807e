import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AttendanceAnswer, AttendanceQuery } from '../../../shared/attendance.ts'
import { audit, byHost } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { askedPeriod, someStays, stayOf, whoCame, whoStayedAway } from './attendance.ts'
import { attendanceCsv, csvFileName } from './attendance-csv.ts'

export const attendanceRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/attendance',
      { schema: { querystring: AttendanceQuery }, exposeHeadRoute: false },
      async (request, reply) => {
        const host = signedInHost(request)
        const { format, table } = request.query
        const period = await askedPeriod(deps, host, request.query)
        const { from, to } = period
        if (format === 'csv') {
          await audit(deps, deps.db, {
            ...byHost(host, request.ip),
            action: 'attendance_exported',
            after: { from, to, table },
          })
          return reply
            .type('text/csv; charset=utf-8; header=present')
            .header('content-disposition', `attachment; filename="${csvFileName(period, table)}"`)
            .send(attendanceCsv(deps, period, table))
        }
        const attendance = await whoCame(deps, period)
        const absent = await whoStayedAway(deps, period)
        const stays = await someStays(deps, period, null)
        const stays_total = stays[0]?.total ?? 0
        const data = { from, to, attendance, absent, stays: stays.map(stayOf), stays_total }
        return AttendanceAnswer.parse({ success: true, data }) // by hand: the route's schema would be the file's too
      },
    )
  }
