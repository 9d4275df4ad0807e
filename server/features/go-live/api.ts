import type { FastifySchema } from 'fastify'
import { NEXT_MEETING } from '../../../shared/examples.ts'
import { PlannedCheckAnswer } from '../../../shared/go-live.ts'
import { withExample } from '../../lib/with-example.ts'

export const getPlannedCheck = {
  tags: ['Profile'],
  operationId: 'getPlannedCheck',
  summary: 'Get the check of the planned meeting that is about to begin',
  description:
    'A planned meeting is checked 15 minutes before it begins. What is in the way is found at each call. A moderator gets what is wrong with the room and with Zoom.',
  response: {
    200: withExample(PlannedCheckAnswer, {
      success: true,
      data: {
        check: {
          ...NEXT_MEETING,
          checked_at: '2026-12-01T18:15:00.000Z',
          problems: [
            {
              subject: 'room',
              tone: 'bad',
              title: 'The room is stopped',
              advice: 'No phone can sign in. Activate it (A) on Host Master.',
              link: { to: '/host/host-master', label: 'Host Master' },
            },
          ],
        },
      },
    }),
  },
} satisfies FastifySchema
