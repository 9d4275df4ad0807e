import { ActionIcon } from '@mantine/core'
import { IconCalendarDollar, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { Host } from '../../../../shared/hosts.ts'
import { CardActions } from '../../../ui/CardActions.tsx'
import cells from '../../../ui/cells.module.css'
import { formatDay } from '../../../ui/format-date.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { actionsColumn, type Column, selectColumn } from '../../../ui/use-data-table.tsx'
import { ActiveBadge, OnlineBadge, StorageCell, SubscriptionCell, ZoomBadge } from '../host-badges.tsx'
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
          <PersonText text={host.username} className={`${cells.name} ${classes.cut}`} />
          <PersonText text={host.room_name} className={`${cells.minor} ${classes.cut}`} />
          <span className={cells.minor}>{host.user_id}</span>
        </span>
      ),
    },
    {
      ...sorted('contact', 'Contact'),
      cell: ({ row: { original: host } }) => (
        <span className={cells.lines}>
          <span className={classes.email} dir="ltr">
            {breakable(host.email)}
          </span>
          {host.mobile ? (
            <span className={`one-line ${cells.minor} ${classes.cut}`} dir="ltr">
              {host.mobile}
            </span>
          ) : null}
        </span>
      ),
    },
    { ...sorted('zoom', 'Zoom Integration'), cell: ({ row }) => <ZoomBadge host={row.original} /> },
    { ...sorted('online', 'Online\u00a0Status'), cell: ({ row }) => <OnlineBadge host={row.original} /> },
    {
      ...sorted('subscription', 'Subscription'),
      cell: ({ row }) => <SubscriptionCell host={row.original} />,
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

/** Breaks a long address after its @ or a dot rather than within a word. */
function breakable(address: string) {
  const parts = address.split(/(?<=[@.])/)
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ))
}

const ROW_ACTIONS = [
  { action: 'view', label: 'View', of: 'View', icon: IconEye, size: 28 },
  { action: 'edit', label: 'Edit', of: 'Edit', icon: IconPencil, size: 28 },
  { action: 'subscription', label: 'Manage subscription', of: 'Manage subscription of', icon: IconCalendarDollar },
  { action: 'delete', label: 'Delete', of: 'Delete', icon: IconTrash, color: 'bad' },
] as const

/** Icons in the table; a menu with words on a card, which is used by thumb. */
function RowActions({ host, onAction }: { host: Host; onAction: OnHostAction }) {
  return (
    <>
      <span className={`${cells.actions} ${cells.inTable}`} style={{ gap: 0 }}>
        {ROW_ACTIONS.map(({ action, label, of, icon: Icon, ...look }) => (
          <ActionIcon
            key={action}
            {...look}
            aria-label={`${of} ${host.username}`}
            title={label}
            onClick={() => onAction(action, host)}
          >
            <Icon size={18} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
        ))}
      </span>
      <CardActions
        name={host.username}
        actions={ROW_ACTIONS.map(({ action, label, icon }) => ({
          label,
          icon,
          isDanger: action === 'delete',
          onChoose: () => onAction(action, host),
        }))}
      />
    </>
  )
}
