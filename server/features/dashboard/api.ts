import type { FastifySchema } from 'fastify'
import { DashboardAnswer, DashboardChartsAnswer, DashboardChartsQuery } from '../../../shared/dashboard.ts'
import { host, NEXT_MEETING, NOON } from '../../../shared/examples.ts'
import { withExample } from '../../lib/with-example.ts'

export const getDashboard = {
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
        next_meeting: NEXT_MEETING,
        go_live: [{ subject: 'room', tone: 'good', title: 'The room is open', advice: 'Phones may sign in.' }],
        room: { name: host.room_name, is_active: true },
      },
    }),
  },
} satisfies FastifySchema

export const getDashboardCharts = {
  tags: ['Profile'],
  operationId: 'getDashboardCharts',
  summary: 'Get the numbers of the small charts of the dashboard',
  description: 'Users on each of the last 28 days of the zone, and users over the meeting that ended last.',
  querystring: withExample(DashboardChartsQuery, { zone: 'Asia/Kolkata' }),
  response: {
    200: withExample(DashboardChartsAnswer, {
      success: true,
      data: {
        days: [{ day: '2026-11-20', users: 2 }],
        last_meeting: {
          id: 'Gv0Z2uTHRKyWvb5VEyrX3Q==',
          started_at: NOON,
          ended_at: '2026-11-20T12:01:00.000Z',
          presence: {
            came: 2,
            most: 2,
            most_at: NOON,
            step_seconds: 60,
            points: [{ at: NOON, present: 2, joined: 2, left: 1 }],
          },
        },
      },
    }),
  },
} satisfies FastifySchema
