import { sql } from 'kysely'
import { LENGTH_BOUNDS, type LengthChart } from '../../../../shared/attendance-charts.ts'
import type { Deps } from '../../../deps.ts'
import { inPeriod, type RoomPeriod, secondsWithin } from '../attendance.ts'

/** Counts visits by their length within the period. One that still lasts counts as long as it is so far. */
export async function countLengths({ db }: Deps, period: RoomPeriod): Promise<LengthChart> {
  const { rows } = await sql<{ band: number; visits: number }>`
    select width_bucket(${secondsWithin(period)}, array[${sql.join(LENGTH_BOUNDS.map((bound) => sql.lit(bound)))}]::numeric[]) as band,
      count(*)::int as visits
    from stays where ${inPeriod(period)} group by band`.execute(db)
  const { rows: medians } = await sql<{ median: number | null }>`
    select floor(percentile_cont(0.5) within group (order by ${secondsWithin(period)}))::int as median
    from stays where ${inPeriod(period)}`.execute(db)
  const visits = new Map(rows.map((row) => [row.band, row.visits]))
  const bands = [0, ...LENGTH_BOUNDS].map((from_seconds, band) => ({
    from_seconds,
    to_seconds: LENGTH_BOUNDS[band] ?? null,
    visits: visits.get(band) ?? 0,
  }))
  return { median_seconds: medians[0]?.median ?? null, bands }
}
