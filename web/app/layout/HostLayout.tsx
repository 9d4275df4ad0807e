import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { HOST_ROLES } from '../../../shared/auth.ts'
import { SeatProvider } from '../../features/seat/SeatProvider.tsx'
import { SubscriptionBox } from '../../features/subscriptions/SubscriptionBox.tsx'
import { useRights } from '../../lib/session/rights.ts'
import { useSession } from '../../lib/session/session.ts'
import { plannedCheck } from '../../queries/planned-meetings.ts'
import { useFocusNeighbour } from '../../ui/use-focus-neighbour.ts'
import { useUserParam } from '../../widgets/room-user/user-param.ts'
import { menuItems } from '../pages.ts'
import { findPeople } from './find-people.ts'
import { MasterLayout } from './MasterLayout.tsx'
import { NotReadyNotice } from './NotReadyNotice.tsx'
import { PAGE_ID, Shell } from './Shell.tsx'
import { UserBadge } from './UserBadge.tsx'

// A chunk of its own, since it contains the forms and the history of a user.
const UserPanel = lazy(async () => ({ default: (await import('../../widgets/room-user/UserPanel.tsx')).UserPanel }))

const MENUS = Object.fromEntries(
  HOST_ROLES.map((role) => [
    role,
    { items: menuItems('host', 'sidebar', role), accountItems: menuItems('host', 'account', role) },
  ]),
)

export function HostLayout() {
  // Masters may open Host Master too, but keep their own panel.
  const role = useSession().user?.role
  const { managesUsers } = useRights()
  const { data: check } = useQuery({ ...plannedCheck, enabled: role !== undefined && role !== 'master' })
  const keepsFocus = useFocusNeighbour(PAGE_ID)
  const isNotReady = check && check.problems.length > 0
  if (role === 'master') return <MasterLayout />
  return (
    <SeatProvider>
      <Shell
        title="Admin Panel"
        items={MENUS[role ?? '']?.items ?? []}
        accountItems={MENUS[role ?? '']?.accountItems}
        {...(managesUsers && { findPeople })}
        notice={
          <div ref={keepsFocus}>
            {isNotReady ? <NotReadyNotice check={check} pages={MENUS[role ?? '']?.items ?? []} /> : null}
          </div>
        }
        noticeHeight={isNotReady ? check.problems.map(({ title }) => title).join() : ''}
        foot={(folded) => (
          <>
            {managesUsers ? <SubscriptionBox folded={folded} /> : null}
            <UserBadge folded={folded} />
          </>
        )}
      />
      {managesUsers ? <PanelOfUser /> : null}
    </SeatProvider>
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
