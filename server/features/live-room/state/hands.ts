import type { Participant } from './participant.ts'

/** A hand went up, came down because it was called or lowered, or was still up when its user left or the meeting ended. */
export interface HandChange {
  user_id: string
  meeting_uuid: string
  became: 'up' | 'down' | 'left'
  raised_at: number | null
  at: number | null // null: now
}

export function handChange(
  { roster, wants_to_speak_at }: Participant,
  meeting_uuid: string,
  became: HandChange['became'],
  at: number | null,
): HandChange {
  return { user_id: roster.id, meeting_uuid, became, raised_at: wants_to_speak_at, at }
}
