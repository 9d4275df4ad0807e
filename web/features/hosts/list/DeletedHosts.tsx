import { Badge, Button } from '@mantine/core'
import { IconRestore, IconTrashX } from '@tabler/icons-react'
import type { Host } from '../../../../shared/hosts.ts'
import { daysRemaining } from '../../../../shared/subscriptions.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import cells from '../../../ui/cells.module.css'
import { confirm } from '../../../ui/confirm.tsx'
import { DataTable, type ListProps } from '../../../ui/DataTable.tsx'
import { formatDay } from '../../../ui/format-date.ts'
import { NameCell } from '../../../ui/NameCell.tsx'
import { toast } from '../../../ui/toast.tsx'
import { actionsColumn, type Column, useDataTable } from '../../../ui/use-data-table.tsx'
import { usePurgeHost, useRestoreHost } from '../queries.ts'

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true }

/** Lists the deleted hosts that can still be restored. */
export function DeletedHosts({ hosts, ...listProps }: ListProps & { hosts: Host[] }) {
  const restore = useRestoreHost()
  const purge = usePurgeHost()
  const busy = restore.isPending || purge.isPending

  function handleRestore({ id }: Host) {
    restore.mutate(id, {
      onSuccess: ({ message, data }) => toast.success(message ?? `Host "${data.username}" restored`),
      onError: (error) => toast.error(messageOf(error, 'Failed to restore host')),
    })
  }

  async function handlePurge({ id, username }: Host) {
    const agreed = await confirm({
      title: `Purge ${username} now?`,
      body: 'Its users, recordings and attendance are erased immediately and for good. Do this when the host has asked for its data to be deleted.',
      confirmLabel: 'Purge now',
      danger: true,
    })
    if (!agreed) return
    purge.mutate(id, {
      onSuccess: ({ message }) => toast.success(message ?? `The data of "${username}" has been removed`),
      onError: (error) => toast.error(messageOf(error, 'Failed to purge host')),
    })
  }

  const columns: Column<Host>[] = [
    {
      header: 'Host',
      meta: { card: 'heading' },
      cell: ({ row: { original: host } }) => (
        <NameCell
          name={host.username}
          detail={
            <>
              {host.user_id} · <bdi>{host.room_name}</bdi>
            </>
          }
        />
      ),
    },
    {
      header: 'Contact',
      cell: ({ row: { original: host } }) => (
        <span className={cells.lines}>
          <span className={cells.text}>{host.email}</span>
          {host.mobile ? <span className={cells.minor}>{host.mobile}</span> : null}
        </span>
      ),
    },
    { header: 'Users', cell: ({ row }) => row.original.user_count },
    {
      header: 'Deleted',
      cell: ({ row: { original } }) =>
        original.deleted_at ? <span className={cells.short}>{formatDay(original.deleted_at)}</span> : null,
    },
    { header: 'Days left', cell: ({ row }) => <DaysLeft host={row.original} /> },
    actionsColumn((host) => (
      <>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRestore {...ICON} />}
          disabled={busy}
          aria-label={`Restore ${host.username}`}
          onClick={() => handleRestore(host)}
        >
          Restore
        </Button>
        <Button
          size="xs"
          variant="light"
          color="red"
          leftSection={<IconTrashX {...ICON} />}
          disabled={busy}
          aria-label={`Purge ${host.username} now`}
          onClick={() => void handlePurge(host)}
        >
          Purge now
        </Button>
      </>
    )),
  ]
  const table = useDataTable({ columns, data: hosts, getRowId: ({ id }) => id })
  return <DataTable label="Deleted hosts" table={table} {...listProps} />
}

function DaysLeft({ host }: { host: Host }) {
  const days = host.purge_at ? Math.max(0, daysRemaining(host.purge_at, serverNow())) : 0
  return <Badge color={days <= 7 ? 'warn' : 'quiet'}>{days === 1 ? '1 day left' : `${days} days left`}</Badge>
}
