import { ActionIcon, Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import type { Host, ProfileAction } from '../../../../shared/hosts.ts'
import { shortDeviceId } from '../../../lib/short-device-id.ts'
import cells from '../../../ui/cells.module.css'
import { DataTable, type ListProps } from '../../../ui/DataTable.tsx'
import { NameCell } from '../../../ui/NameCell.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { actionsColumn, type Column, useDataTable } from '../../../ui/use-data-table.tsx'
import { ActiveBadge, OnlineBadge, SubscriptionCell, ZoomBadge } from '../host-badges.tsx'
import { NO_PHONE, withoutPhone } from './no-phone.ts'

type AllHostsTableProps = ListProps & {
  hosts: Host[]
  busy: boolean
  onAction: (action: ProfileAction, host: Host) => void
  onView: (host: Host) => void
}

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
    actionsColumn((host) => (
      <>
        <ActionIcon aria-label={`View ${host.username}`} title={`View ${host.username}`} onClick={() => onView(host)}>
          <IconEye size={18} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
        <Letter letter="S" act="Stop the room of" {...{ host, onAction }} action="stop" off={busy || !host.is_active} />
        <Letter
          letter="A"
          act="Activate the room of"
          {...{ host, onAction }}
          action="activate"
          off={busy || host.is_active}
        />
        <Letter
          letter="C"
          act="Change the phone of"
          {...{ host, onAction }}
          action="change-phone"
          off={busy}
          reason={host.device_id === null ? NO_PHONE : undefined}
        />
      </>
    )),
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

type LetterProps = Pick<AllHostsTableProps, 'onAction'> & {
  letter: string
  act: string
  action: ProfileAction
  host: Host
  off: boolean
  /** Why it can never be done as things are. */
  reason?: string | undefined
}

/** The product's own short names: S stops, A activates, C changes the phone. */
function Letter({ letter, act, action, host, off, reason, onAction }: LetterProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      title={reason ?? `${act} ${host.username}`}
      aria-label={`${letter}: ${act} ${host.username}`}
      disabled={off}
      {...(reason && withoutPhone)}
      onClick={reason ? undefined : () => onAction(action, host)}
    >
      {letter}
    </Button>
  )
}
