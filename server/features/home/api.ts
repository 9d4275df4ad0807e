import type { FastifySchema } from 'fastify'
import { host, NOON } from '../../../shared/examples.ts'
import { HomeAnswer, ONLINE_STEP_SECONDS } from '../../../shared/home.ts'
import { withExample } from '../../lib/with-example.ts'

export const getHome = {
  tags: ['Operation'],
  operationId: 'getHome',
  summary: 'Get what goes on in all rooms, and what a master should look at',
  description:
    'Counts the users online in all rooms over the last 24 hours, the rooms that are live now, the renewals within a ' +
    'week, the hosts whose Zoom account or whose recordings need attention, and the calls that failed at Zoom in ' +
    'each of the last 24 hours. Names no user of a room.',
  response: {
    200: withExample(HomeAnswer, {
      success: true,
      data: {
        rooms: {
          live: 1,
          meetings: 1,
          users: 2,
          busiest: [
            { host_id: host.id, host_name: host.username, room_name: host.room_name, users: 2, has_meeting: true },
          ],
        },
        renewals: { ending: 1, ended: 0 },
        zoom_in_trouble: 0,
        unarchived: { recordings: 1, hosts: 1 },
        online: {
          step_seconds: ONLINE_STEP_SECONDS,
          most: 2,
          most_at: NOON,
          points: [{ at: NOON, users: 2 }],
        },
        zoom_errors: [{ at: NOON, unanswered: 1, limited: 0, refused: 0, disconnected: 0 }],
      },
    }),
  },
} satisfies FastifySchema
