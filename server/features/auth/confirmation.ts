import { MINUTE_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from './session-rows.ts'

/** Returns the end of a session's confirmation; null without one now. Asks the database before it says so. */
export async function findConfirmation({ config, now, sessions }: Deps, session: Session): Promise<Date | null> {
  const end = (confirmedAt: number | null) => (confirmedAt ?? 0) + config.CONFIRM_MINUTES * MINUTE_MS
  const cached = end(session.confirmed_at)
  const until = cached > now() ? cached : end(await sessions.readConfirmation(session))
  return until > now() ? new Date(until) : null
}
