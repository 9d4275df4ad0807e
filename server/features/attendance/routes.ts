import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { AttendanceAnswer, AttendanceQuery, MeetingsAnswer, MeetingsQuery } from '../../../shared/attendance.ts'
import { anita, ID, ravi } from '../../../shared/examples.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { audit, byHost } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { withExample } from '../../lib/with-example.ts'
import { limitReads } from '../audit/export-limit.ts'
import { allow, ofAccount, signedInHost } from '../auth/guards.ts'
import { listAbsentees, listAttendees, listStays, readPeriod, toStay } from './attendance.ts'
import { attendanceCsv, csvFileName } from './attendance-csv.ts'
import { listMeetings } from './meetings.ts'

/** While a meeting runs, a console asks six times a minute. */
const LIMIT = limitReads(120, (request) => `reads ${ofAccount(request)}`)

const JOINED = '2026-11-20T11:30:00.000Z'
const nameOf = ({ id, user_id, username, reference }: RoomUser) => ({ id, user_id, username, reference })
const Answer = withExample(AttendanceAnswer, {
  success: true,
  data: {
    from: '2026-11-01',
    to: '2026-11-20',
    zone: 'Asia/Kolkata',
    attendance: [{ ...nameOf(anita), first_joined: JOINED, last_left: null, total_seconds: 1800, visits: 1 }],
    absent: [nameOf(ravi)],
    stays: [{ id: ID.anita, user_id: 'U000001', username: 'anita', joined_at: JOINED, left_at: null, seconds: 1800 }],
    stays_total: 1,
  },
})

export const attendanceRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/attendance',
      {
        schema: {
          tags: ['Records'],
          operationId: 'getAttendance',
          summary: 'Get who was online, and for how long',
          description:
            'Days of the time zone, both included, or exact times; 366 days at most, and today if there are none. Counts ' +
            'the time a phone was online within them. `format=csv` returns one table as a file in place of JSON, 20 times ' +
            'a minute; JSON 120 times.',
          querystring: withExample(AttendanceQuery, {
            from: '2026-11-01',
            to: '2026-11-20',
            zone: 'Asia/Kolkata',
            format: 'json',
            table: 'users',
          }),
          response: {
            200: {
              content: {
                'application/json': { schema: Answer },
                'text/csv': { schema: z.custom<Readable>().meta({ type: 'string' }) },
              },
            },
          },
        },
        exposeHeadRoute: false,
        config: LIMIT,
      },
      async (request, reply) => {
        const host = signedInHost(request)
        const { format, table } = request.query
        const period = await readPeriod(deps, host, request.query)
        const { from, to, zone } = period
        if (format === 'csv') {
          await audit(deps, deps.db, {
            ...byHost(host, request.ip),
            action: 'attendance_exported',
            after: { from, to, zone, table },
          })
          return reply
            .type('text/csv; charset=utf-8; header=present')
            .header('content-disposition', `attachment; filename="${csvFileName(period, table)}"`)
            .send(attendanceCsv(deps, period, table))
        }
        const attendance = await listAttendees(deps, period)
        const absent = await listAbsentees(deps, period)
        const stays = await listStays(deps, period, null)
        const stays_total = stays[0]?.total ?? 0
        const data = { from, to, zone, attendance, absent, stays: stays.map(toStay), stays_total }
        return { success: true as const, data }
      },
    )

    app.get(
      '/host/attendance/meetings',
      {
        schema: {
          tags: ['Records'],
          operationId: 'listMeetings',
          summary: "List the meetings of the host's room",
          description:
            'Those that ran in these days, newest first. Its start and end are bounds for the attendance of a meeting.',
          querystring: withExample(MeetingsQuery, { from: '2026-11-01', to: '2026-11-20', zone: 'Asia/Kolkata' }),
          response: {
            200: withExample(MeetingsAnswer, {
              success: true,
              data: {
                has_zoom: true,
                meetings: [{ id: 'Gv0Z2uTHRKyWvb5VEyrX3Q==', started_at: JOINED, ended_at: null }],
              },
            }),
          },
        },
        exposeHeadRoute: false,
        config: { rateLimit: { max: 120 } },
      },
      async (request) => {
        const period = await readPeriod(deps, signedInHost(request), request.query)
        const meetings = await listMeetings(deps, period)
        return { success: true as const, data: { has_zoom: period.has_zoom, meetings } }
      },
    )
  }
