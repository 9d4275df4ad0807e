import type { OnlineChart } from '../../../shared/home.ts'
import { ChartCard } from '../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../ui/charts/ChartTable.tsx'
import { OverTime } from '../../ui/charts/OverTime.tsx'
import { formatTime } from '../../ui/format-date.ts'

/** Shows the users who were online in all rooms together. */
export function OnlineCard({ online, now }: { online: OnlineChart; now: number }) {
  return (
    <ChartCard
      title="Users online, last 24 hours"
      summary={onlineSummary(online, now)}
      wide
      table={
        <ChartTable
          label="Users online"
          columns={['From', 'Online']}
          rows={online.points.toReversed().map(({ at, users }) => ({ key: at, cells: [formatTime(at), users] }))}
        />
      }
    >
      {online.most > 0 ? (
        <OverTime
          label="Users online"
          points={online.points.map(({ at, users }) => ({ at, level: users }))}
          words={{ level: 'Online' }}
        />
      ) : null}
    </ChartCard>
  )
}

function onlineSummary({ most, most_at }: OnlineChart, now: number): string {
  if (most_at === null) return 'No user was online in any room in the last 24 hours.'
  const present = now === 1 ? '1 is' : now === 0 ? 'none is' : `${now.toLocaleString('en')} are`
  return `Most were online at ${formatTime(most_at)} (${most.toLocaleString('en')}, in all rooms together); ${present} online now.`
}
