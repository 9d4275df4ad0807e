import { ActionIcon } from '@mantine/core'
import { IconCalendarDollar, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import type { Host } from '../../../shared/hosts.ts'
import cells from '../../ui/cells.module.css'
import { formatDay } from '../../ui/format-date.ts'
import { actionsColumn, type Column, selectColumn } from '../../ui/use-data-table.tsx'
import { ActiveBadge, OnlineBadge, StorageCell, SubscriptionCell, ZoomBadge } from './host-badges.tsx'
import classes from './host-columns.module.css'
import { HOST_SORTS, type HostSort } from './hosts-view.ts'

export type HostAction = 'view' | 'edit' | 'subscription' | 'delete'
type OnHostAction = (action: HostAction, host: Host) => void

const sorted = (id: HostSort, header: string) => ({ id, header, accessorFn: HOST_SORTS[id] })

export function hostColumns(onAction: OnHostAction): Column<Host>[] {
  return [
    selectColumn('Select all hosts that are found', ({ username }) => username),
    {
      ...sorted('host', 'Host'),
      enableHiding: false, // it identifies the row
      meta: { card: 'heading' },
      cell: ({ row: { original: host } }) => (
        <span className={cells.lines}>
          <span className={`${cells.name} ${classes.cut}`} title={host.username}>
            {host.username}
          </span>
          <span className={`${cells.minor} ${classes.cut}`} title={host.room_name}>
            {host.user_id} · {host.room_name}
          </span>
        </span>
      ),
    },
    {
      ...sorted('contact', 'Contact'),
      cell: ({ row: { original: host } }) => (
        <span className={cells.lines}>
          <span className={classes.cut} title={host.email}>
            {host.email}
          </span>
          {host.mobile ? <span className={cells.minor}>{host.mobile}</span> : null}
        </span>
      ),
    },
    { ...sorted('zoom', 'Zoom Integration'), cell: ({ row }) => <ZoomBadge host={row.original} /> },
    { ...sorted('online', 'Online Status'), cell: ({ row }) => <OnlineBadge host={row.original} /> },
    {
      ...sorted('subscription', 'Subscription'),
      cell: ({ row }) => <SubscriptionCell host={row.original} withLength />,
    },
    { ...sorted('storage', 'Storage'), cell: ({ row }) => <StorageCell host={row.original} /> },
    { ...sorted('status', 'Status'), cell: ({ row }) => <ActiveBadge host={row.original} /> },
    {
      ...sorted('created', 'Created'),
      cell: ({ row }) => <span className={cells.short}>{formatDay(row.original.created_at)}</span>,
    },
    actionsColumn((host) => <RowActions host={host} onAction={onAction} />),
  ]
}

const ROW_ACTIONS = [
  { action: 'view', label: 'View', icon: IconEye, size: 28 },
  { action: 'edit', label: 'Edit', icon: IconPencil, size: 28 },
  { action: 'subscription', label: 'Manage subscription of', icon: IconCalendarDollar },
  { action: 'delete', label: 'Delete', icon: IconTrash, color: 'bad' },
] as const

function RowActions({ host, onAction }: { host: Host; onAction: OnHostAction }) {
  return (
    <span className={cells.actions} style={{ gap: 0 }}>
      {ROW_ACTIONS.map(({ action, label, icon: Icon, ...look }) => (
        <ActionIcon
          key={action}
          {...look}
          aria-label={`${label} ${host.username}`}
          title={`${label} ${host.username}`}
          onClick={() => onAction(action, host)}
        >
          <Icon size={18} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
      ))}
    </span>
  )
}
