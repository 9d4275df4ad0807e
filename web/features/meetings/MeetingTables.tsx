import { Badge, Group, Progress } from '@mantine/core'
import { useMemo } from 'react'
import type { Absentee, SpeakingTime } from '../../../shared/attendance.ts'
import type { MeetingVisitor, UncalledHand } from '../../../shared/meetings.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { formatSpan } from '../../lib/periods.ts'
import cells from '../../ui/cells.module.css'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { formatTime } from '../../ui/format-date.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import { type Column, useDataTable } from '../../ui/use-data-table.tsx'
import { UserLink } from '../../widgets/room-user/UserLink.tsx'

const NONE = <span className={cells.minor}>–</span>

function userColumns<Row extends Absentee>(): Column<Row>[] {
  return [
    {
      header: 'Username',
      meta: { card: 'heading' },
      cell: ({ row: { original } }) => (
        <UserLink id={original.id} name={original.username} className={cells.name} wraps />
      ),
    },
    {
      header: 'Reference',
      cell: ({ row: { original } }) =>
        original.reference ? <PersonText text={original.reference} className={cells.text} wraps /> : NONE,
    },
  ]
}

const arrivedAndLeft = (time: string, seconds: number | null, how: 'late' | 'early') => (
  <Group gap={6} component="span">
    <span className={cells.short}>{formatTime(time)}</span>
    {seconds === null ? null : (
      <Badge color="warn">
        {formatSpan(seconds)} {how}
      </Badge>
    )}
  </Group>
)

const VISITORS: Column<MeetingVisitor>[] = [
  ...userColumns<MeetingVisitor>(),
  {
    header: 'Arrived',
    cell: ({ row: { original } }) => arrivedAndLeft(original.first_joined, original.late_seconds, 'late'),
  },
  {
    header: 'Left',
    cell: ({ row: { original } }) =>
      original.last_left === null ? (
        <Badge color="good">Still here</Badge>
      ) : (
        arrivedAndLeft(original.last_left, original.early_seconds, 'early')
      ),
  },
  { header: 'Visits', cell: ({ row }) => row.original.visits },
  { header: 'Time present', cell: ({ row }) => formatSpan(row.original.total_seconds) },
]
type Speaking = SpeakingTime & { share: number }
const SPEAKERS: Column<Speaking>[] = [
  ...userColumns<Speaking>(),
  { header: 'Time spoken', cell: ({ row }) => formatClock(row.original.spoke_seconds) },
  {
    header: 'Share',
    cell: ({ row: { original } }) => (
      <Group gap="sm" wrap="nowrap">
        <span className={cells.short}>{Math.round(original.share * 100)}%</span>
        <Progress value={original.share * 100} size="sm" flex="1 1 5rem" miw="3rem" maw="12rem" aria-hidden="true" />
      </Group>
    ),
  },
]
const HANDS: Column<UncalledHand>[] = [
  ...userColumns<UncalledHand>(),
  { header: 'Raised at', cell: ({ row }) => formatTime(row.original.raised_at) },
  { header: 'Waited', cell: ({ row }) => formatClock(row.original.waited_seconds) },
]
const ABSENT = userColumns<Absentee>()

export function SpeakerTable({ speakers }: { speakers: SpeakingTime[] }) {
  const total = speakers.reduce((sum, { spoke_seconds }) => sum + spoke_seconds, 0)
  const data = useMemo(
    () => speakers.map((one) => ({ ...one, share: total > 0 ? one.spoke_seconds / total : 0 })),
    [speakers, total],
  )
  const table = useDataTable({ columns: SPEAKERS, data, getRowId: ({ id }) => id })
  return <DataTable label="Who spoke" table={table} empty={<Empty>No one spoke in this meeting</Empty>} />
}

export function HandTable({ hands }: { hands: UncalledHand[] }) {
  const table = useDataTable({ columns: HANDS, data: hands, getRowId: ({ id }) => id })
  return (
    <DataTable label="Hands that were not called" table={table} empty={<Empty>No hands were left waiting</Empty>} />
  )
}

export function VisitorTable({ users, none }: { users: MeetingVisitor[]; none: string }) {
  const table = useDataTable({ columns: VISITORS, data: users, getRowId: ({ id }) => id })
  return <DataTable label="Who came" table={table} empty={<Empty>{none}</Empty>} />
}

export function AbsenteeTable({ users }: { users: Absentee[] }) {
  const table = useDataTable({ columns: ABSENT, data: users, getRowId: ({ id }) => id })
  return <DataTable label="Who was absent" table={table} empty={<Empty>No one was absent</Empty>} />
}
