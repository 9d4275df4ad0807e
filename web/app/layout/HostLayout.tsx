import {
  IconCloud,
  IconDeviceMobileCog,
  IconDoor,
  IconDownload,
  IconHeadset,
  IconLayoutDashboard,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react'
import { SubscriptionBox } from '../../features/subscriptions/SubscriptionBox.tsx'
import { useSession } from '../../lib/session/session.ts'
import { findPeople } from './find-people.ts'
import { MasterLayout } from './MasterLayout.tsx'
import { Person } from './Person.tsx'
import { Shell } from './Shell.tsx'
import type { SidebarItem } from './Sidebar.tsx'

const ITEMS: SidebarItem[] = [
  { to: '/host/dashboard', label: 'Dashboard', icon: IconLayoutDashboard },
  { to: '/host/users', label: 'Users Master', icon: IconUsers },
  { to: '/host/online', label: 'Online', icon: IconHeadset },
  { to: '/host/host-master', label: 'Host Master', icon: IconUserCog },
  { to: '/host/rooms', label: 'Rooms Master', icon: IconDoor },
  { to: '/host/recordings', label: 'Cloud Recordings', icon: IconCloud },
  { to: '/host/app-info', label: 'App Info.', icon: IconDeviceMobileCog },
  { to: '/host/downloads', label: 'Downloads', icon: IconDownload },
]

export function HostLayout() {
  // Host Master is a page of masters too, who have a panel of their own.
  if (useSession().user?.role === 'master') return <MasterLayout />
  return (
    <Shell
      title="Admin Panel"
      items={ITEMS}
      findPeople={findPeople}
      foot={(folded) => (
        <>
          <SubscriptionBox folded={folded} />
          <Person folded={folded} />
        </>
      )}
    />
  )
}
