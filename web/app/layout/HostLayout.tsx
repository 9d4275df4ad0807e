import { lazy, Suspense } from 'react'
import { SubscriptionBox } from '../../features/subscriptions/SubscriptionBox.tsx'
import { useSession } from '../../lib/session/session.ts'
import { useUserParam } from '../../widgets/room-user/user-param.ts'
import { menuItems } from '../pages.ts'
import { findPeople } from './find-people.ts'
import { MasterLayout } from './MasterLayout.tsx'
import { Shell } from './Shell.tsx'
import { UserBadge } from './UserBadge.tsx'

// A chunk of its own, since it contains the forms and the history of a user.
const UserPanel = lazy(async () => ({ default: (await import('../../widgets/room-user/UserPanel.tsx')).UserPanel }))

const ITEMS = menuItems('host', 'sidebar')
const ACCOUNT_ITEMS = menuItems('host', 'account')

export function HostLayout() {
  // Masters may open Host Master too, but keep their own panel.
  if (useSession().user?.role === 'master') return <MasterLayout />
  return (
    <>
      <Shell
        title="Admin Panel"
        items={ITEMS}
        accountItems={ACCOUNT_ITEMS}
        findPeople={findPeople}
        foot={(folded) => (
          <>
            <SubscriptionBox folded={folded} />
            <UserBadge folded={folded} />
          </>
        )}
      />
      <PanelOfUser />
    </>
  )
}

/** Loads the code when the panel is first opened: Firefox reports a page that is left during the load. */
function PanelOfUser() {
  const { userId } = useUserParam()
  if (userId === null) return null
  return (
    <Suspense>
      <UserPanel />
    </Suspense>
  )
}
