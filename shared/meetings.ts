import { z } from 'zod'
import { Absentee, Attendance, SittingTimes, SpeakingTime } from './attendance.ts'
import { AuditAction } from './audit.ts'
import { answer, Time } from './envelope.ts'
import { tooLongMessage } from './too-long-message.ts'
import { visibleLines } from './visible.ts'

/** The list has this many meetings at a time, the newest first. */
export const MEETINGS_SHOWN = 30
export const MEETING_NOTE_MAX = 2_000
/** A user arrived late, or left early, when it was by more than this. */
export const PUNCTUAL_SECONDS = 300

/** A meeting that has run or runs, with its numbers. Users with the phone app count, others in Zoom do not. */
export const MeetingSummary = SittingTimes.extend({
  users: z.number().int().describe('How many were online at some time.'),
  peak: z.number().int().describe('The most who were online at one moment.'),
  spoke_seconds: z.number().int().describe('How long users spoke, all of them together.'),
  recordings: z.number().int(),
  acts: z.number().int().describe('How often the host and the assistants acted on the meeting.'),
  note: z.string().nullable(),
})
export type MeetingSummary = z.infer<typeof MeetingSummary>

export const MeetingListQuery = z.object({
  before: Time.optional().describe('Lists meetings that began before this time.'),
})

export const MeetingListAnswer = answer(
  z.object({
    has_zoom: z.boolean(), // a room without Zoom has no meetings
    meetings: z.array(MeetingSummary),
    has_more: z.boolean(),
  }),
)
export type MeetingListAnswer = z.infer<typeof MeetingListAnswer>

/** `late_seconds` and `early_seconds` are null for a user who came in time and stayed. */
export const MeetingVisitor = Attendance.extend({
  late_seconds: z.number().int().nullable(),
  early_seconds: z.number().int().nullable(),
})
export type MeetingVisitor = z.infer<typeof MeetingVisitor>

/** A hand that was still up when its user left or the meeting ended. */
export const UncalledHand = Absentee.extend({ raised_at: Time, waited_seconds: z.number().int() })
export type UncalledHand = z.infer<typeof UncalledHand>

export const MeetingReport = z.object({
  meeting: MeetingSummary,
  users: z.array(MeetingVisitor), // in the order of their arrival
  absent: z.array(Absentee),
  speakers: z.array(SpeakingTime), // the longest first
  hands: z.array(UncalledHand).default([]), // in the order in which they rose; a former server sends none
  acts: z.array(z.object({ action: AuditAction, times: z.number().int() })), // the most frequent first
})
export type MeetingReport = z.infer<typeof MeetingReport>

export const MeetingReportAnswer = answer(MeetingReport)

export const EditMeetingNote = z.object({
  note: z.string().trim().max(MEETING_NOTE_MAX, tooLongMessage(MEETING_NOTE_MAX)).superRefine(visibleLines),
  expect: z
    .object({ note: z.string() })
    .optional()
    .describe('The note that the caller saw. If it is another one by now, nothing is saved: `state_changed`.'),
})
export type EditMeetingNote = z.output<typeof EditMeetingNote>

export const MeetingNoteAnswer = answer(z.object({ note: z.string().nullable() }))
