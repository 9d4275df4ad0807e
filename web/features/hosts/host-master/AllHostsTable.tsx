import { ActionIcon, Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import type { Host, ProfileAction } from '../../../../shared/hosts.ts'
import { shortDeviceId } from '../../../lib/short-device-id.ts'
import cells from '../../../ui/cells.module.css'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { ActiveBadge, OnlineBadge, SubscriptionCell, ZoomBadge } from '../host-badges.tsx'

type AllHostsTableProps = {
  hosts: Host[]
  busy: boolean
  onAction: (action: ProfileAction, host: Host) => void
  onView: (host: Host) => void
}

export function AllHostsTable({ hosts, busy, onAction, onView }: AllHostsTableProps) {
  const now = Date.now()
  const columns: Column<Host>[] = [
    {
      key: 'host',
      header: 'Host',
      card: 'heading',
      cell: (host) => (
        <span className={cells.lines}>
          <span className={cells.name}>{host.username}</span>
          <span className={cells.minor}>{host.user_id}</span>
        </span>
      ),
    },
    { key: 'room', header: 'Room', cell: (host) => host.room_name },
    { key: 'zoom', header: 'Zoom', cell: (host) => <ZoomBadge host={host} /> },
    { key: 'online', header: 'Online', cell: (host) => <OnlineBadge host={host} /> },
    {
      key: 'phone',
      header: 'Phone',
      cell: (host) => (
        <span className={cells.lines}>
          {host.device_id ? (
            <>
              <span>{host.device_model ?? 'Phone'}</span>
              <span className={cells.minor} title={host.device_id}>
                {shortDeviceId(host.device_id)}
              </span>
            </>
          ) : (
            <span className={cells.minor}>No phone yet</span>
          )}
        </span>
      ),
    },
    { key: 'subscription', header: 'Subscription', cell: (host) => <SubscriptionCell host={host} now={now} /> },
    { key: 'status', header: 'Status', cell: (host) => <ActiveBadge host={host} /> },
    {
      key: 'actions',
      header: 'Actions',
      card: 'actions',
      align: 'end',
      cell: (host) => (
        <span className={cells.actions}>
          <ActionIcon aria-label={`View ${host.username}`} title={`View ${host.username}`} onClick={() => onView(host)}>
            <IconEye size={18} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
          <Letter
            letter="S"
            act="Stop the room of"
            {...{ host, onAction }}
            action="stop"
            off={busy || !host.is_active}
          />
          <Letter
            letter="A"
            act="Activate the room of"
            {...{ host, onAction }}
            action="activate"
            off={busy || host.is_active}
          />
          <Letter letter="C" act="Change the phone of" {...{ host, onAction }} action="change-phone" off={busy} />
        </span>
      ),
    },
  ]
  return <DataTable label="All hosts" columns={columns} rows={hosts} rowKey={({ id }) => id} />
}

type LetterProps = Pick<AllHostsTableProps, 'onAction'> & {
  letter: string
  act: string
  action: ProfileAction
  host: Host
  off: boolean
}

/** The product's own short names: S stops, A activates, C changes the phone. */
function Letter({ letter, act, action, host, off, onAction }: LetterProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      title={`${act} ${host.username}`}
      aria-label={`${letter}: ${act} ${host.username}`}
      disabled={off}
      onClick={() => onAction(action, host)}
    >
      {letter}
    </Button>
  )
}
