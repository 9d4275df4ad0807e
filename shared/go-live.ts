import { z } from 'zod'
import { answer, Time } from './envelope.ts'
import { NextMeeting } from './planned-meetings.ts'

/** A meeting needs all of these. They are listed in this order. */
export const GoLiveSubject = z.enum(['room', 'zoom', 'recording', 'storage', 'subscription', 'phones'])
export type GoLiveSubject = z.infer<typeof GoLiveSubject>

export const GoLiveCheck = z.object({
  subject: GoLiveSubject,
  tone: z.enum(['good', 'warn', 'bad']).describe('`bad` is in the way of a meeting; `warn` deserves a look.'),
  title: z.string(),
  advice: z.string().describe('The remedy, or a detail worth knowing; may be empty.'),
  link: z.object({ to: z.string(), label: z.string() }).optional().describe('The page that offers the remedy.'),
})
export type GoLiveCheck = z.infer<typeof GoLiveCheck>

/** The check of a planned meeting that is about to begin. */
export const PlannedCheck = NextMeeting.extend({
  checked_at: Time.describe('Time of the last check; while something is in the way, there is one each minute.'),
  problems: z.array(GoLiveCheck).describe('What is in the way now; empty if nothing is.'),
})
export type PlannedCheck = z.infer<typeof PlannedCheck>

export const PlannedCheckAnswer = answer(
  z.object({
    check: PlannedCheck.nullable().describe('Null before the check, and once the meeting has begun.'),
  }),
)
