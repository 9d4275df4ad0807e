import { useSession } from '../../lib/session/session.ts'
import { menuItems } from '../pages.ts'
import { findHosts } from './find-hosts.ts'
import { Shell } from './Shell.tsx'
import { UserBadge } from './UserBadge.tsx'

const ITEMS = menuItems('master', 'sidebar')
const ACCOUNT_ITEMS = menuItems('master', 'account')

export function MasterLayout() {
  const { status } = useSession()
  return (
    <Shell
      title="Master Panel"
      items={ITEMS}
      accountItems={ACCOUNT_ITEMS}
      {...(status === 'signed-in' && { findPeople: findHosts })}
      foot={(folded) => <UserBadge folded={folded} />}
    />
  )
}
