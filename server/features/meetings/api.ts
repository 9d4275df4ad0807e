import type { FastifySchema } from 'fastify'
import { ById } from '../../../shared/envelope.ts'
import { anita, MEETING, NOON, ravi } from '../../../shared/examples.ts'
import {
  EditMeetingNote,
  MeetingListAnswer,
  MeetingListQuery,
  MeetingNoteAnswer,
  MeetingReportAnswer,
  type MeetingSummary,
} from '../../../shared/meetings.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Records']
const NOTE = 'The second half was about the harvest.'
const meeting: MeetingSummary = {
  id: MEETING.uuid,
  started_at: NOON,
  ended_at: '2026-11-20T13:00:00.000Z',
  users: 1,
  peak: 1,
  spoke_seconds: 95,
  recordings: 1,
  acts: 3,
  note: NOTE,
}
const nameOf = ({ id, user_id, username, reference }: RoomUser) => ({ id, user_id, username, reference })
const ByMeeting = withExample(ById, { id: MEETING.uuid })

export const listPastMeetings = {
  tags,
  operationId: 'listPastMeetings',
  summary: "List the meetings of the host's room with their numbers",
  description:
    'The newest first, 30 at a time; the one that runs is the first. `before` with the start of the last one gets the ' +
    'next ones. Users with the phone app count; others in the Zoom meeting do not.',
  querystring: withExample(MeetingListQuery, { before: '2026-11-21T00:00:00.000Z' }),
  response: {
    200: withExample(MeetingListAnswer, {
      success: true,
      data: { has_zoom: true, meetings: [meeting], has_more: false },
    }),
  },
} satisfies FastifySchema

export const getMeetingReport = {
  tags,
  operationId: 'getMeetingReport',
  summary: 'Get who was in a meeting, who spoke, and what was done',
  description:
    '`late_seconds` is how long after the start a user first came, and `early_seconds` how long before the end the ' +
    'user left for the last time; either is null up to five minutes. `hands` are those that were still up when their ' +
    'users left or the meeting ended, without users who spoke later; a running meeting has only those of users who left.',
  params: ByMeeting,
  response: {
    200: withExample(MeetingReportAnswer, {
      success: true,
      data: {
        meeting,
        users: [
          {
            ...nameOf(anita),
            first_joined: '2026-11-20T12:10:00.000Z',
            last_left: '2026-11-20T12:40:00.000Z',
            total_seconds: 1800,
            visits: 1,
            late_seconds: 600,
            early_seconds: 1200,
          },
        ],
        absent: [nameOf(ravi)],
        speakers: [{ ...nameOf(anita), spoke_seconds: 95 }],
        hands: [{ ...nameOf(anita), raised_at: '2026-11-20T12:31:00.000Z', waited_seconds: 540 }],
        acts: [{ action: 'user_mute', times: 3 }],
      },
    }),
  },
} satisfies FastifySchema

export const editMeetingNote = {
  tags,
  operationId: 'editMeetingNote',
  summary: 'Keep a note with a meeting',
  description: 'An empty note removes it. The note goes with the meeting, once attendance of its age is deleted.',
  params: ByMeeting,
  body: withExample(EditMeetingNote, { note: NOTE, expect: { note: '' } }),
  response: {
    200: withExample(MeetingNoteAnswer, { success: true, message: 'Note saved', data: { note: NOTE } }),
  },
  failures: ['state_changed'],
} satisfies FastifySchema
