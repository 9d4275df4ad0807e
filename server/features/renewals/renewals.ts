import { sql } from 'kysely'
import { BYTE_ORDER_MARK, csvLine } from '../../../shared/csv.ts'
import { DAY_MS, utcDay } from '../../../shared/dates.ts'
import { Renewal, type SoldMonth } from '../../../shared/renewals.ts'
import { readSubscription } from '../../../shared/subscription-dates.ts'
import { daysRemaining } from '../../../shared/subscriptions.ts'
import type { Deps } from '../../deps.ts'

/** Lists the hosts whose subscription ends within `days`, or ended within `days` without a cancellation. */
export async function listRenewals({ db, now }: Deps, days: number): Promise<Renewal[]> {
  const rows = await db
    .selectFrom('hosts')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('subscription_cancelled_at', 'is', null)
    .where('subscription_end_date', '>=', new Date(now() - days * DAY_MS))
    .where('subscription_end_date', '<=', new Date(now() + days * DAY_MS))
    .orderBy('subscription_end_date')
    .orderBy('numerical_id')
    .execute()
  return rows.map((row) => {
    const subscription = readSubscription(row, new Date(now()))
    const end = subscription.subscription_end_date ?? ''
    return Renewal.parse({ ...row, ...subscription, days_left: daysRemaining(end, now()) })
  })
}

const COLUMNS = Renewal.keyof().options

export function renewalsCsv(renewals: Renewal[]): string {
  const lines = renewals.map((renewal) => csvLine(COLUMNS.map((column) => renewal[column])))
  return [BYTE_ORDER_MARK + csvLine(COLUMNS), ...lines].join('')
}

/** Counts what was sold in each of the last months of UTC, oldest first. Months that were taken back count less. */
export async function countSold({ db, now }: Deps, months: number): Promise<SoldMonth[]> {
  const thisMonth = utcDay(now()).toPlainYearMonth()
  const first = thisMonth.subtract({ months: months - 1 })
  const rows = await db
    .selectFrom('subscription_changes')
    .select(sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM')`.as('month'))
    .select(({ fn }) => ['action', fn.countAll<string>().as('count'), fn.sum<string | null>('months').as('sum')])
    .where('at', '>=', new Date(`${first}-01T00:00:00Z`))
    .where('action', 'in', ['created', 'extended', 'reduced', 'cancelled'])
    .groupBy(['month', 'action'])
    .execute()
  const read = (month: string, action: string) => {
    const row = rows.find((one) => one.month === month && one.action === action)
    return { count: Number(row?.count ?? 0), months: Number(row?.sum ?? 0) }
  }
  return Array.from({ length: months }, (_, index) => {
    const month = first.add({ months: index }).toString()
    const [created, extended, reduced] = [read(month, 'created'), read(month, 'extended'), read(month, 'reduced')]
    return {
      month,
      extensions: extended.count,
      new: created.count,
      months_sold: created.months + extended.months - reduced.months,
      cancelled: read(month, 'cancelled').count,
    }
  })
}
