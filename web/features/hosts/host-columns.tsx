import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconCalendarDollar, IconChevronDown, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { Host } from '../../../shared/hosts.ts'
import cells from '../../ui/cells.module.css'
import { formatDay } from '../../ui/format-date.ts'
import { menuProps } from '../../ui/menu-props.ts'
import { PersonText } from '../../ui/PersonText.tsx'
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
            {host.email}
          </span>
          {host.mobile ? (
            <span className={`${cells.minor} ${classes.cut}`} dir="ltr">
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

const ROW_ACTIONS = [
  { action: 'view', label: 'View', of: 'View', icon: IconEye, size: 28 },
  { action: 'edit', label: 'Edit', of: 'Edit', icon: IconPencil, size: 28 },
  { action: 'subscription', label: 'Manage subscription', of: 'Manage subscription of', icon: IconCalendarDollar },
  { action: 'delete', label: 'Delete', of: 'Delete', icon: IconTrash, color: 'bad' },
] as const

/** Icons in the table; on a card, which a thumb uses, a menu with words. */
function RowActions({ host, onAction }: { host: Host; onAction: OnHostAction }) {
  return (
    <>
      <span className={`${cells.actions} ${classes.inTable}`} style={{ gap: 0 }}>
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
      <Menu position="bottom-start" {...menuProps} width={220}>
        <Menu.Target>
          <Button
            className={classes.inCard}
            variant="default"
            rightSection={<IconChevronDown size={16} aria-hidden="true" />}
            aria-label={`Actions for ${host.username}`}
          >
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ROW_ACTIONS.map(({ action, label, icon: Icon, ...look }) => (
            <Fragment key={action}>
              {action === 'delete' ? <Menu.Divider /> : null}
              <Menu.Item
                color={'color' in look ? look.color : undefined}
                leftSection={<Icon size={17} stroke={1.75} aria-hidden="true" />}
                onClick={() => onAction(action, host)}
              >
                {label}
              </Menu.Item>
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
