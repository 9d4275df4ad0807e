import { z } from 'zod'
import { answer, Time } from './envelope.ts'

export const LONGEST_TURN_MINUTES = 30

/** Limits the turn of each user who gets the floor from the queue. */
export const TurnLimit = z.object({
  minutes: z.int().min(1).max(LONGEST_TURN_MINUTES).nullable().describe('Null where a turn has no limit.'),
  mutes: z.boolean().describe('The user is muted at the end of the turn.'),
})
export type TurnLimit = z.infer<typeof TurnLimit>

export const NO_TURN_LIMIT: TurnLimit = { minutes: null, mutes: false }

export const TurnLimitAnswer = answer(z.object({ turn_limit: TurnLimit }))

/** The turn of the user who has the floor. */
export const Turn = z.object({
  user_id: z.string(),
  since: Time.nullable(), // null: the turn is over
  limit_minutes: z.int().nullable(),
  ends_muted: z.boolean(),
})
export type Turn = z.infer<typeof Turn>

/** A warning is shown this long before the end of a turn. */
export const LAST_SECONDS = 30

/** Tells how a turn that began `seconds` ago stands to its limit. */
export function stateOfTurn(seconds: number, limitMinutes: number | null): 'running' | 'ending' | 'over' {
  if (limitMinutes === null) return 'running'
  const left = limitMinutes * 60 - seconds
  if (left <= 0) return 'over'
  return left <= LAST_SECONDS ? 'ending' : 'running'
}
