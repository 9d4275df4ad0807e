import { Button, TextInput } from '@mantine/core'
import { IconPlugConnected, IconPlus, IconSearch, IconUserCheck, IconUsers, IconWifi } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Host } from '../../shared/hosts.ts'
import { messageOf } from '../api.ts'
import { confirm } from '../ui/confirm.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { StatCard, StatRow } from '../ui/StatCard.tsx'
import { toast } from '../ui/toast.tsx'
import { AddHostModal } from './AddHostModal.tsx'
import { DeleteWarning } from './DeleteWarning.tsx'
import { HostDetailsModal } from './HostDetailsModal.tsx'
import classes from './HostsScreen.module.css'
import { type HostAction, HostsTable } from './HostsTable.tsx'
import { hostsSummary, searchHosts } from './hosts-summary.ts'
import { ManageSubscriptionModal } from './ManageSubscriptionModal.tsx'
import { hosts, useDeleteHost } from './queries.ts'
import { useAddHostFromAddress } from './use-add-host-from-address.ts'

export function HostsScreen() {
  const list = useQuery(hosts)
  const deleteHost = useDeleteHost()
  const adding = useAddHostFromAddress()
  const [words, setWords] = useState('')
  const [shown, setShown] = useState<{ action: HostAction; id: string } | null>(null)

  const all = list.data?.data.hosts
  const summary = all ? hostsSummary(all) : null
  const found = all ? searchHosts(all, words) : []
  const host = all?.find(({ id }) => id === shown?.id)

  async function handleDelete({ id, username }: Host) {
    const agreed = await confirm({
      title: `Delete ${username}?`,
      body: <DeleteWarning username={username} />,
      confirmLabel: 'Delete host',
      danger: true,
    })
    if (!agreed) return
    deleteHost.mutate(id, {
      onSuccess: () => toast.success(`Host "${username}" deleted successfully. All associated data has been removed.`),
      onError: (error) => toast.error(`Failed to delete host: ${messageOf(error, 'Please try again.')}`),
    })
  }

  function handleAction(action: HostAction, chosen: Host) {
    if (action === 'delete') void handleDelete(chosen)
    else setShown({ action, id: chosen.id })
  }

  return (
    <Page
      title="Host Management"
      subtitle="Manage host accounts and their Zoom integrations"
      actions={
        <Button leftSection={<IconPlus size={17} aria-hidden="true" />} onClick={adding.open}>
          Add New Host
        </Button>
      }
    >
      <StatRow>
        <StatCard label="Total Hosts" value={summary?.total} icon={<IconUsers size={20} stroke={1.75} />} />
        <StatCard label="Active Hosts" value={summary?.active} icon={<IconUserCheck size={20} stroke={1.75} />} />
        <StatCard
          label="Online Hosts"
          value={summary?.online}
          tone="good"
          icon={<IconWifi size={20} stroke={1.75} />}
        />
        <StatCard
          label="Zoom Connected"
          value={summary?.zoomConnected}
          icon={<IconPlugConnected size={20} stroke={1.75} />}
        />
      </StatRow>

      {adding.notice && !adding.isOpen ? (
        <Notice tone={adding.notice.tone} onDismiss={adding.dismissNotice}>
          {adding.notice.text}
        </Notice>
      ) : null}

      <div className={classes.tools}>
        <TextInput
          className={classes.search}
          type="search"
          aria-label="Search hosts"
          placeholder="Search by username, email or mobile"
          leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        {words.trim() && all ? (
          <span className={classes.count} role="status">
            {found.length} of {all.length}
          </span>
        ) : null}
      </div>

      <HostsBody
        loading={list.isPending}
        error={list.isError && !all ? messageOf(list.error, 'Failed to load hosts') : null}
        retrying={list.isFetching}
        onRetry={() => void list.refetch()}
        hosts={found}
        filtered={words.trim() !== ''}
        onAction={handleAction}
      />

      {adding.isOpen ? <AddHostModal start={adding.start} onClose={adding.close} /> : null}
      {host && shown?.action === 'view' ? <HostDetailsModal host={host} onClose={() => setShown(null)} /> : null}
      {host && shown?.action === 'subscription' ? (
        <ManageSubscriptionModal host={host} onClose={() => setShown(null)} />
      ) : null}
    </Page>
  )
}

type HostsBodyProps = {
  loading: boolean
  error: string | null
  retrying: boolean
  onRetry: () => void
  hosts: Host[]
  filtered: boolean
  onAction: (action: HostAction, host: Host) => void
}

function HostsBody({ loading, error, retrying, onRetry, hosts, filtered, onAction }: HostsBodyProps) {
  if (loading) {
    return (
      <Panel>
        <Loading label="Loading hosts..." />
      </Panel>
    )
  }
  if (error) {
    return (
      <Panel>
        <Failed title="Failed to load hosts" onRetry={onRetry} retrying={retrying}>
          {error === 'Failed to load hosts'
            ? 'The list could not be fetched. Check the connection, then try again.'
            : error}
        </Failed>
      </Panel>
    )
  }
  if (hosts.length === 0) {
    return (
      <Panel>
        <Empty
          icon={<IconUsers size={22} stroke={1.75} aria-hidden="true" />}
          hint={filtered ? 'No host has this in its username, email or mobile.' : 'Add the first host to get started.'}
        >
          No hosts found
        </Empty>
      </Panel>
    )
  }
  return <HostsTable hosts={hosts} onAction={onAction} />
}
