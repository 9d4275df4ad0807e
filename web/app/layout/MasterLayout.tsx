import { menuItems } from '../pages.ts'
import { findHosts } from './find-hosts.ts'
import { Person } from './Person.tsx'
import { Shell } from './Shell.tsx'

const ITEMS = menuItems('master', 'sidebar')

export function MasterLayout() {
  return (
    <Shell title="Master Panel" items={ITEMS} findPeople={findHosts} foot={(folded) => <Person folded={folded} />} />
  )
}
