import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AuditEntry } from '../../../../shared/audit.ts'
import cells from '../../../ui/cells.module.css'
import { DataTable } from '../../../ui/DataTable.tsx'
import { formatDay, formatTime } from '../../../ui/format-date.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { type Column, useDataTable } from '../../../ui/use-data-table.tsx'
import { actorWords } from '../../../widgets/audit/actor-words.ts'
import { auditActionText, timesText } from '../../../widgets/audit/audit-words.ts'
import { type AuditLine, foldEntries } from '../../../widgets/audit/fold-entries.ts'

/** Lists entries of all hosts, newest first. Runs of the same act are one line. */
export function AllHostsLogTable({ entries, empty }: { entries: AuditEntry[]; empty: ReactNode }) {
  const table = useDataTable({ columns: COLUMNS, data: foldEntries(entries), getRowId: ({ entry }) => entry.id })
  return <DataTable label="Log of all hosts" table={table} empty={empty} />
}

const COLUMNS: Column<AuditLine>[] = [
  {
    header: 'When',
    meta: { width: '8rem' },
    cell: ({ row: { original: line } }) => (
      <time dateTime={line.entry.at} className={cells.lines}>
        <span>{formatTime(line.entry.at)}</span>
        <span className={cells.minor}>{formatDay(line.entry.at)}</span>
      </time>
    ),
  },
  {
    header: 'Action',
    meta: { card: 'heading', width: '28%' },
    cell: ({ row: { original: line } }) => (
      <span className={cells.lines}>
        <Text inherit component="span" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {auditActionText(line.entry.action) + timesText(line.entry)}
        </Text>
        <About line={line} />
      </span>
    ),
  },
  { header: 'Host', meta: { width: '22%' }, cell: ({ row: { original: line } }) => <HostCell entry={line.entry} /> },
  {
    header: 'By',
    meta: { width: '22%' },
    cell: ({ row: { original: line } }) => <PersonText text={actorWords(line.entry)} className={cells.text} wraps />,
  },
  {
    header: 'From',
    meta: { width: '9rem' },
    cell: ({ row: { original: line } }) => <span className={cells.minor}>{line.entry.ip ?? '–'}</span>,
  },
]

/** Names the account or user that an act was about, or the number of them. */
function About({ line: { entry, users } }: { line: AuditLine }) {
  const { target, actor, host_id } = entry
  if (target?.name && target.id !== host_id && target.id !== actor.id)
    return (
      <span className={cells.soft}>
        <PersonText text={target.name} wraps />
      </span>
    )
  const count = users.length + (entry.users_left_out ?? 0)
  return count > 0 ? (
    <span className={cells.soft}>{count === 1 ? '1 user' : `${count.toLocaleString('en')} users`}</span>
  ) : null
}

function HostCell({ entry: { host_id, host_name } }: { entry: AuditEntry }) {
  if (host_id === null) return <span className={cells.soft}>No host</span>
  if (host_name === null) return <span className={cells.soft}>A deleted host</span>
  return (
    <Anchor component={Link} to={`/master/hosts?host=${host_id}`} inherit>
      <PersonText text={host_name} wraps />
    </Anchor>
  )
}
