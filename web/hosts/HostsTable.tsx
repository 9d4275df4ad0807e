import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCalendarDollar, IconEye, IconTrash } from '@tabler/icons-react'
import type { Host } from '../../shared/hosts.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { formatDay } from '../ui/format-date.ts'
import classes from './HostsScreen.module.css'
import { ActiveBadge, OnlineBadge, SubscriptionCell, ZoomBadge } from './host-badges.tsx'

export type HostAction = 'view' | 'subscription' | 'delete'

type HostsTableProps = { hosts: Host[]; onAction: (action: HostAction, host: Host) => void }

export function HostsTable({ hosts, onAction }: HostsTableProps) {
  const now = Date.now()
  const columns: Column<Host>[] = [
    {
      key: 'host',
      header: 'Host',
      card: 'heading',
      cell: (host) => (
        <span className={classes.lines}>
          <span className={classes.major}>{host.username}</span>
          <span className={classes.minor}>
            {host.user_id} · {host.room_name}
          </span>
        </span>
      ),
    },
    {
      key: 'contact',
      header: 'Contact',
      cell: (host) => (
        <span className={classes.lines}>
          <span className={classes.email} title={host.email}>
            {host.email}
          </span>
          {host.mobile ? <span className={classes.minor}>{host.mobile}</span> : null}
        </span>
      ),
    },
    { key: 'zoom', header: 'Zoom Integration', cell: (host) => <ZoomBadge host={host} /> },
    { key: 'online', header: 'Online Status', cell: (host) => <OnlineBadge host={host} /> },
    { key: 'subscription', header: 'Subscription', cell: (host) => <SubscriptionCell host={host} now={now} /> },
    { key: 'status', header: 'Status', cell: (host) => <ActiveBadge host={host} /> },
    {
      key: 'created',
      header: 'Created',
      cell: (host) => <span className={classes.date}>{formatDay(host.created_at)}</span>,
    },
    {
      key: 'actions',
      header: 'Actions',
      card: 'actions',
      align: 'end',
      cell: (host) => (
        <span className={classes.actions}>
          <RowAction label={`View ${host.username}`} tip="View" onClick={() => onAction('view', host)}>
            <IconEye size={18} stroke={1.75} />
          </RowAction>
          <RowAction
            label={`Manage subscription of ${host.username}`}
            tip="Manage subscription"
            onClick={() => onAction('subscription', host)}
          >
            <IconCalendarDollar size={18} stroke={1.75} />
          </RowAction>
          <RowAction label={`Delete ${host.username}`} tip="Delete" danger onClick={() => onAction('delete', host)}>
            <IconTrash size={18} stroke={1.75} />
          </RowAction>
        </span>
      ),
    },
  ]

  return <DataTable label="Hosts" columns={columns} rows={hosts} rowKey={(host) => host.id} />
}

type RowActionProps = { label: string; tip: string; danger?: boolean; onClick: () => void; children: React.ReactNode }

function RowAction({ label, tip, danger = false, onClick, children }: RowActionProps) {
  return (
    <Tooltip label={tip}>
      <ActionIcon size="md" aria-label={label} color={danger ? 'red' : 'gray'} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
