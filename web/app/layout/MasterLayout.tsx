import { menuItems } from '../pages.ts'
import { findHosts } from './find-hosts.ts'
import { Shell } from './Shell.tsx'
import { UserBadge } from './UserBadge.tsx'

const ITEMS = menuItems('master', 'sidebar')

export function MasterLayout() {
  return (
    <Shell title="Master Panel" items={ITEMS} findPeople={findHosts} foot={(folded) => <UserBadge folded={folded} />} />
  )
}
