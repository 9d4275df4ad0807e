import { Badge, Group, Progress } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import type { Absentee, Attendance, SpeakingTime, Stay } from '../../../shared/attendance.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { formatSpan } from '../../lib/periods.ts'
import cells from '../../ui/cells.module.css'
import { DataTable } from '../../ui/DataTable.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import { type Column, useDataTable } from '../../ui/use-data-table.tsx'
import { UserLink } from '../../widgets/room-user/UserLink.tsx'

const none = <span className={cells.minor}>–</span>
const here = <Badge color="good">Still here</Badge>
const moment = (at: string) => <span className={cells.short}>{formatMoment(at)}</span>
const left = (at: string | null) => (at === null ? here : moment(at))

function nameColumns<Row extends Pick<Absentee, 'id' | 'user_id' | 'username'>>(): Column<Row>[] {
  return [
    {
      header: 'Username',
      meta: { card: 'heading' },
      cell: ({ row: { original } }) => (
        <UserLink id={original.id} name={original.username} className={cells.name} wraps />
      ),
    },
    {
      header: 'User ID',
      cell: ({ row }) => (
        <span className={cells.code} dir="ltr">
          {row.original.user_id}
        </span>
      ),
    },
  ]
}

function personColumns<Row extends Absentee>(): Column<Row>[] {
  return [
    ...nameColumns<Row>(),
    {
      header: 'Reference',
      cell: ({ row: { original } }) =>
        original.reference ? <PersonText text={original.reference} className={cells.text} wraps /> : none,
    },
  ]
}

const ABSENT = personColumns<Absentee>()
const MISSING: Column<RoomUser>[] = [
  ...personColumns<RoomUser>(),
  {
    header: 'Last seen',
    cell: ({ row: { original } }) =>
      original.last_seen ? moment(original.last_seen) : <span className={cells.minor}>Never signed in</span>,
  },
]
const ATTENDED: Column<Attendance>[] = [
  ...personColumns<Attendance>(),
  { header: 'Arrived', cell: ({ row }) => moment(row.original.first_joined) },
  { header: 'Left', cell: ({ row }) => left(row.original.last_left) },
  { header: 'Visits', cell: ({ row }) => row.original.visits },
  { header: 'Time present', cell: ({ row }) => formatSpan(row.original.total_seconds) },
]
type Speaking = SpeakingTime & { share: number }
const SPOKE: Column<Speaking>[] = [
  ...personColumns<Speaking>(),
  { header: 'Time spoken', cell: ({ row }) => formatClock(row.original.spoke_seconds) },
  {
    header: 'Share',
    cell: ({ row: { original } }) => (
      <Group gap="sm" wrap="nowrap">
        <span>{Math.round(original.share * 100)}%</span>
        <Progress value={original.share * 100} size="sm" flex="1 1 5rem" miw="3rem" maw="12rem" aria-hidden="true" />
      </Group>
    ),
  },
]
const STAYS: Column<Stay>[] = [
  ...nameColumns<Stay>(),
  { header: 'Arrived', cell: ({ row }) => moment(row.original.joined_at) },
  { header: 'Left', cell: ({ row }) => left(row.original.left_at) },
  { header: 'Time present', cell: ({ row }) => formatSpan(row.original.seconds) },
]

type AttendanceTableProps<Row> = { rows: Row[]; empty: ReactNode }

export function AttendanceTable({ rows, empty }: AttendanceTableProps<Attendance>) {
  const table = useDataTable({ columns: ATTENDED, data: rows, getRowId: ({ id }) => id })
  return <DataTable label="Attended" table={table} empty={empty} />
}

export function AbsentTable({ rows, empty }: AttendanceTableProps<Absentee>) {
  const table = useDataTable({ columns: ABSENT, data: rows, getRowId: ({ id }) => id })
  return <DataTable label="Absent" table={table} empty={empty} />
}

export function MissingTable({ rows, empty }: AttendanceTableProps<RoomUser>) {
  const table = useDataTable({ columns: MISSING, data: rows, getRowId: ({ id }) => id })
  return <DataTable label="Missing now" table={table} empty={empty} />
}

/** `total` is all that was spoken, in seconds, also by those who are filtered out. */
export function SpokeTable({ rows, total, empty }: AttendanceTableProps<SpeakingTime> & { total: number }) {
  const data = useMemo(() => rows.map((row) => ({ ...row, share: row.spoke_seconds / total })), [rows, total])
  const table = useDataTable({ columns: SPOKE, data, getRowId: ({ id }) => id })
  return <DataTable label="Spoke" table={table} empty={empty} />
}

export function StaysTable({ rows, empty }: AttendanceTableProps<Stay>) {
  const table = useDataTable({ columns: STAYS, data: rows, getRowId: ({ id, joined_at }) => `${id} ${joined_at}` })
  return <DataTable label="Visits" table={table} empty={empty} />
}
