import { Button } from '@mantine/core'
import { IconCalendarDollar, IconCloudOff, IconHistory, IconPlugConnectedX, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { HOME_RENEWAL_DAYS, type Home } from '../../../shared/home.ts'
import { Loading } from '../../ui/base/Loading.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { home } from './queries.ts'

const HomeCharts = lazy(async () => ({ default: (await import('./HomeCharts.tsx')).HomeCharts }))
const ICON = { size: 20, stroke: 1.75 }

/** Shows a master what goes on in all rooms, and what needs one. Each number leads to its list. */
export function HomeScreen() {
  const query = useQuery(home)
  return (
    <Page
      title="Home"
      subtitle="What goes on in all rooms, and what needs you."
      actions={
        <Button
          component={Link}
          to="/master/log"
          variant="default"
          leftSection={<IconHistory size={17} aria-hidden="true" />}
        >
          See the log
        </Button>
      }
    >
      {query.data ? (
        <>
          {query.isError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
          <Numbers home={query.data} />
          <Suspense fallback={<Loading label="Loading charts..." />}>
            <HomeCharts home={query.data} />
          </Suspense>
        </>
      ) : (
        <NotLoaded
          query={query}
          loading="Loading numbers..."
          title="Failed to load the numbers"
          text="The numbers could not be fetched. Check the connection, then try again."
        />
      )}
    </Page>
  )
}

function Numbers({ home: { rooms, renewals, zoom_in_trouble, unarchived } }: { home: Home }) {
  const due = renewals.ending + renewals.ended
  return (
    <StatRow>
      <StatCard
        label="Rooms Live Now"
        value={rooms.live}
        to="/master/hosts?filter=live"
        tone={rooms.live > 0 ? 'good' : 'quiet'}
        hint={`${counted(rooms.users, 'user')} online`}
        icon={<IconUsersGroup {...ICON} />}
      />
      <StatCard
        label="Renewals Due"
        value={due}
        to={`/master/renewals?days=${HOME_RENEWAL_DAYS}`}
        tone={due > 0 ? 'warn' : 'quiet'}
        hint={due > 0 ? `${renewals.ending} ending, ${renewals.ended} ended` : 'within 7 days'}
        icon={<IconCalendarDollar {...ICON} />}
      />
      <StatCard
        label="Zoom in Trouble"
        value={zoom_in_trouble}
        to="/master/hosts?filter=zoom-in-trouble"
        tone={zoom_in_trouble > 0 ? 'bad' : 'quiet'}
        hint={zoom_in_trouble === 1 ? 'host' : 'hosts'}
        icon={<IconPlugConnectedX {...ICON} />}
      />
      <StatCard
        label="Recordings Not Archived"
        value={unarchived.recordings}
        to="/master/hosts?filter=unarchived"
        tone={unarchived.recordings > 0 ? 'bad' : 'quiet'}
        hint={unarchived.hosts > 0 ? `of ${counted(unarchived.hosts, 'host')}` : 'none has failed'}
        icon={<IconCloudOff {...ICON} />}
      />
    </StatRow>
  )
}

const counted = (count: number, word: string) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`
