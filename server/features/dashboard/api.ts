import type { FastifySchema } from 'fastify'
import { DashboardAnswer } from '../../../shared/dashboard.ts'
import { host, NEXT_MEETING } from '../../../shared/examples.ts'
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
        room: { name: host.room_name, is_active: true },
      },
    }),
  },
} satisfies FastifySchema
