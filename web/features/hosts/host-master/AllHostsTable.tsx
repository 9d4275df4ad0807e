import { ActionIcon, Button } from '@mantine/core'
import { IconDeviceMobileOff, IconEye, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { Host, ProfileAction } from '../../../../shared/hosts.ts'
import { shortDeviceId } from '../../../lib/short-device-id.ts'
import { CardActions } from '../../../ui/CardActions.tsx'
import cells from '../../../ui/cells.module.css'
import { DataTable, type ListProps } from '../../../ui/DataTable.tsx'
import { NameCell } from '../../../ui/NameCell.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { actionsColumn, type Column, useDataTable } from '../../../ui/use-data-table.tsx'
import { ActiveBadge, OnlineBadge, SubscriptionCell, ZoomBadge } from '../host-badges.tsx'
import { NO_PHONE_REASON, noPhoneButtonProps } from './no-phone.ts'

type AllHostsTableProps = ListProps & {
  hosts: Host[]
  busy: boolean
  onAction: (action: ProfileAction, host: Host) => void
  onView: (host: Host) => void
}

const ICONS = { stop: IconPlayerStop, activate: IconPlayerPlay, 'change-phone': IconDeviceMobileOff }

export function AllHostsTable({ hosts, busy, onAction, onView, ...listProps }: AllHostsTableProps) {
  const columns: Column<Host>[] = [
    {
      header: 'Host',
      meta: { card: 'heading' },
      cell: ({ row: { original: host } }) => <NameCell name={host.username} detail={host.user_id} />,
    },
    { header: 'Room', cell: ({ row }) => <PersonText text={row.original.room_name} className={cells.text} wraps /> },
    { header: 'Zoom', cell: ({ row }) => <ZoomBadge host={row.original} /> },
    { header: 'Online', cell: ({ row }) => <OnlineBadge host={row.original} /> },
    { header: 'Phone', cell: ({ row }) => <Phone host={row.original} /> },
    { header: 'Subscription', cell: ({ row }) => <SubscriptionCell host={row.original} /> },
    { header: 'Status', cell: ({ row }) => <ActiveBadge host={row.original} /> },
    actionsColumn((host) => <RowActions {...{ host, busy, onAction, onView }} />),
  ]
  const table = useDataTable({ columns, data: hosts, getRowId: ({ id }) => id })
  return <DataTable label="All hosts" table={table} {...listProps} />
}

function Phone({ host: { device_id, device_model } }: { host: Host }) {
  return (
    <span className={cells.lines}>
      {device_id ? <span>{device_model ?? 'Phone'}</span> : null}
      <span className={cells.minor} title={device_id ?? undefined}>
        {device_id ? shortDeviceId(device_id) : 'No phone yet'}
      </span>
    </span>
  )
}

type RowActionsProps = Omit<AllHostsTableProps, 'hosts' | keyof ListProps> & { host: Host }

/** The product's own short names: S stops, A activates, C changes the phone. A card has a menu with words. */
function RowActions({ host, busy, onAction, onView }: RowActionsProps) {
  const { username, is_active, device_id } = host
  const letters = [
    { letter: 'S', act: 'Stop the room of', label: 'Stop room', action: 'stop', off: busy || !is_active },
    { letter: 'A', act: 'Activate the room of', label: 'Activate room', action: 'activate', off: busy || is_active },
    { letter: 'C', act: 'Change the phone of', label: 'Change phone', action: 'change-phone', off: busy },
  ] as const
  const isNever = (action: ProfileAction) => action === 'change-phone' && device_id === null
  return (
    <>
      <span className={`${cells.actions} ${cells.inTable}`}>
        <ActionIcon aria-label={`View ${username}`} title={`View ${username}`} onClick={() => onView(host)}>
          <IconEye size={18} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
        {letters.map(({ letter, act, action, off }) => (
          <Button
            key={letter}
            size="compact-sm"
            variant="default"
            title={isNever(action) ? NO_PHONE_REASON : `${act} ${username}`}
            aria-label={`${letter}: ${act} ${username}`}
            disabled={off}
            {...(isNever(action) && noPhoneButtonProps)}
            onClick={isNever(action) ? undefined : () => onAction(action, host)}
          >
            {letter}
          </Button>
        ))}
      </span>
      <CardActions
        name={username}
        actions={[
          { label: 'View', icon: IconEye, onChoose: () => onView(host) },
          ...letters.map(({ letter, label, action, off }) => ({
            label: `${letter} · ${label}`,
            icon: ICONS[action],
            disabled: off || isNever(action),
            onChoose: () => onAction(action, host),
          })),
        ]}
      />
    </>
  )
}
