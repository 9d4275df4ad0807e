import { sql } from 'kysely'
import type { DayCount } from '../../../../shared/attendance-charts.ts'
import { dayIn, isDay, startOfDay } from '../../../../shared/dates.ts'
import type { Deps } from '../../../deps.ts'
import type { RoomPeriod } from '../attendance.ts'

/** The least that is shown, whole weeks up to the last day. */
const WEEKS_LEAST = 12

/** Counts the users of each day in the zone, over the period and at least twelve weeks up to its end, or to today. */
export async function countDaily({ db }: Deps, period: RoomPeriod): Promise<DayCount[]> {
  const days = daysOf(period)
  const last = days.at(-1)
  if (!last) return []
  const starts = days.map((day) => startOfDay(day, period.zone).toISOString())
  const [start, end] = [starts[0], startOfDay(last.add({ days: 1 }), period.zone)]
  const { rows } = await db.transaction().execute(async (tx) => {
    // The estimate for generate_series is so high that the query would be compiled first, which takes half a second.
    await sql`set local jit = off`.execute(tx)
    return sql<{ day: number; users: number }>`
      with bounds as materialized (
        select array_agg(start::timestamptz order by start) as starts
        from json_array_elements_text(${JSON.stringify(starts)}::json) as start
      ), spans as (
        select room_user_id, greatest(width_bucket(joined_at, starts), 1) as first, width_bucket(last_at, starts) as last
        from stays, bounds, lateral (
          -- A stay that ends at midnight has no part of the next day.
          select greatest(joined_at, least(coalesce(left_at, ${period.now}), ${end}) - interval '1 microsecond') as last_at
        ) as ends
        where room_id = ${period.room_id} and joined_at < ${end}
          and (left_at is null or left_at > ${start} or joined_at >= ${start})
      )
      select day, count(*)::int as users
      from (select distinct day, room_user_id from spans, generate_series(first, last) as day) as attended
      group by day`.execute(tx)
  })
  const users = new Map(rows.map((row) => [row.day, row.users]))
  return days.map((day, index) => ({ day: day.toString(), users: users.get(index + 1) ?? 0 }))
}

function daysOf({ from, to, zone, now }: RoomPeriod): Temporal.PlainDate[] {
  const dayOf = (at: string) => (isDay(at) ? Temporal.PlainDate.from(at) : dayIn(zone, Date.parse(at)))
  const today = dayIn(zone, now.getTime())
  const last = earlier(dayOf(to), today)
  const monday = last.subtract({ days: last.dayOfWeek - 1, weeks: WEEKS_LEAST - 1 })
  const first = earlier(dayOf(from), monday)
  return Array.from({ length: first.until(last).days + 1 }, (_none, index) => first.add({ days: index }))
}

function earlier(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) <= 0 ? one : other
}
