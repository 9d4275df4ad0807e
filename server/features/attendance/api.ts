import type { Readable } from 'node:stream'
import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { AttendanceAnswer, AttendanceQuery, MeetingsAnswer, MeetingsQuery } from '../../../shared/attendance.ts'
import { AttendanceChartsAnswer } from '../../../shared/attendance-charts.ts'
import { anita, ID, ravi } from '../../../shared/examples.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { withExample } from '../../lib/with-example.ts'

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
    speakers: [{ ...nameOf(anita), spoke_seconds: 95 }],
    stays: [{ id: ID.anita, user_id: 'U000001', username: 'anita', joined_at: JOINED, left_at: null, seconds: 1800 }],
    stays_total: 1,
  },
})

export const getAttendance = {
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
} satisfies FastifySchema

const Charts = withExample(AttendanceChartsAnswer, {
  success: true,
  data: {
    from: '2026-11-20',
    to: '2026-11-20',
    zone: 'Asia/Kolkata',
    presence: {
      came: 1,
      most: 1,
      most_at: JOINED,
      step_seconds: 60,
      points: [{ at: JOINED, present: 1, joined: 1, left: 0 }],
    },
    days: [{ day: '2026-11-20', users: 1 }],
    lengths: { median_seconds: 1800, bands: [{ from_seconds: 1800, to_seconds: 2700, visits: 1 }] },
    first_timers: [{ ...nameOf(anita), first_joined: JOINED }],
    lapsed: { meetings: 4, users: [{ ...nameOf(ravi), last_joined: null }] },
  },
})

export const getAttendanceCharts = {
  tags: ['Records'],
  operationId: 'getAttendanceCharts',
  summary: 'Get the numbers behind the charts of attendance',
  description:
    'How many users were online over time, for two days at most; how many came each day, for twelve weeks at ' +
    'least; how long visits were; who came for the first time; and who missed the last four meetings that anyone ' +
    'attended. `getAttendance` returns each as a file.',
  querystring: withExample(MeetingsQuery, { from: '2026-11-20', to: '2026-11-20', zone: 'Asia/Kolkata' }),
  response: { 200: Charts },
} satisfies FastifySchema

export const listMeetings = {
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
} satisfies FastifySchema
