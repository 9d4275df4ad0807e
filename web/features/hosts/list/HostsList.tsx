import { Button, Group } from '@mantine/core'
import { IconCalendarPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { functionalUpdate } from '@tanstack/react-table'
import { useDeferredValue, useMemo, useState } from 'react'
import { z } from 'zod'
import type { Host } from '../../../../shared/hosts.ts'
import { saveCsv } from '../../../lib/download.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { hosts } from '../../../queries/hosts.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { useDataTable, useSelectedRows } from '../../../ui/use-data-table.tsx'
import { useStored } from '../../../ui/use-stored.ts'
import type { HostFilter } from '../host-filters.ts'
import { deletedHosts } from '../queries.ts'
import { BulkExtendModal } from '../subscription/BulkExtendModal.tsx'
import { DeletedHosts } from './DeletedHosts.tsx'
import { HostModals } from './HostModals.tsx'
import { HostsTools } from './HostsTools.tsx'
import { hostColumns } from './host-columns.tsx'
import { hostsCsv, hostsCsvName } from './hosts-csv.ts'
import { applyHostsView, type HostsView, isHostSort } from './hosts-view.ts'
import { type OpenHostDialog, useHostActions } from './use-host-actions.ts'
import type { ViewedHost } from './use-hosts-view.ts'

const NONE: Host[] = []
const Hidden = z.array(z.string())
/** The window width in px from which the storage column fits too, beside names and addresses of some length. */
const WIDE = 1600

type HostsListProps = {
  view: HostsView
  onView: (part: Partial<HostsView>) => void
  onAdd: () => void
  counts: Map<HostFilter, number> | null
  viewed: ViewedHost | null
  onViewedClosed: () => void
}

/** Lists the hosts of the view in pages, with actions on one, bulk extension and an export. */
export function HostsList({ view, onView, onAdd, counts, viewed, onViewedClosed }: HostsListProps) {
  const ofDeleted = view.filter === 'deleted'
  const live = useQuery(hosts)
  const deleted = useQuery({ ...deletedHosts, enabled: ofDeleted })
  const list = ofDeleted ? deleted : live
  const actions = useHostActions()
  const [unchosen] = useState(() => (window.innerWidth < WIDE ? ['storage'] : []))
  const [hidden, setHidden] = useStored('parley.hidden-host-columns', Hidden, unchosen)
  const [extending, setExtending] = useState<Host[] | null>(null)

  const all = list.data?.data.hosts
  const shownView = useDeferredValue(view)
  const { words, filter, sort, descending } = shownView
  const found = useMemo(
    () => (all ? applyHostsView(all, { words, filter, sort, descending }, serverNow()) : NONE),
    [all, words, filter, sort, descending],
  )
  const columns = useMemo(() => hostColumns(actions.act), [actions.act])
  const sorting = useMemo(() => [{ id: sort, desc: descending }], [sort, descending])
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((id) => [id, false])), [hidden])
  const table = useDataTable({
    columns,
    data: ofDeleted ? NONE : found,
    getRowId: ({ id }) => id,
    state: { sorting, columnVisibility },
    enableSorting: true,
    onSortingChange: (update) => {
      const [by] = functionalUpdate(update, sorting)
      if (by && isHostSort(by.id)) onView({ sort: by.id, descending: by.desc })
    },
    onColumnVisibilityChange: (update) => {
      const visibility = functionalUpdate(update, columnVisibility)
      setHidden(Object.keys(visibility).filter((id) => visibility[id] === false))
    },
  })
  const { selected, selectAll } = useSelectedRows(table)
  const addressed = viewed ? dialogOf(viewed, live.data?.data.hosts) : null
  const isNarrowed = words.trim() !== '' || filter !== 'all'
  const listProps = {
    page: shownView.page,
    onPage: (page: number) => onView({ page }),
    empty: (
      <NoHosts
        isNarrowed={isNarrowed}
        ofDeleted={ofDeleted && words.trim() === ''}
        onClear={() => onView({ words: '', filter: 'all' })}
        onAdd={onAdd}
      />
    ),
  }

  return (
    <>
      <HostsTools
        view={view}
        onView={onView}
        counts={counts}
        table={table}
        found={all && isNarrowed ? `${found.length.toLocaleString('en')} of ${all.length.toLocaleString('en')}` : null}
        onExport={all ? () => saveCsv(hostsCsvName(filter, serverNow()), hostsCsv(found)) : null}
      />
      {selected.length > 0 ? (
        <Group gap="xs" px="sm" py="xs" fz="sm" bg="var(--brand-soft)" bdrs="md">
          <strong>{selected.length.toLocaleString('en')} selected</strong>
          <Button
            size="xs"
            leftSection={<IconCalendarPlus size={16} aria-hidden="true" />}
            onClick={() => setExtending(selected)}
          >
            Extend subscriptions
          </Button>
          <Button size="xs" variant="subtle" onClick={() => selectAll(false)}>
            Clear selection
          </Button>
        </Group>
      ) : null}

      {all && list.isError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      {!all ? (
        <NotLoaded
          key={ofDeleted ? 'deleted' : 'live'}
          query={list}
          loading="Loading hosts..."
          title="Failed to load hosts"
        />
      ) : ofDeleted ? (
        <DeletedHosts hosts={found} {...listProps} />
      ) : (
        <DataTable label="Hosts" table={table} {...listProps} />
      )}

      <HostModals
        hosts={live.data?.data.hosts ?? NONE}
        shown={actions.shown ?? addressed}
        onClose={actions.shown ? actions.close : onViewedClosed}
        onAction={(action, host) => {
          if (addressed) onViewedClosed()
          void actions.act(action, host)
        }}
      />
      {extending ? (
        <BulkExtendModal
          hosts={extending}
          onClose={() => {
            setExtending(null)
            selectAll(false)
          }}
        />
      ) : null}
    </>
  )
}

function dialogOf({ id, months }: ViewedHost, all: Host[] = NONE): OpenHostDialog | null {
  const host = all.find((one) => one.id === id)
  if (!host) return null
  return months === null ? { action: 'view', host } : { action: 'subscription', host, months }
}

type NoHostsProps = { isNarrowed: boolean; ofDeleted: boolean; onClear: () => void; onAdd: () => void }

function NoHosts({ isNarrowed, ofDeleted, onClear, onAdd }: NoHostsProps) {
  const hint = ofDeleted
    ? 'No host was deleted in the last 30 days.'
    : isNarrowed
      ? 'No host fits this search and filter.'
      : 'A host has one room, and manages the users in it.'
  return (
    <Empty
      icon={<IconUsers size={22} stroke={1.75} aria-hidden="true" />}
      hint={hint}
      action={
        isNarrowed ? (
          <Button variant="default" onClick={onClear}>
            Show all hosts
          </Button>
        ) : (
          <Button variant="default" onClick={onAdd}>
            Add the first host
          </Button>
        )
      }
    >
      No hosts found
    </Empty>
  )
}
