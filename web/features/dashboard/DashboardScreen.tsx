import { Button } from '@mantine/core'
import { IconArrowRight, IconDoor, IconHeadset, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useSession } from '../../lib/session/session.ts'
import { Failed } from '../../ui/Failed.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useFailure } from '../../ui/use-failure.ts'
import classes from './DashboardScreen.module.css'
import { GoLive } from './GoLive.tsx'
import { dashboard } from './queries.ts'

export function DashboardScreen() {
  const { user } = useSession()
  const name = user?.full_name || user?.username

  return (
    <Page title="Dashboard" subtitle={name ? `Welcome back, ${name}. Here is how things stand.` : 'Welcome back.'}>
      <Overview />
    </Page>
  )
}

function Overview() {
  const query = useQuery(dashboard)
  const failure = useFailure(query)

  if (!query.data && !failure) return <Loading label="Loading dashboard data..." />
  if (!query.data) {
    return (
      <Failed title="Error Loading Dashboard" onRetry={() => void query.refetch()} retrying={query.isFetching}>
        Failed to load dashboard data. Please try refreshing the page.
      </Failed>
    )
  }

  const { users, rooms, room, app_versions } = query.data.data
  return (
    <>
      <StatRow>
        <StatCard label="Total Users" value={users.total} icon={<IconUsers size={20} stroke={1.75} />} />
        <StatCard
          label="Online Users"
          value={users.online}
          tone={users.online > 0 ? 'good' : 'quiet'}
          icon={<IconHeadset size={20} stroke={1.75} />}
        />
        <StatCard
          label="Total Rooms"
          value={rooms.total}
          hint={`${rooms.active} active`}
          icon={<IconDoor size={20} stroke={1.75} />}
        />
      </StatRow>
      <section className={classes.room} aria-labelledby="your-room">
        <div className={classes.words}>
          <h2 id="your-room" className={classes.heading}>
            Your Room
          </h2>
          {room ? (
            <p className={classes.name}>
              {room.name}
              <StatusBadge tone={room.is_active ? 'good' : 'bad'}>{room.is_active ? 'Active' : 'Inactive'}</StatusBadge>
            </p>
          ) : (
            <p className={classes.name}>No room yet</p>
          )}
          <p className={classes.hint}>
            {room && !room.is_active
              ? 'Phones cannot sign in while the room is stopped. Start it on Host Master.'
              : 'Your people sign in with the phone app. Those who are in show on the Online page at once.'}
          </p>
        </div>
        <div className={classes.links}>
          <Button variant="default" component={Link} to="/host/attendance">
            See who attended
          </Button>
          <Button component={Link} to="/host/online" rightSection={<IconArrowRight size={16} aria-hidden="true" />}>
            See who is online
          </Button>
        </div>
      </section>
      <GoLive versions={app_versions} />
    </>
  )
}
