import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Renewal } from '../../../../shared/renewals.ts'
import { monthsText } from '../../../../shared/subscription-display.ts'
import { OFFERED_MONTHS } from '../../../../shared/subscriptions.ts'
import { messageOf } from '../../../lib/api-client.ts'
import cells from '../../../ui/cells.module.css'
import { DataTable } from '../../../ui/DataTable.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useClickGuard } from '../../../ui/use-click-guard.ts'
import { actionsColumn, type Column, useDataTable } from '../../../ui/use-data-table.tsx'
import { SubscriptionCell } from '../host-badges.tsx'
import { useExtendSubscription } from '../queries.ts'

type RenewalsTableProps = {
  hosts: Renewal[]
  empty: ReactNode
  /** Called with the pressed button, whose line may leave the list. */
  onGone: (pressed: Element) => void
}

/** Extends a subscription by one press. */
export function RenewalsTable({ hosts, empty, onGone }: RenewalsTableProps) {
  const [page, setPage] = useState(1)
  const isMeant = useClickGuard(hosts.map(({ id }) => id))

  const columns: Column<Renewal>[] = [
    {
      header: 'Host',
      meta: { card: 'heading' },
      cell: ({ row }) => <PersonText text={row.original.username} className={cells.name} wraps />,
    },
    {
      header: 'Contact',
      cell: ({ row: { original: host } }) => (
        <span className={cells.lines} dir="ltr">
          <span className={cells.text}>{host.email}</span>
          {host.mobile ? <span className={cells.minor}>{host.mobile}</span> : null}
        </span>
      ),
    },
    { header: 'Subscription', cell: ({ row }) => <SubscriptionCell host={row.original} /> },
    actionsColumn((host) => <Extend host={host} isMeant={(event) => isMeant(host.id, event)} onGone={onGone} />),
  ]
  const table = useDataTable({ columns, data: hosts, getRowId: ({ id }) => id })
  return <DataTable label="Subscriptions to renew" table={table} page={page} onPage={setPage} empty={empty} />
}

type ExtendProps = {
  host: Renewal
  isMeant: (event: { detail: number }) => boolean
  onGone: RenewalsTableProps['onGone']
}

function Extend({ host: { id, username, subscription_end_date }, isMeant, onGone }: ExtendProps) {
  const extension = useExtendSubscription()

  function handleExtend(months: number, pressed: Element) {
    extension.mutate(
      { id, months, seenEnd: subscription_end_date },
      {
        onSuccess: () => {
          toast.success(`Subscription of ${username} extended by ${monthsText(months)}`)
          onGone(pressed)
        },
        onError: (error) => toast.error(messageOf(error, 'Failed to extend subscription')),
      },
    )
  }

  return OFFERED_MONTHS.map((months) => (
    <Button
      key={months}
      size="xs"
      px={10}
      variant="default"
      aria-label={`Extend ${username} by ${monthsText(months)}`}
      loading={extension.isPending && extension.variables.months === months}
      disabled={extension.isPending}
      onClick={(event) => isMeant(event) && handleExtend(months, event.currentTarget)}
    >
      +{monthsText(months)}
    </Button>
  ))
}
