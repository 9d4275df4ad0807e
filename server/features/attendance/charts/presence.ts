import { sql } from 'kysely'
import type { PresenceChart, PresencePoint } from '../../../../shared/attendance-charts.ts'
import { HOUR_MS, isDay, MINUTE_MS } from '../../../../shared/dates.ts'
import type { Deps } from '../../../deps.ts'
import { inPeriod, type RoomPeriod } from '../attendance.ts'

/** Longer periods have no chart over time. Two days may have 49 hours. */
const LONGEST_MS = 49 * HOUR_MS
const STEPS_MIN = [1, 2, 5, 10, 15, 30, 60] as const
const POINTS_MAX = 96

/** Counts who was present in each step of a meeting, or of one or two days. Null for a longer period. */
export async function countPresence(deps: Deps, period: RoomPeriod): Promise<PresenceChart | null> {
  const end = Math.min(period.end.getTime(), period.now.getTime())
  if (end - period.start.getTime() > LONGEST_MS) return null
  const { first, last, came } = await readExtent(deps, period)
  if (!first || !last) return { came: 0, most: 0, most_at: null, step_seconds: 60, points: [] }
  const axis = axisOf(first, last, period)
  const steps = await countSteps(deps, period, axis)
  const points = steps.map(({ present, joined, left }, step) => {
    const at = new Date(axis.start.getTime() + step * axis.step_ms).toISOString()
    return { at, present, joined, left }
  })
  const [peak] = steps
  const [most, most_at] = [peak?.most ?? 0, peak?.most_at.toISOString() ?? null]
  return { came, most, most_at, step_seconds: axis.step_ms / 1000, points }
}

interface Extent {
  first: Date | null
  last: Date | null
  came: number
}

async function readExtent({ db }: Deps, period: RoomPeriod): Promise<Extent> {
  const { start, end, now } = period
  const { rows } = await sql<Extent>`
    select greatest(min(joined_at), ${start}) as first, least(max(coalesce(left_at, ${now})), ${end}, ${now}) as last,
      count(distinct room_user_id)::int as came
    from stays where ${inPeriod(period)} having count(*) > 0`.execute(db)
  return rows[0] ?? { first: null, last: null, came: 0 }
}

interface Axis {
  start: Date
  step_ms: number
  steps: number
}

/** A meeting is shown from its start to its end, a day from the first arrival to the last departure. */
function axisOf(first: Date, last: Date, { from, start, end, now, zone }: RoomPeriod): Axis {
  const isWhole = !isDay(from)
  const [begin, stop] = isWhole ? [start, end < now ? end : now] : [first, last]
  const length = Math.max(stop.getTime() - begin.getTime(), MINUTE_MS)
  const minutes = STEPS_MIN.find((step) => length / (step * MINUTE_MS) < POINTS_MAX) ?? 60
  const axisStart = floorTo(begin, minutes, zone)
  const step_ms = minutes * MINUTE_MS
  return { start: axisStart, step_ms, steps: Math.floor((stop.getTime() - 1 - axisStart.getTime()) / step_ms) + 1 }
}

/** Begins a step at a round time of the zone's clocks. */
function floorTo(at: Date, minutes: number, zone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  const round = { roundingMode: 'floor' } as const
  const floor =
    minutes === 60
      ? local.round({ smallestUnit: 'hour', ...round })
      : local.round({ smallestUnit: 'minute', roundingIncrement: minutes, ...round })
  return new Date(floor.epochMilliseconds)
}

/** Each arrival and departure, with the number present after it. An arrival at the same instant comes first. */
const changes = (period: RoomPeriod) => sql`
  select at, change, arrived, gone, sum(change) over (order by at, change desc rows unbounded preceding)::int as present
  from (
    select greatest(joined_at, ${period.start}) as at, 1 as change,
      (joined_at >= ${period.start})::int as arrived, 0 as gone
    from stays where ${inPeriod(period)}
    union all
    select left_at, -1, 0, 1 from stays where ${inPeriod(period)} and left_at < ${period.end}
  ) as each_change`

interface Step extends Omit<PresencePoint, 'at'> {
  most: number
  most_at: Date
}

/** Returns each step, and in each the peak of all. */
async function countSteps({ db }: Deps, period: RoomPeriod, { start, step_ms, steps }: Axis): Promise<Step[]> {
  const { rows } = await sql<Step>`
    with changes as materialized (${changes(period)}), peak as (
      select present as most, at as most_at from changes order by present desc, at limit 1
    ), steps as (
      select step, coalesce(sum(change), 0) as change, coalesce(max(present), 0) as highest,
        coalesce(sum(arrived), 0) as joined, coalesce(sum(gone), 0) as gone
      from generate_series(0, ${sql.lit(steps - 1)}) as step
      left join changes
        on least(floor(extract(epoch from at - ${start}) * 1000 / ${sql.lit(step_ms)}), ${sql.lit(steps - 1)}) = step
      group by step
    )
    select greatest(highest, sum(change) over (order by step) - change)::int as present, joined::int as joined,
      gone::int as "left",
      most, most_at
    from steps, peak order by step`.execute(db)
  return rows
}
