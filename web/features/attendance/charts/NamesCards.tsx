import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type FirstTimer, LAPSED_MEETINGS, type Lapsed } from '../../../../shared/attendance-charts.ts'
import { ChartCard } from '../../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../../ui/charts/ChartTable.tsx'
import { TableFrame } from '../../../ui/charts/TableFrame.tsx'
import { formatShortMoment } from '../../../ui/format-date.ts'
import { UserLink } from '../../../widgets/room-user/UserLink.tsx'

type Named = { id: string; username: string; user_id: string }

type FirstTimersCardProps = { users: FirstTimer[]; hasVisits: boolean; onDownload: () => void }

export function FirstTimersCard({ users, hasVisits, onDownload }: FirstTimersCardProps) {
  return (
    <ChartCard title="First time here" summary={firstTimersSummary(users.length, hasVisits)} onDownload={onDownload}>
      {users.length > 0 ? (
        <Names
          label="First time here"
          column="First arrived"
          users={users}
          timeOf={({ first_joined }) => formatShortMoment(first_joined, Date.now())}
        />
      ) : null}
    </ChartCard>
  )
}

export function LapsedCard({ lapsed, onDownload }: { lapsed: Lapsed; onDownload: () => void }) {
  return (
    <ChartCard
      title={`Missed the last ${LAPSED_WORD} meetings`}
      summary={lapsedSummary(lapsed)}
      onDownload={onDownload}
    >
      {lapsed.users.length > 0 ? (
        <Names
          label={`Missed the last ${LAPSED_WORD} meetings`}
          column="Last arrived"
          users={lapsed.users}
          timeOf={({ last_joined }) => (last_joined === null ? 'Never' : formatShortMoment(last_joined, Date.now()))}
        />
      ) : null}
    </ChartCard>
  )
}

function firstTimersSummary(users: number, hasVisits: boolean): string {
  if (!hasVisits) return 'No one came.'
  if (users === 0) return 'All who came had come before.'
  return `${counted(users)} came for the first time, as far back as attendance is kept.`
}

const LAPSED_WORD = LAPSED_MEETINGS === 4 ? 'four' : String(LAPSED_MEETINGS)

function lapsedSummary({ meetings, users }: Lapsed): string {
  if (meetings < LAPSED_MEETINGS)
    return `It takes ${LAPSED_WORD} meetings that anyone attended; so far there ${meetings === 1 ? 'was one' : `were ${meetings}`}.`
  if (users.length === 0) return `Every active user came to at least one of the last ${LAPSED_WORD} meetings.`
  return `${counted(users.length)} came to none of the last ${LAPSED_WORD} meetings that anyone attended.`
}

const counted = (users: number) => (users === 1 ? 'One user' : `${users.toLocaleString('en')} users`)

type NamesProps<User extends Named> = {
  label: string
  column: string
  users: User[]
  timeOf: (user: User) => ReactNode
}

/** A room can have ten thousand users, and a row of each would stop the page for seconds. */
const NAMES_SHOWN = 200

function Names<User extends Named>({ label, column, users, timeOf }: NamesProps<User>) {
  const others = users.length - NAMES_SHOWN
  return (
    <>
      <TableFrame label={`${label}, by name`}>
        <ChartTable
          label={label}
          columns={['Username', column]}
          rows={users.slice(0, NAMES_SHOWN).map((user) => ({
            key: user.id,
            cells: [<UserLink key={user.id} id={user.id} name={user.username} wraps />, timeOf(user)],
          }))}
        />
      </TableFrame>
      {others > 0 ? (
        <Text size="xs" c="dimmed" mt={6}>
          {others === 1 ? 'One more is' : `${others.toLocaleString('en')} more are`} in the CSV file.
        </Text>
      ) : null}
    </>
  )
}
