import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus, IconUserCheck, IconUsers, IconWifi } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { serverNow } from '../../lib/server-clock.ts'
import { hosts } from '../../queries/hosts.ts'
import { Page } from '../../ui/Page.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { useFailure } from '../../ui/use-failure.ts'
import { AddHost } from './add/AddHost.tsx'
import { useAddHostFromAddress } from './add/use-add-host-from-address.ts'
import { countByFilter, type HostFilter } from './host-filters.ts'
import { HostsList } from './list/HostsList.tsx'
import { useHostsView } from './list/use-hosts-view.ts'
import { MasterFirstSteps } from './MasterFirstSteps.tsx'
import { opensOnHostManagement } from './zoom-connect/return-query.ts'

const ICON = { size: 20, stroke: 1.75 }
const EMAIL_FIRST = "Please enter the host's Zoom email address first"

export function HostsScreen() {
  const list = useQuery(hosts)
  const adding = useAddHostFromAddress(opensOnHostManagement)
  const { view, change, viewed, closeViewed } = useHostsView()

  const failure = useFailure(list)
  const all = list.data?.data.hosts
  const counts = useMemo(() => (all ? countByFilter(all, serverNow()) : null), [all])
  const card = (filter: HostFilter) => ({
    value: counts ? counts.get(filter) : failure ? '–' : undefined,
    choice: { pressed: view.filter === filter, onPress: () => change({ filter }) },
  })

  return (
    <Page
      title="Host Management"
      subtitle="Manage host accounts and their Zoom integrations"
      actions={
        <>
          <Button component={Link} to="/host/host-master" variant="default">
            Host Master
          </Button>
          <Button leftSection={<IconPlus size={17} aria-hidden="true" />} onClick={adding.open}>
            Add New Host
          </Button>
        </>
      }
    >
      {all ? <MasterFirstSteps hosts={all} onAdd={adding.open} /> : null}

      <StatRow>
        <StatCard label="Total Hosts" icon={<IconUsers {...ICON} />} {...card('all')} />
        <StatCard label="Active Hosts" icon={<IconUserCheck {...ICON} />} {...card('active')} />
        <StatCard label="Online Hosts" tone="good" icon={<IconWifi {...ICON} />} {...card('online')} />
        <StatCard label="Zoom Connected" icon={<IconPlugConnected {...ICON} />} {...card('zoom-connected')} />
      </StatRow>

      <AddHost adding={adding} emailFirst={EMAIL_FIRST} />

      <HostsList
        view={view}
        onView={change}
        onAdd={adding.open}
        counts={counts}
        viewed={viewed}
        onViewedClosed={closeViewed}
      />
    </Page>
  )
}
