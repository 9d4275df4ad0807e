import { z } from 'zod'
import { answer, Time } from './envelope.ts'
import { MeetingReport } from './meetings.ts'
import { tooLongMessage } from './too-long-message.ts'

export const REPORT_LINK_DAYS = [1, 7, 30] as const
/** A room has at most this many open links. */
export const REPORT_LINKS_MAX = 20

export const MakeReportLink = z.object({
  days: z.literal([...REPORT_LINK_DAYS], 'Choose 1, 7 or 30 days'),
  with_note: z.boolean().default(false).describe("Whether the link shows the host's note too."),
})
export type MakeReportLink = z.output<typeof MakeReportLink>

/** An open link to a report. Its URL cannot be shown again. */
export const ReportLink = z.object({
  id: z.string(),
  made_by: z
    .string()
    .nullable()
    .describe('The name of its maker; null for the host, and for an assistant who is gone.'),
  with_note: z.boolean(),
  created_at: Time,
  expires_at: Time,
})
export type ReportLink = z.infer<typeof ReportLink>

export const ReportLinksAnswer = answer(z.object({ links: z.array(ReportLink) }))
export const NewReportLinkAnswer = answer(z.object({ url: z.string(), link: ReportLink }))
export type NewReportLink = z.infer<typeof NewReportLinkAnswer>['data']

/** `token` is the part after `#` in the URL. */
export const OpenReportLink = z.object({
  token: z.string('The link is required').min(1, 'The link is required').max(128, tooLongMessage(128)),
})

const { meeting, users, speakers, hands } = MeetingReport.shape
const username = { username: true } as const

/** A report without ids, references and accounts: users have their names alone. */
export const SharedReport = z.object({
  room_name: z.string(),
  expires_at: Time,
  meeting: meeting.omit({ id: true, acts: true }),
  users: z.array(
    users.element.pick({
      ...username,
      ...{ first_joined: true, last_left: true, total_seconds: true, late_seconds: true, early_seconds: true },
    }),
  ),
  absent: z.array(MeetingReport.shape.absent.element.pick(username)),
  speakers: z.array(speakers.element.pick({ ...username, spoke_seconds: true })),
  hands: z.array(hands.unwrap().element.pick({ ...username, raised_at: true, waited_seconds: true })),
})
export type SharedReport = z.infer<typeof SharedReport>

export const SharedReportAnswer = answer(SharedReport)
