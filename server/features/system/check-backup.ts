import { DAY_MS, HOUR_MS } from '../../../shared/dates.ts'
import { namesIn } from '../../lib/ask-disk.ts'
import { findBackups } from '../backup/kept-backups.ts'
import { codeOf, counted, note, ok, problem, type RunCheck } from './check.ts'

/** Judges the newest backup by the schedule; without one, says when the last was made by hand. */
export const checkBackup: RunCheck = async ({ config: { BACKUP_TO, BACKUP_HOURS }, db }) => {
  if (!BACKUP_TO) {
    const made = await db()
      .selectFrom('audit')
      .select('at')
      .where('action', '=', 'backup_made')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    const last = made ? `The last one was made ${ageOf(made.at.getTime())}` : 'None has been made'
    return note(`${last}; there is no schedule.`, 'Set BACKUP_TO, or have `npm run backup` run daily.')
  }
  const names = await namesIn(BACKUP_TO).catch(codeOf)
  if (typeof names === 'string')
    return problem(`${BACKUP_TO} cannot be read (${names}).`, 'Correct BACKUP_TO, or mount its disk.')
  const newest = Math.max(...findBackups(names).map(({ time }) => time))
  if (newest === -Infinity)
    return problem(`There is none in ${BACKUP_TO} yet.`, 'The first is made within minutes of the start. See the log.')
  const found = `The newest one was made ${ageOf(newest)}, with one due every ${counted(BACKUP_HOURS, 'hour')}.`
  return Date.now() - newest > 2 * BACKUP_HOURS * HOUR_MS
    ? problem(found, 'Look for backup.failed in the log: it has the reason.')
    : ok(found)
}

function ageOf(time: number): string {
  const days = Math.floor((Date.now() - time) / DAY_MS)
  return days === 0 ? 'within the last day' : `${counted(days, 'day')} ago`
}
