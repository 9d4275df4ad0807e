import { sql } from 'kysely'
import { HOUR_MS } from '../../../shared/dates.ts'
import { clearingJob, deleteOld, type Job } from '../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../jobs/retention.ts'
import { emptyRows } from './erase-person.ts'

/** The time in which a server writes what it had under way, or in its memory, when the user was erased. */
const LATE_MS = HOUR_MS

/** Goes on with erasures that broke off, and takes out what has come in late. */
export const finishErasures: Job = {
  name: 'finish erasures',
  every: JOB_INTERVALS.minute,
  async run(deps, signal) {
    const due = await deps.db
      .selectFrom('erasures')
      .innerJoin('rooms', 'rooms.id', 'room_id')
      .select(['room_user_id as id', 'room_id', 'host_id'])
      .where((eb) => eb.or([eb('finished_at', 'is', null), eb('erased_at', '>', new Date(deps.now() - LATE_MS))]))
      .execute()
    let total = 0
    for (const person of due) total += await emptyRows(deps, person, signal)
    return total
  },
}

/** Deletes marks that no repeated call needs any more. */
export const clearErasures = clearingJob('clear erasures', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'erasures', sql`finished_at < ${new Date(now() - RETENTION.erasures)}`),
)

export const personJobs = [finishErasures, clearErasures]
