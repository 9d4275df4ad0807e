import { lazy, Suspense } from 'react'
import { SubscriptionBox } from '../../features/subscriptions/SubscriptionBox.tsx'
import { useSession } from '../../lib/session/session.ts'
import { useUserParam } from '../../widgets/room-user/user-param.ts'
import { menuItems } from '../pages.ts'
import { findPeople } from './find-people.ts'
import { MasterLayout } from './MasterLayout.tsx'
import { Person } from './Person.tsx'
import { Shell } from './Shell.tsx'

// Apart from the layout: it brings the forms and the history of a user.
const UserPanel = lazy(async () => ({ default: (await import('../../widgets/room-user/UserPanel.tsx')).UserPanel }))

const ITEMS = menuItems('host', 'sidebar')
const ACCOUNT_ITEMS = menuItems('host', 'account')

export function HostLayout() {
  // Host Master is a page of masters too, who have a panel of their own.
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
            <Person folded={folded} />
          </>
        )}
      />
      <PanelOfUser />
    </>
  )
}

/** Fetched when it is first opened: Firefox reports a page that is left while its code is on the way. */
function PanelOfUser() {
  const { userId } = useUserParam()
  if (userId === null) return null
  return (
    <Suspense>
      <UserPanel />
    </Suspense>
  )
}
