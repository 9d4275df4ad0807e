import { z } from 'zod'
import type { SeatPowers, SeenAttendee } from '../../shared/seat.ts'
import type { SeatTrouble } from './messages.ts'
import type { SeatEnd } from './seat-driver.ts'

// The people, refusals and reasons of Zoom's Client View, as far as a seat uses them. Nothing else of a person is read.

/** Zoom leaves fields out, or sends null or an empty text for no. */
const Flag = z.unknown().transform(Boolean)
const Text = z.string().nullish().catch(null)

export const MeetingUser = z.object({
  userId: z.int().min(0),
  userName: Text,
  muted: z.boolean().nullish().catch(null),
  audio: z.enum(['', 'computer', 'phone']).catch(''),
  isHost: Flag,
  isCoHost: Flag,
  isGuest: Flag,
  isHold: Flag,
  participantUUID: Text,
  customerKey: Text,
  raiseHand: Flag,
  isBotUser: Flag,
})
export type MeetingUser = z.infer<typeof MeetingUser>

export const Self = z.object({ result: z.object({ currentUser: MeetingUser }) })
/** The other entries of a list with one that cannot be read are still of use. */
export const MeetingUsers = z
  .object({ result: z.object({ attendeesList: z.array(z.unknown()) }) })
  .transform(({ result }) =>
    result.attendeesList.flatMap((entry) => {
      const { data } = MeetingUser.safeParse(entry)
      return data ? [data] : []
    }),
  )

const NAME_MAX = 1_024
const KEY_MAX = 64
const UUID_MAX = 128

export const uuidOf = ({ participantUUID }: MeetingUser) =>
  participantUUID && participantUUID === storable(participantUUID, UUID_MAX) ? participantUUID : null

/** Cuts a text, and replaces what no server can store: NUL, and half of a surrogate pair, which a cut may leave too. */
const storable = (text: string, max: number) => text.replaceAll('\0', '\ufffd').slice(0, max).toWellFormed()

export function seenAttendee(user: MeetingUser, key: string, selfId: number | null): SeenAttendee {
  return {
    key,
    zoom_user_id: user.userId,
    name: storable(user.userName ?? '', NAME_MAX),
    customer_key: user.customerKey ? storable(user.customerKey, KEY_MAX) : null,
    audio: user.audio,
    muted: user.muted ?? null,
    is_host: user.isHost,
    is_co_host: user.isCoHost,
    is_guest: user.isGuest,
    is_hold: user.isHold,
    hand: user.raiseHand,
    is_bot: user.isBotUser,
    is_self: user.userId === selfId,
  }
}

export function powersOf({ isHost, isCoHost }: Pick<MeetingUser, 'isHost' | 'isCoHost'>): SeatPowers {
  if (isHost) return 'host'
  return isCoHost ? 'co-host' : 'none'
}

/** The progress of joining: the waits for the host and in the waiting room, and their ends. */
export const SEAT_JOIN_WAITS: Record<number, 'host' | 'waiting_room' | null> = {
  4: 'host',
  5: null,
  6: 'waiting_room',
  7: null,
}

export const LEAVE_ENDS: Record<number, SeatEnd['reason']> = {
  1: 'meeting_ended',
  2: 'left',
  3: 'left',
  4: 'left',
  5: 'elsewhere',
  6: 'removed',
  7: 'removed',
  8: 'left',
}

const REFUSALS: Record<number, SeatTrouble> = {
  3000: 'other_meeting',
  3711: 'other_meeting',
  3009: 'removed',
  3265: 'ticket_refused',
  3623: 'ticket_refused',
  3705: 'ticket_refused', // the signature has expired
  4005: 'full',
  4006: 'locked',
  4008: 'elsewhere',
  10000: 'sdk_too_old',
}

export const troubleOfJoin = (code: number | null): SeatTrouble => REFUSALS[code ?? 0] ?? 'join_failed'
