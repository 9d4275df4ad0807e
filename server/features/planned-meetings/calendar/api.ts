import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { Done } from '../../../../shared/envelope.ts'
import { CALENDAR_TOKEN } from '../../../../shared/examples.ts'
import { CalendarLinkAnswer } from '../../../../shared/planned-meetings.ts'
import { withExample } from '../../../lib/with-example.ts'

const CalendarToken = z.object({ token: z.string().max(100) })

export const makeCalendarLink = {
  tags: ['Profile'],
  operationId: 'makeCalendarLink',
  summary: 'Make the link for calendars',
  description:
    "Calendar programs that subscribe to it show the room's planned meetings. It is returned here alone, and replaces the " +
    'link that was made before. Whoever has it can read when the room meets, and its name. It is not kept for a repeat ' +
    'of the call: with the same `Idempotency-Key` that makes no second link, and gets `conflict`.',
  response: {
    200: withExample(CalendarLinkAnswer, {
      success: true,
      data: { url: `https://parley.example/api/calendar/${CALENDAR_TOKEN}.ics` },
    }),
  },
} satisfies FastifySchema

export const removeCalendarLink = {
  tags: ['Profile'],
  operationId: 'removeCalendarLink',
  summary: 'Remove the link for calendars',
  description: 'It is not found from then on. Succeeds too if there is none.',
  response: { 200: withExample(Done, { success: true, message: 'Calendar link removed' }) },
} satisfies FastifySchema

export const readCalendar = {
  tags: ['Profile'],
  operationId: 'readCalendar',
  summary: "Get a room's planned meetings as a calendar",
  description:
    'In the format iCalendar (RFC 5545), for programs that subscribe to it. A link that was removed or replaced is 404, as ' +
    "is one whose room's subscription does not run.",
  callers: 'anyone with the URL',
  params: withExample(CalendarToken, { token: CALENDAR_TOKEN }),
  produces: ['text/calendar'],
  response: { 200: z.string() },
  failures: ['too_many', 'busy'] as const,
} satisfies FastifySchema
