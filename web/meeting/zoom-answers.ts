import { z } from 'zod'
import type { SoundTrouble } from './messages.ts'

// What Zoom's Client View answers and reports, as far as it is used here.

const UserId = z.number()
const Self = z.object({
  userId: UserId,
  muted: z.boolean().nullish(),
  audio: z.string().nullish(),
  isHold: z.boolean().nullish(),
})
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
/** How far a joining is, of which these are waits that only a host ends. */
export const JoinSpeed = z.object({ level: z.number() })
export const WAITS: Record<number, SoundTrouble | null> = { 4: 'host_absent', 5: null, 6: 'waiting_room', 7: null }

/** The reasons that Zoom's program gives the one who leaves. Without one, the connection is lost, or the meeting over. */
export const LEFT: Record<number, SoundTrouble | 'left'> = {
  1: 'meeting_ended', // by this very page
  2: 'left',
  3: 'left', // the waiting room
  4: 'left', // before the host came
  5: 'left', // for another device
  6: 'removed',
  7: 'not_admitted',
  8: 'left', // at the disclaimer
}

const HOST_ABSENT = [3008, 4017, 4019] // not started; the authorised user is not in it, or has left it
const OVER = 4004
const REMOVED = 3009
/**
 * What no further try heals: a wrong or forbidden kind of joining, a number or signature that Zoom does not take, the
 * account's rules, a locked meeting, a captcha, a version that is too old.
 */
const FINAL = [
  ...[3, 3003, 3004, 3005, 3034, 3082, 3099, 3100, 3116, 3135, 3265],
  ...[3603, 3604, 3606, 3608, 3609, 3610, 3611, 3620, 3623, 3624, 3625, 3630, 3634, 3636],
  ...[3701, 3702, 3703, 3704, 3706, 3707, 3708, 3709, 3710, 3711, 3712, 3713, 3714, 3715],
  ...[4003, 4006, 4007, 4011, 4012, 4013, 4015, 4018, 6603, 10_000, 13_208],
]

/** By Zoom's code; null where it has given none. */
export function troubleOfRefusal(code: number | null): SoundTrouble {
  if (code === null) return 'join_failed'
  if (HOST_ABSENT.includes(code)) return 'host_absent'
  if (code === OVER) return 'meeting_ended'
  if (code === REMOVED) return 'removed'
  return FINAL.includes(code) ? 'refused' : 'join_failed'
}
