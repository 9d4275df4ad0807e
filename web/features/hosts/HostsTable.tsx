import { ActionIcon, Checkbox } from '@mantine/core'
import { IconCalendarDollar, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { Host } from '../../../shared/hosts.ts'
import cells from '../../ui/cells.module.css'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { formatDay } from '../../ui/format-date.ts'
import { SelectBox } from '../../ui/SelectBox.tsx'
import classes from './HostsTable.module.css'
import { ActiveBadge, OnlineBadge, StorageCell, SubscriptionCell, ZoomBadge } from './host-badges.tsx'
import { HOST_COLUMNS } from './host-columns.ts'
import type { HostSort, HostsView } from './hosts-view.ts'

export type HostAction = 'view' | 'edit' | 'subscription' | 'delete'

type HostsTableProps = {
  hosts: Host[]
  view: Pick<HostsView, 'sort' | 'descending'>
  hidden: readonly string[]
  selected: ReadonlySet<string>
  allSelected: boolean
  onSelect: (id: string, isSelected: boolean) => void
  onSelectAll: (isSelected: boolean) => void
  onSort: (sort: HostSort) => void
  onAction: (action: HostAction, host: Host) => void
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true }

/** Left alone while somebody types above it. */
export const HostsTable = memo(function HostsTable(props: HostsTableProps) {
  const { hosts, view, hidden, selected, allSelected, onSelect, onSelectAll, onSort, onAction } = props
  const now = Date.now()
  const checkbox = ({ id, username }: Host) => (
    <SelectBox id={id} label={`Select ${username}`} checked={selected.has(id)} onSelect={onSelect} />
  )
  const sortable = (key: HostSort) => ({
    key,
    header: HOST_COLUMNS[key],
    sort: {
      order: view.sort === key ? (view.descending ? ('descending' as const) : ('ascending' as const)) : null,
      onSort: () => onSort(key),
    },
  })
  const draw: Record<HostSort, (host: Host) => React.ReactNode> = {
    host: (host) => (
      <span className={cells.heading}>
        <span className={cells.inCard}>{checkbox(host)}</span>
        <span className={cells.lines}>
          <span className={`${cells.name} ${classes.cut}`} title={host.username}>
            {host.username}
          </span>
          <span className={`${cells.minor} ${classes.cut}`} title={host.room_name}>
            {host.user_id} · {host.room_name}
          </span>
        </span>
      </span>
    ),
    contact: (host) => (
      <span className={cells.lines}>
        <span className={classes.cut} title={host.email}>
          {host.email}
        </span>
        {host.mobile ? <span className={cells.minor}>{host.mobile}</span> : null}
      </span>
    ),
    zoom: (host) => <ZoomBadge host={host} />,
    online: (host) => <OnlineBadge host={host} />,
    subscription: (host) => <SubscriptionCell host={host} now={now} withLength />,
    storage: (host) => <StorageCell host={host} />,
    status: (host) => <ActiveBadge host={host} />,
    created: (host) => <span className={cells.short}>{formatDay(host.created_at)}</span>,
  }
  const columns: Column<Host>[] = [
    {
      key: 'select',
      card: 'hidden',
      header: (
        <Checkbox
          size="sm"
          aria-label="Select all hosts that are found"
          checked={allSelected}
          indeterminate={!allSelected && selected.size > 0}
          onChange={(event) => onSelectAll(event.currentTarget.checked)}
        />
      ),
      cell: checkbox,
    },
    { ...sortable('host'), card: 'heading', cell: draw.host },
    { ...sortable('contact'), cell: draw.contact },
    { ...sortable('zoom'), cell: draw.zoom },
    { ...sortable('online'), cell: draw.online },
    { ...sortable('subscription'), cell: draw.subscription },
    { ...sortable('storage'), cell: draw.storage },
    { ...sortable('status'), cell: draw.status },
    { ...sortable('created'), cell: draw.created },
    {
      key: 'actions',
      header: 'Actions',
      card: 'actions',
      align: 'end',
      cell: (host) => <RowActions host={host} onAction={onAction} />,
    },
  ]

  return (
    <DataTable
      label="Hosts"
      columns={columns.filter(({ key }) => !hidden.includes(key))}
      rows={hosts}
      rowKey={({ id }) => id}
      isSelected={({ id }) => selected.has(id)}
    />
  )
})

function RowActions({ host, onAction }: { host: Host; onAction: HostsTableProps['onAction'] }) {
  const { username } = host
  return (
    <span className={cells.actions} style={{ gap: 0 }}>
      <ActionIcon
        size={28}
        aria-label={`View ${username}`}
        title={`View ${username}`}
        onClick={() => onAction('view', host)}
      >
        <IconEye {...ICON} />
      </ActionIcon>
      <ActionIcon
        size={28}
        aria-label={`Edit ${username}`}
        title={`Edit ${username}`}
        onClick={() => onAction('edit', host)}
      >
        <IconPencil {...ICON} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Manage subscription of ${username}`}
        title={`Manage subscription of ${username}`}
        onClick={() => onAction('subscription', host)}
      >
        <IconCalendarDollar {...ICON} />
      </ActionIcon>
      <ActionIcon
        color="bad"
        aria-label={`Delete ${username}`}
        title={`Delete ${username}`}
        onClick={() => onAction('delete', host)}
      >
        <IconTrash {...ICON} />
      </ActionIcon>
    </span>
  )
}
