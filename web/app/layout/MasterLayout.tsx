import { IconUsersGroup } from '@tabler/icons-react'
import { findHosts } from './find-hosts.ts'
import { Person } from './Person.tsx'
import { Shell } from './Shell.tsx'
import type { SidebarItem } from './Sidebar.tsx'

const ITEMS: SidebarItem[] = [
  {
    to: '/master/hosts',
    label: 'Host Management',
    icon: IconUsersGroup,
    hint: 'Manage host accounts and their Zoom integrations',
  },
]

export function MasterLayout() {
  return (
    <Shell title="Master Panel" items={ITEMS} findPeople={findHosts} foot={(folded) => <Person folded={folded} />} />
  )
}
