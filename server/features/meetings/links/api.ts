import type { FastifySchema } from 'fastify'
import { ById, Done } from '../../../../shared/envelope.ts'
import { anita, ID, MEETING, NOON, REPORT_TOKEN } from '../../../../shared/examples.ts'
import {
  MakeReportLink,
  NewReportLinkAnswer,
  OpenReportLink,
  type ReportLink,
  ReportLinksAnswer,
  SharedReportAnswer,
} from '../../../../shared/report-links.ts'
import { withExample } from '../../../lib/with-example.ts'

const tags = ['Records']
const ByMeeting = withExample(ById, { id: MEETING.uuid })
const link: ReportLink = {
  id: ID.reportLink,
  made_by: 'Maria',
  with_note: false,
  created_at: '2026-11-20T14:00:00.000Z',
  expires_at: '2026-11-27T14:00:00.000Z',
}
const { username } = anita

export const listReportLinks = {
  tags,
  operationId: 'listReportLinks',
  summary: "List the open links to a meeting's report",
  params: ByMeeting,
  response: { 200: withExample(ReportLinksAnswer, { success: true, data: { links: [link] } }) },
} satisfies FastifySchema

export const makeReportLink = {
  tags,
  operationId: 'makeReportLink',
  summary: "Make a link to a meeting's report that ends",
  description:
    'Anyone who has the link reads the report, with the names of the users, until it ends. It is returned here alone. A ' +
    'room has at most 20 open links, and a running meeting none: `conflict`. It is not kept for a repeat of the call.',
  params: ByMeeting,
  body: withExample(MakeReportLink, { days: 7, with_note: false }),
  response: {
    200: withExample(NewReportLinkAnswer, {
      success: true,
      data: { url: `https://parley.example/report#${REPORT_TOKEN}`, link },
    }),
  },
  failures: ['conflict'],
} satisfies FastifySchema

export const endReportLink = {
  tags,
  operationId: 'endReportLink',
  summary: 'End a link to a report',
  description: 'It does not work from then on.',
  params: withExample(ById, { id: ID.reportLink }),
  response: { 200: withExample(Done, { success: true, message: 'The link has ended' }) },
} satisfies FastifySchema

export const openReportLink = {
  tags,
  operationId: 'openReportLink',
  summary: "Read a meeting's report by a link",
  description:
    'Without ids, references, accounts and the log. It may be a minute old. A link that has ended, never was, or belongs to a host without a running ' +
    'subscription gets the same `link_invalid`.',
  callers: 'anyone with the link',
  body: withExample(OpenReportLink, { token: REPORT_TOKEN }),
  response: {
    200: withExample(SharedReportAnswer, {
      success: true,
      data: {
        room_name: 'Morning room',
        expires_at: link.expires_at,
        meeting: {
          ...{ started_at: NOON, ended_at: '2026-11-20T13:00:00.000Z', users: 1, peak: 1 },
          ...{ spoke_seconds: 95, recordings: 1, note: null },
        },
        users: [
          {
            ...{ username, first_joined: '2026-11-20T12:10:00.000Z', last_left: '2026-11-20T12:40:00.000Z' },
            ...{ total_seconds: 1800, late_seconds: 600, early_seconds: 1200 },
          },
        ],
        absent: [],
        speakers: [{ username, spoke_seconds: 95 }],
        hands: [{ username, raised_at: '2026-11-20T12:31:00.000Z', waited_seconds: 540 }],
      },
    }),
  },
  failures: ['link_invalid', 'too_many', 'busy'],
} satisfies FastifySchema
