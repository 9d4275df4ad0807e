import { type Selectable, sql } from 'kysely'
import pLimit from 'p-limit'
import { MINUTE_MS } from '../../../shared/dates.ts'
import type { GoLiveCheck } from '../../../shared/go-live.ts'
import type { Host } from '../../../shared/hosts.ts'
import { Weekday } from '../../../shared/planned-meetings.ts'
import { subscriptionDisplay } from '../../../shared/subscription-display.ts'
import type { Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import { Leases } from '../../db/leases.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { type Job, ROWS_AT_ONCE } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { findHost } from '../hosts/hosts.ts'
import { queueMail } from '../mail/mail-queue.ts'
import { type MeetingTime, nextStartAfter } from '../planned-meetings/meeting-days.ts'
import { findLiveSitting } from '../rooms/sittings.ts'
import { askZoom } from './ask-zoom.ts'
import { goLiveChecks } from './go-live-checks.ts'
import { findProblems } from './planned-check.ts'

/** A meeting is checked this long before it begins. One that is planned later than that is checked soon. */
const BEFORE_MS = 15 * MINUTE_MS
const CHECKS_AT_ONCE = 4

/** Longer than a check takes, whatever Zoom does. */
const checkLeases = new Leases({
  table: 'planned_checks',
  key: 'planned_meeting_id',
  lease: 'lease',
  until: 'lease_until',
  seconds: 60,
})

type CheckRow = Selectable<Tables['planned_checks']>

/**
 * Checks each planned meeting shortly before it begins, and each minute while something is in the way. A check that is
 * late, since no server ran, is made for as long as the meeting has not begun.
 */
export const checkMeetings: Job = {
  name: 'check planned meetings',
  every: JOB_INTERVALS.minute,
  isLong: true,
  leases: checkLeases,
  async run(deps, signal) {
    while (!signal?.aborted) {
      const count = await withJobLock(deps.db, this.name, (tx) => setDueTimes(deps, tx))
      if (count === null || count < ROWS_AT_ONCE) break
    }
    const zoom = { silences: 0 }
    const workers = Array.from({ length: CHECKS_AT_ONCE })
    const counts = await pLimit(CHECKS_AT_ONCE).map(workers, () => work(deps, zoom, signal))
    return counts.reduce((total, count) => total + count, 0)
  },
}

/** The last outcome was of a time that the meeting no longer has. */
const NOT_CHECKED = { starts_at: null, checked_at: null, zoom_fault: null }

/** Says when those are checked that are new, or have changed. */
async function setDueTimes({ now }: Deps, tx: Tx): Promise<number> {
  const rows = await tx
    .selectFrom('planned_meetings')
    .leftJoin('planned_checks', 'planned_checks.planned_meeting_id', 'planned_meetings.id')
    .selectAll('planned_meetings')
    .where(sql<boolean>`planned_checks.planned_at is distinct from planned_meetings.updated_at`)
    .limit(ROWS_AT_ONCE)
    .execute()
  for (const { id, updated_at: planned_at, weekdays, ...row } of rows) {
    const meeting = nextStartAfter({ ...row, weekdays: Weekday.array().parse(weekdays) }, now())
    const values = { planned_at, due_at: dueAt(meeting), ...NOT_CHECKED }
    await tx
      .insertInto('planned_checks')
      .values({ planned_meeting_id: id, ...values })
      .onConflict((conflict) => conflict.column('planned_meeting_id').doUpdateSet(values))
      .execute()
  }
  return rows.length
}

const dueAt = (meeting: MeetingTime | null) => meeting && new Date(meeting.starts_at - BEFORE_MS)

async function work(deps: Deps, zoom: { silences: number }, signal: AbortSignal | undefined): Promise<number> {
  let count = 0
  while (!signal?.aborted) {
    const candidate = sql`
      select planned_meeting_id from planned_checks
      where due_at <= ${new Date(deps.now())} and ${checkLeases.isFree}
      order by due_at limit 1`
    const row = await checkLeases.take(deps.db, candidate)
    if (!row) break
    try {
      if (await checkMeeting(deps, row, zoom)) count++
    } catch (err) {
      deps.log.error({ err, planned_meeting_id: row.planned_meeting_id }, 'planned_meeting.not_checked')
      await checkLeases.release(deps.db, row, { due_at: inAMinute(deps) })
    }
  }
  return count
}

const inAMinute = ({ now }: Deps) => new Date(now() + MINUTE_MS)

/** Returns true if the meeting was checked, and not put off. */
async function checkMeeting(deps: Deps, row: CheckRow, zoom: { silences: number }): Promise<boolean> {
  const planned = await findPlanned(deps, row.planned_meeting_id)
  if (!planned) return false // its row is gone too
  const { times, planned_at, host_id, room_id, is_deleted } = planned
  const meeting = nextStartAfter(times, deps.now())
  const putOff = (due_at: Date | null) => checkLeases.release(deps.db, row, { planned_at, due_at })
  if (!meeting || meeting.starts_at - BEFORE_MS > deps.now()) await putOff(dueAt(meeting))
  else if (is_deleted) await putOff(dueAt(nextStartAfter(times, meeting.starts_at)))
  else if (await findLiveSitting(deps.db, room_id)) await putOff(inAMinute(deps))
  else {
    const zoom_fault = await askZoom(deps, host_id, zoom)
    if (zoom_fault !== 'busy') {
      const ends_at = new Date(meeting.ends_at).toISOString()
      const host = await findHost(deps, host_id)
      const facts = { host, versions: null, meeting: { ends_at }, zoom_fault }
      const problems = findProblems(goLiveChecks(facts, deps.now()))
      await keepOutcome(deps, row, { ...planned, meeting, host, zoom_fault, problems })
      return true
    }
    await putOff(inAMinute(deps))
  }
  return false
}

type Planned = NonNullable<Awaited<ReturnType<typeof findPlanned>>>

async function findPlanned({ db }: Deps, id: string) {
  const row = await db
    .selectFrom('planned_meetings')
    .innerJoin('rooms', 'rooms.id', 'planned_meetings.room_id')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .selectAll('planned_meetings')
    .select(['rooms.host_id', 'hosts.deleted_at'])
    .where('planned_meetings.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { host_id, room_id, deleted_at, updated_at: planned_at, weekdays, ...times } = row
  return {
    host_id,
    room_id,
    planned_at,
    is_deleted: deleted_at !== null,
    times: { ...times, weekdays: Weekday.array().parse(weekdays) },
  }
}

interface CheckOutcome extends Planned {
  meeting: MeetingTime
  host: Host
  zoom_fault: CheckRow['zoom_fault']
  problems: GoLiveCheck[]
}

/** Writes to the host in the same transaction, so that there is one mail for each meeting. */
async function keepOutcome(deps: Deps, row: CheckRow, outcome: CheckOutcome): Promise<void> {
  const { times, planned_at, meeting, host, zoom_fault, problems } = outcome
  const starts_at = new Date(meeting.starts_at)
  const isWell = problems.length === 0
  const due_at = isWell ? dueAt(nextStartAfter(times, meeting.starts_at)) : inAMinute(deps)
  const set = { planned_at, due_at, starts_at, checked_at: new Date(deps.now()), zoom_fault }
  await deps.db.transaction().execute(async (tx) => {
    if (!(await checkLeases.release(tx, row, set))) return
    if (!isWorthMail(outcome, deps.now()) || isSameTime(row.mailed_for, starts_at) || isFirstSilence(row, outcome))
      return
    const content = {
      kind: 'meeting_not_ready',
      username: host.username,
      starts_at: starts_at.toISOString(),
      time_zone: times.time_zone,
      problems: problems.map(({ title, advice }) => ({ title, advice })),
    } as const
    if (!(await queueMail(deps, tx, { to: { address: host.email, host_id: host.id }, content }))) return
    const mailed = tx.updateTable('planned_checks').set({ mailed_for: starts_at })
    await mailed.where('planned_meeting_id', '=', row.planned_meeting_id).execute()
  })
}

/** A host that is no longer subscribed, or stopped the room, knows it: the mails would come before every meeting. */
function isWorthMail({ host, problems }: CheckOutcome, now: number): boolean {
  return subscriptionDisplay(host, now)?.tone === 'good' && problems.some(({ subject }) => subject !== 'room')
}

/** Zoom may be silent for seconds, which is no reason to write: it is asked again in a minute. */
function isFirstSilence(row: CheckRow, { meeting, zoom_fault, problems }: CheckOutcome): boolean {
  const isSilentAgain = row.zoom_fault === 'unanswered' && isSameTime(row.starts_at, new Date(meeting.starts_at))
  return zoom_fault === 'unanswered' && !isSilentAgain && problems.every(({ subject }) => subject === 'zoom')
}

const isSameTime = (one: Date | null, other: Date) => one?.getTime() === other.getTime()
