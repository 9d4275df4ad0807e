import { z } from 'zod'
import type { SoundTrouble } from './messages.ts'

// What Zoom's Client View answers and reports, as far as it is used here.

const UserId = z.number()
const Self = z.object({ userId: UserId, muted: z.boolean().nullish(), audio: z.string().nullish() })
export const CurrentUser = z.object({ result: z.object({ currentUser: Self }) })
export const Attendees = z.object({ result: z.object({ attendeesList: z.array(z.unknown()) }) })
export const Speakers = z.array(z.object({ userId: UserId, userName: z.string() }))
export const Leaving = z.object({ userId: UserId.optional(), reasonCode: z.number().optional() })
/** Zoom's type file calls it status, its program sends meetingStatus. */
export const Status = z
  .object({ status: z.number().optional(), meetingStatus: z.number().optional() })
  .transform(({ status, meetingStatus }) => meetingStatus ?? status)
export const Quality = z.object({ userId: UserId, level: z.number() })
export const Recording = z.object({ status: z.number() })

export const STATUS = { connected: 2, disconnected: 3, reconnecting: 4 }
export const RECORDING_ON = 1
export const LEFT: Record<number, SoundTrouble> = { 1: 'meeting_ended', 6: 'removed' }
/** "The meeting has not started" and "the authorised user is not in it". */
export const HOST_ABSENT = [3008, 4017]
