import type { FastifySchema } from 'fastify'
import { ById, Done } from '../../../shared/envelope.ts'
import { ID, NEXT_MEETING, NOON, plannedMeeting } from '../../../shared/examples.ts'
import {
  EditPlannedMeeting,
  PlanMeeting,
  PlannedMeetingAnswer,
  PlannedMeetingsAnswer,
  RemovePlannedMeeting,
} from '../../../shared/planned-meetings.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Profile']
const { id: _id, updated_at, next: _next, moved: _moved, ...times } = plannedMeeting
const OneMeeting = withExample(ById, { id: ID.plannedMeeting })
const ONE = withExample(PlannedMeetingAnswer, {
  success: true,
  message: 'Meeting planned',
  data: { planned_meeting: plannedMeeting },
})

export const listPlannedMeetings = {
  tags,
  operationId: 'listPlannedMeetings',
  summary: "List the room's planned meetings",
  description: 'By their next meeting. One that is over stays for a week. Nothing is planned at Zoom.',
  response: {
    200: withExample(PlannedMeetingsAnswer, {
      success: true,
      data: { planned_meetings: [plannedMeeting], next_meeting: NEXT_MEETING, calendar_link_made_at: NOON },
    }),
  },
} satisfies FastifySchema

export const planMeeting = {
  tags,
  operationId: 'planMeeting',
  summary: 'Plan a meeting, once or weekly',
  description: 'A room has at most 20. It keeps its hour in its time zone where the clocks change.',
  body: withExample(PlanMeeting, times),
  response: { 200: ONE },
  failures: ['conflict', 'too_many'],
} satisfies FastifySchema

export const editPlannedMeeting = {
  tags,
  operationId: 'editPlannedMeeting',
  summary: 'Change a planned meeting',
  description: 'All of it is replaced. With `expect`, nothing is saved if it has changed since.',
  params: OneMeeting,
  body: withExample(EditPlannedMeeting, { ...times, minutes: 60 }),
  response: { 200: ONE },
  failures: ['state_changed', 'too_many'],
} satisfies FastifySchema

export const removePlannedMeeting = {
  tags,
  operationId: 'removePlannedMeeting',
  summary: 'Remove a planned meeting',
  description: 'With `expect`, nothing is removed if it has changed since.',
  params: OneMeeting,
  body: withExample(RemovePlannedMeeting, { expect: { updated_at } }),
  response: { 200: withExample(Done, { success: true, message: 'Planned meeting removed' }) },
  failures: ['state_changed'],
} satisfies FastifySchema
