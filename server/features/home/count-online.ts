import { sql } from 'kysely'
import { ONLINE_STEP_SECONDS, ONLINE_STEPS, type OnlineChart } from '../../../shared/home.ts'
import type { Deps } from '../../deps.ts'

const STEP_MS = ONLINE_STEP_SECONDS * 1000

/** Counts the users who were online in all rooms together, in even steps up to now. */
export async function countOnline(deps: Deps): Promise<OnlineChart> {
  const now = deps.now()
  const start = Math.floor(now / STEP_MS) * STEP_MS - (ONLINE_STEPS - 1) * STEP_MS
  const steps = new Map((await readSteps(deps, new Date(start), new Date(now))).map((step) => [step.step, step]))
  let level = 0
  const points = Array.from({ length: ONLINE_STEPS }, (_none, index) => {
    const step = steps.get(index)
    const users = Math.max(level, step?.highest ?? 0)
    level += step?.change ?? 0
    return { at: new Date(start + index * STEP_MS).toISOString(), users }
  })
  const most = Math.max(...points.map(({ users }) => users))
  const fullest = most > 0 ? points.findLast(({ users }) => users === most) : undefined
  return { step_seconds: ONLINE_STEP_SECONDS, most, most_at: fullest?.at ?? null, points }
}

interface Step {
  step: number
  change: number
  highest: number
}

/** Returns the steps in which a stay begins or ends. Each half of the stays has an index of its own. */
async function readSteps({ db }: Deps, start: Date, now: Date): Promise<Step[]> {
  const { rows } = await sql<Step>`
    with spans as materialized (
      select joined_at, left_at from stays where left_at > ${start}
      union all
      select joined_at, null from stays where left_at is null
    ), changes as (
      select at, change, sum(change) over (order by at, change desc rows unbounded preceding)::int as online
      from (
        select greatest(joined_at, ${start}) as at, 1 as change from spans where joined_at <= ${now}
        union all
        select left_at, -1 from spans where left_at <= ${now}
      ) as each_change
    )
    select floor(extract(epoch from at - ${start}) / ${sql.lit(ONLINE_STEP_SECONDS)})::int as step,
      sum(change)::int as change, max(online) as highest
    from changes group by step`.execute(db)
  return rows
}
