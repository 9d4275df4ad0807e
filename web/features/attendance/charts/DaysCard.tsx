import type { DayCount } from '../../../../shared/attendance-charts.ts'
import { ChartCard } from '../../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../../ui/charts/ChartTable.tsx'
import { WeekMap } from '../../../ui/charts/WeekMap.tsx'
import { formatUtcDay } from '../../../ui/format-date.ts'

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayText = (day: string) => DAY.format(new Date(day))
/** More days need the whole width. */
const NARROW_DAYS = 16 * 7

type DaysCardProps = { days: DayCount[]; onDownload: () => void }

export function DaysCard({ days, onDownload }: DaysCardProps) {
  const visited = days.filter(({ users }) => users > 0)
  return (
    <ChartCard
      title="Users per day"
      summary={daysSummary(days)}
      onDownload={onDownload}
      wide={days.length > NARROW_DAYS}
      table={
        <ChartTable
          label="Users per day"
          columns={['Day', 'Users']}
          rows={visited.toReversed().map(({ day, users }) => ({ key: day, cells: [dayText(day), users] }))}
        />
      }
    >
      {visited.length > 0 ? (
        <WeekMap
          label="Users per day"
          days={days.map(({ day, users }) => ({ day, count: users }))}
          textOf={({ day, count }) => `${dayText(day)}: ${count === 1 ? '1 user' : `${count} users`}`}
        />
      ) : null}
    </ChartCard>
  )
}

export function daysSummary(days: DayCount[]): string {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return 'No days to show.'
  const isOneYear = first.day.slice(0, 4) === last.day.slice(0, 4)
  const since = `since ${isOneYear ? dayText(first.day) : formatUtcDay(first.day)}`
  const visited = days.filter(({ users }) => users > 0)
  if (visited.length === 0) return `No one came ${since}.`
  const most = Math.max(...visited.map(({ users }) => users))
  const fullest = visited.findLast(({ users }) => users === most) ?? last
  return `Users came on ${visited.length} of ${days.length} days ${since}; most came on ${dayText(fullest.day)} (${most.toLocaleString('en')}).`
}
