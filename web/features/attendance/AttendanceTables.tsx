import { Badge } from '@mantine/core'
import type { Absent, Attendance, Stay } from '../../../shared/attendance.ts'
import { formatSpan } from '../../lib/periods.ts'
import cells from '../../ui/cells.module.css'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { formatMoment } from '../../ui/format-date.ts'

const none = <span className={cells.minor}>–</span>
const here = <Badge color="good">Still here</Badge>
const moment = (at: string) => <span className={cells.short}>{formatMoment(at)}</span>
const left = (at: string | null) => (at === null ? here : moment(at))

type Named = Pick<Absent, 'user_id' | 'username'>
const nameColumns: Column<Named>[] = [
  {
    key: 'username',
    header: 'Username',
    card: 'heading',
    cell: ({ username }) => <span className={cells.name}>{username}</span>,
  },
  { key: 'user_id', header: 'User ID', cell: ({ user_id }) => <span className={cells.code}>{user_id}</span> },
]
const referenceColumn: Column<Named & Pick<Absent, 'reference'>> = {
  key: 'reference',
  header: 'Reference',
  cell: ({ reference }) => (reference ? <span className={cells.text}>{reference}</span> : none),
}

const cameColumns: Column<Attendance>[] = [
  ...nameColumns,
  referenceColumn,
  { key: 'first', header: 'First came', cell: ({ first_joined }) => moment(first_joined) },
  { key: 'last', header: 'Last left', cell: ({ last_left }) => left(last_left) },
  { key: 'visits', header: 'Visits', cell: ({ visits }) => visits },
  { key: 'time', header: 'Time there', cell: ({ total_seconds }) => formatSpan(total_seconds) },
]
const stayColumns: Column<Stay>[] = [
  ...nameColumns,
  { key: 'joined', header: 'Came', cell: ({ joined_at }) => moment(joined_at) },
  { key: 'left', header: 'Left', cell: ({ left_at }) => left(left_at) },
  { key: 'time', header: 'Time there', cell: ({ seconds }) => formatSpan(seconds) },
]

export function AttendanceTable({ rows }: { rows: Attendance[] }) {
  return <DataTable label="Who came" columns={cameColumns} rows={rows} rowKey={({ id }) => id} />
}

export function AbsentTable({ rows }: { rows: Absent[] }) {
  return (
    <DataTable<Absent>
      label="Who did not come"
      columns={[...nameColumns, referenceColumn]}
      rows={rows}
      rowKey={({ id }) => id}
    />
  )
}

export function StaysTable({ rows }: { rows: Stay[] }) {
  return (
    <DataTable label="Visits" columns={stayColumns} rows={rows} rowKey={({ id, joined_at }) => `${id} ${joined_at}`} />
  )
}
