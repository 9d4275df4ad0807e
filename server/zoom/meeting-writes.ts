import { type Selectable, sql } from 'kysely'
import { utcDay } from '../../shared/dates.ts'
import type { ZoomWarning } from '../../shared/hosts.ts'
import type { Db } from '../db/client.ts'
import type { Tables } from '../db/tables.ts'

/** Zoom's limit on creating and changing one user's meetings, per UTC day and over all apps. */
const DAILY_LIMIT = 100
const WARN_FROM = 80

const dayOf = (now: number) => utcDay(now).toString()

/** Counts a write. A refused one means that the limit is used up, perhaps by other apps. */
export async function countMeetingWrite(db: Db, host_id: string, now: number, isRefused: boolean): Promise<void> {
  const day = dayOf(now)
  const current = sql<number>`case when meeting_writes_day = ${day} then meeting_writes else 0 end`
  await db
    .updateTable('zoom_links')
    .set({
      meeting_writes_day: day,
      meeting_writes: isRefused ? sql<number>`greatest(${DAILY_LIMIT}, ${current})` : sql<number>`${current} + 1`,
    })
    .where('host_id', '=', host_id)
    .execute()
}

type Counters = Pick<Selectable<Tables['zoom_links']>, 'meeting_writes' | 'meeting_writes_day'>

type Link = { [K in keyof Counters]: Counters[K] | null }

export function writesToday({ meeting_writes, meeting_writes_day }: Link, now: number): number {
  return meeting_writes_day === dayOf(now) ? (meeting_writes ?? 0) : 0
}

export function dailyLimitWarning(link: Link, now: number): ZoomWarning[] {
  const count = writesToday(link, now)
  if (count < WARN_FROM) return []
  const state =
    count < DAILY_LIMIT
      ? `This host’s Zoom meeting was changed ${count} times today; Zoom allows ${DAILY_LIMIT} a day, counted over all apps.`
      : 'Zoom takes no more changes of this host’s meeting today: its daily limit is used up, by all apps together.'
  return [
    {
      code: 'daily_limit',
      message: `${state} Leave the room’s name and recording as they are until 00:00 UTC; meetings go on as before.`,
    },
  ]
}
