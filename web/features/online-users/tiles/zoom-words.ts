import type { RoomUser } from '../../../../shared/room-users.ts'
import type { Attendee } from '../../../../shared/seat.ts'

type Shown = Pick<RoomUser, 'is_muted' | 'asleep' | 'pending_command'>

/** Says what the seat sees of a user in Zoom, where it differs from what the user's phone says; null if nothing does. */
export function zoomWords(user: Shown, attendees: readonly Attendee[]): string | null {
  const heard = attendees.filter(({ audio, muted }) => audio !== '' && muted !== null)
  const isOpen = heard.some(({ muted }) => !muted)
  if (user.is_muted && isOpen) return 'Microphone on in Zoom'
  if (user.is_muted && heard.length > 0 && (user.asleep || user.pending_command !== null)) return 'Muted in Zoom'
  if (attendees.length > 1) return 'Joined twice'
  return null
}
