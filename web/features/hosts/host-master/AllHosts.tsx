import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Host, ProfileAction } from '../../../../shared/hosts.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { hosts } from '../../../queries/hosts.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AddHost } from '../add/AddHost.tsx'
import { useAddHostFromAddress } from '../add/use-add-host-from-address.ts'
import { HostDetailsModal } from '../details/HostDetailsModal.tsx'
import { HostsSearch } from '../list/HostsSearch.tsx'
import { applyHostsView } from '../list/hosts-view.ts'
import { useHostsView } from '../list/use-hosts-view.ts'
import { useHostProfileAction } from '../queries.ts'
import { opensOnHostMaster } from '../zoom-connect/return-query.ts'
import { AllHostsTable } from './AllHostsTable.tsx'
import { confirmProfileAction } from './confirm-profile-action.ts'

const EMAIL_FIRST = 'Please enter the host email first to integrate with Zoom'

/** Host Master for a master: every host, with the actions that a host has on its own room and phone. */
export function AllHosts() {
  const list = useQuery(hosts)
  const adding = useAddHostFromAddress(opensOnHostMaster)
  const { view, change } = useHostsView()
  const act = useHostProfileAction()
  const [viewed, setViewed] = useState<Host | null>(null)

  const all = list.data?.data.hosts
  const found = useMemo(() => (all ? applyHostsView(all, view, serverNow()) : []), [all, view])

  const isSearched = view.words.trim() !== ''

  async function handleAction(action: ProfileAction, { id, username }: Host) {
    if (!(await confirmProfileAction(action, username))) return
    act.mutate(
      { id, action },
      {
        onSuccess: ({ message }) => toast.success(message ?? 'Done'),
        onError: (error) => toast.error(messageOf(error, `Failed to ${action} user`)),
      },
    )
  }

  return (
    <Page
      title="Host Master"
      subtitle="All hosts, their rooms and their phones"
      actions={
        <Button leftSection={<IconPlus size={17} aria-hidden="true" />} onClick={adding.open}>
          Add New Host
        </Button>
      }
    >
      <AddHost adding={adding} emailFirst={EMAIL_FIRST} />
      <div>
        <HostsSearch words={view.words} onSearch={(words) => change({ words })} />
      </div>
      {all && list.isError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      {all ? (
        <AllHostsTable
          hosts={found}
          busy={act.isPending}
          onAction={handleAction}
          onView={setViewed}
          page={view.page}
          onPage={(page) => change({ page })}
          empty={
            <Empty
              hint={isSearched ? 'No host fits this search.' : 'A host has one room, and manages the users in it.'}
              action={
                <Button variant="default" onClick={isSearched ? () => change({ words: '' }) : adding.open}>
                  {isSearched ? 'Show all hosts' : 'Add the first host'}
                </Button>
              }
            >
              No host data available
            </Empty>
          }
        />
      ) : (
        <NotLoaded query={list} text="Failed to load data" />
      )}
      {viewed ? <HostDetailsModal host={viewed} onClose={() => setViewed(null)} /> : null}
    </Page>
  )
}
