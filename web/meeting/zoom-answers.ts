import { z } from 'zod'
import type { SoundTrouble } from './messages.ts'

// The responses and events of Zoom's Client View, as far as they are used here.

const UserId = z.number()
const Self = z.object({
  userId: UserId,
  muted: z.boolean().nullish(),
  audio: z.string().nullish(),
  isHold: z.boolean().nullish(),
})
export const CurrentUser = z.object({ result: z.object({ currentUser: Self }) })
export const Attendees = z.object({ result: z.object({ attendeesList: z.array(z.unknown()) }) })
export const NetworkQuality = z.object({ userId: UserId, level: z.number() })

/** The progress of joining. Only a host can end these waits. */
export const JOIN_WAITS: Record<number, SoundTrouble | null> = { 4: 'host_absent', 5: null, 6: 'waiting_room', 7: null }

/** Zoom's reasons for the user who leaves. Without one, the connection was lost or the meeting ended. */
export const LEAVE_REASONS: Record<number, SoundTrouble | 'left'> = {
  1: 'meeting_ended', // by this page itself
  2: 'left',
  3: 'left', // from the waiting room
  4: 'left', // before the host arrived
  5: 'left', // to use another device
  6: 'removed',
  7: 'not_admitted',
  8: 'left', // at the disclaimer
}

const HOST_ABSENT = [3008, 4017, 4019] // not started; the authorised user is absent or has left
const OVER = 4004
const REMOVED = 3009
/**
 * Codes that no retry can fix: a wrong or forbidden way to join, a number or signature that Zoom rejects, account
 * rules, a locked meeting, a captcha, an outdated version.
 */
const FINAL = [
  ...[3, 3003, 3004, 3005, 3034, 3082, 3099, 3100, 3116, 3135, 3265],
  ...[3603, 3604, 3606, 3608, 3609, 3610, 3611, 3620, 3623, 3624, 3625, 3630, 3634, 3636],
  ...[3701, 3702, 3703, 3704, 3706, 3707, 3708, 3709, 3710, 3711, 3712, 3713, 3714, 3715],
  ...[4003, 4006, 4007, 4011, 4012, 4013, 4015, 4018, 6603, 10_000, 13_208],
]

/** Maps Zoom's code; null if it gave none. */
export function troubleOfRefusal(code: number | null): SoundTrouble {
  if (code === null) return 'join_failed'
  if (HOST_ABSENT.includes(code)) return 'host_absent'
  if (code === OVER) return 'meeting_ended'
  if (code === REMOVED) return 'removed'
  return FINAL.includes(code) ? 'refused' : 'join_failed'
}
