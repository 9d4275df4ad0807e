import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { DayCount } from '../../../shared/attendance-charts.ts'
import type { DashboardCharts } from '../../../shared/dashboard.ts'
import { ChartCard } from '../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../ui/charts/ChartTable.tsx'
import { Columns } from '../../ui/charts/Columns.tsx'
import { Key } from '../../ui/charts/Key.tsx'
import { OverTime } from '../../ui/charts/OverTime.tsx'
import { formatTime } from '../../ui/format-date.ts'
import { meetingAddress } from '../../widgets/meeting/meeting-words.ts'

const HEIGHT = 72
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayText = (day: string) => DAY.format(new Date(day))
const usersText = (count: number) => (count === 1 ? '1 user' : `${count.toLocaleString('en')} users`)
const ALL_CHARTS = '/host/attendance?show=charts'

export function ChartCards({ charts: { days, last_meeting } }: { charts: DashboardCharts }) {
  return (
    <>
      <DaysCard days={days} />
      <LastMeetingCard meeting={last_meeting} />
    </>
  )
}

function DaysCard({ days }: { days: DayCount[] }) {
  const visited = days.filter(({ users }) => users > 0)
  return (
    <ChartCard
      title="Users per day"
      summary={
        <>
          {daysSummary(visited)}{' '}
          <Anchor component={Link} to={ALL_CHARTS} inherit underline="always">
            See all charts
          </Anchor>
        </>
      }
      table={
        <ChartTable
          label="Users per day"
          columns={['Day', 'Users']}
          rows={visited.toReversed().map(({ day, users }) => ({ key: day, cells: [dayText(day), users] }))}
        />
      }
    >
      {visited.length > 0 ? (
        <Columns
          label="Users per day"
          height={HEIGHT}
          steps={days.map(({ day, users }, index) => ({
            key: day,
            count: users,
            name: (days.length - 1 - index) % 7 === 0 ? dayText(day).replace(/^\w+,? /, '') : null,
          }))}
          textOf={(index) => (days[index] ? `${dayText(days[index].day)}: ${usersText(days[index].users)}` : '')}
          legend={<Key shape="area" word="Users" />}
        />
      ) : null}
    </ChartCard>
  )
}

function daysSummary(visited: DayCount[]): string {
  if (visited.length === 0) return 'No one came in the last 4 weeks.'
  const most = visited.reduce((best, day) => (day.users >= best.users ? day : best))
  const on = visited.length === 1 ? 'on 1 day' : `on ${visited.length} days`
  return `Users came ${on} of the last 4 weeks; most on ${dayText(most.day)} (${most.users.toLocaleString('en')}).`
}

function LastMeetingCard({ meeting }: { meeting: DashboardCharts['last_meeting'] }) {
  const points = meeting?.presence?.points ?? []
  return (
    <ChartCard
      title="Users over the last meeting"
      summary={
        meeting ? (
          <>
            {meetingSummary(meeting)}{' '}
            <Anchor component={Link} to={meetingAddress(meeting.id)} inherit underline="always">
              See its report
            </Anchor>
          </>
        ) : (
          'No meeting has ended yet.'
        )
      }
      table={
        <ChartTable
          label="Users over the last meeting"
          columns={['From', 'Present', 'Joined', 'Left']}
          rows={points.map(({ at, present, joined, left }) => ({
            key: at,
            cells: [formatTime(at), present, joined, left],
          }))}
        />
      }
    >
      {points.length > 0 ? (
        <OverTime
          label="Users over the last meeting"
          points={points.map(({ at, present }) => ({ at, level: present }))}
          words={{ level: 'Present' }}
          isSmall
        />
      ) : null}
    </ChartCard>
  )
}

function meetingSummary({ presence }: NonNullable<DashboardCharts['last_meeting']>): string {
  if (!presence) return 'It lasted for more than two days.'
  const { came, most, most_at } = presence
  if (most_at === null) return 'No one came.'
  return `${usersText(came)} came; most were there at ${formatTime(most_at)} (${most.toLocaleString('en')}).`
}
