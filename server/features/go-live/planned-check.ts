import type { AppVersions } from '../../../shared/dashboard.ts'
import { MINUTE_MS } from '../../../shared/dates.ts'
import type { GoLiveCheck, GoLiveSubject, PlannedCheck } from '../../../shared/go-live.ts'
import type { NextMeeting } from '../../../shared/planned-meetings.ts'
import type { Deps } from '../../deps.ts'
import { findHost } from '../hosts/hosts.ts'
import { findLiveSitting } from '../rooms/sittings.ts'
import { goLiveChecks } from './go-live-checks.ts'

/** A moderator knows no more of the room: see GET /host/room. */
const SHOWN_TO_MODERATORS: GoLiveSubject[] = ['room', 'zoom']

/** Returns the check of the next planned meeting once it was made, until the meeting begins. What is wrong is found now. */
export async function findPlannedCheck(
  deps: Deps,
  host_id: string,
  { isModerator }: { isModerator: boolean },
): Promise<PlannedCheck | null> {
  const made = await findMadeCheck(deps, host_id)
  if (!made || (await findLiveSitting(deps.db, made.room_id))) return null
  const { starts_at, ends_at, checked_at, zoom_fault } = made
  const bad = findProblems(
    goLiveChecks({ host: await findHost(deps, host_id), versions: null, meeting: { ends_at }, zoom_fault }, deps.now()),
  )
  const problems = isModerator ? bad.filter(({ subject }) => SHOWN_TO_MODERATORS.includes(subject)) : bad
  return { starts_at, ends_at, checked_at, problems }
}

/** Lists everything that the next meeting needs, for the dashboard. */
export async function listGoLiveChecks(
  deps: Deps,
  host_id: string,
  { versions, meeting }: { versions: AppVersions; meeting: NextMeeting | null },
): Promise<GoLiveCheck[]> {
  const made = await findMadeCheck(deps, host_id)
  const zoom_fault = made?.zoom_fault ?? null
  return goLiveChecks({ host: await findHost(deps, host_id), versions, meeting, zoom_fault }, deps.now())
}

export const findProblems = (checks: GoLiveCheck[]) => checks.filter(({ tone }) => tone === 'bad')

/** Leaves out a check of a time that the meeting no longer has. */
async function findMadeCheck({ db, now }: Deps, host_id: string) {
  const row = await db
    .selectFrom('planned_checks')
    .innerJoin('planned_meetings', 'planned_meetings.id', 'planned_checks.planned_meeting_id')
    .innerJoin('rooms', 'rooms.id', 'planned_meetings.room_id')
    .select(['rooms.id as room_id', 'starts_at', 'checked_at', 'zoom_fault', 'minutes'])
    .where('rooms.host_id', '=', host_id)
    .where('starts_at', '>', new Date(now()))
    .whereRef('planned_at', '=', 'planned_meetings.updated_at')
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirst()
  if (!row?.starts_at || !row.checked_at) return null
  const { room_id, starts_at, checked_at, minutes } = row
  return {
    room_id,
    starts_at: starts_at.toISOString(),
    ends_at: new Date(starts_at.getTime() + minutes * MINUTE_MS).toISOString(),
    checked_at: checked_at.toISOString(),
    zoom_fault: row.zoom_fault,
  }
}
