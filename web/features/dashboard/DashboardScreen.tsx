import { Anchor, Badge, Box, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconArrowRight, IconCircleCheck, IconDoor, IconHeadset, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import type { NextMeeting } from '../../../shared/planned-meetings.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { useRights } from '../../lib/session/rights.ts'
import { useSession } from '../../lib/session/session.ts'
import { newestMeetings } from '../../queries/meetings.ts'
import { plannedCheck } from '../../queries/planned-meetings.ts'
import { liveHostRoom } from '../../queries/rooms.ts'
import { formatLongMoment, formatTime } from '../../ui/format-date.ts'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useIsStale } from '../../ui/StaleBadge.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { MeetingControl } from '../../widgets/meeting/MeetingControl.tsx'
import { UnrecordedWarning } from '../../widgets/meeting/UnrecordedWarning.tsx'
import { ZoomMissing } from '../../widgets/meeting/ZoomMissing.tsx'
import { GoLive } from './GoLive.tsx'
import { HostFirstSteps } from './HostFirstSteps.tsx'
import { LastMeeting } from './LastMeeting.tsx'
import { dashboard } from './queries.ts'
import { SmallCharts } from './SmallCharts.tsx'

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
  const { isHost } = useRights()
  const query = useQuery(dashboard)
  const { data: liveRoom, isPending: isRoomPending } = useQuery(liveHostRoom)
  const { isPending: isMeetingPending } = useQuery(newestMeetings)
  const isRunning = liveRoom?.is_live === true
  const isStale = useIsStale(dashboard.queryKey)
  const { refetch } = query
  useEffect(() => {
    if (isRunning) void refetch() // the first meeting ends the first steps
  }, [isRunning, refetch])

  // The cards above the numbers come with them, so that nothing moves once it is shown.
  if (!query.data || isRoomPending || isMeetingPending) {
    return (
      <NotLoaded
        query={query}
        loading="Loading dashboard data..."
        title="Error Loading Dashboard"
        text="Failed to load dashboard data. Please try refreshing the page."
      />
    )
  }

  const { users, rooms, room, go_live, first_steps, next_meeting } = query.data.data
  const isLive = users.online > 0 || isRunning
  return (
    <>
      {isHost && first_steps && !isRunning ? <HostFirstSteps done={first_steps} room={liveRoom} /> : null}
      <ZoomMissing still="Users can sign in on their phones, and you can add and mute them." />
      {liveRoom ? <UnrecordedWarning room={liveRoom} /> : null}
      {isRunning ? null : <LastMeeting />}
      <StatRow>
        <StatCard
          label="Total Users"
          value={users.total}
          to="/host/users"
          icon={<IconUsers size={20} stroke={1.75} />}
        />
        <StatCard
          label="Online Users"
          to="/host/online"
          value={users.online}
          tone={users.online > 0 && !isStale ? 'good' : 'quiet'}
          hint={isStale ? 'Out of date' : undefined}
          icon={<IconHeadset size={20} stroke={1.75} />}
        />
        <StatCard
          label="Total Rooms"
          to="/host/rooms"
          value={rooms.total}
          hint={`${rooms.active} active`}
          icon={<IconDoor size={20} stroke={1.75} />}
        />
      </StatRow>
      <Paper component="section" p="lg" aria-labelledby="your-room">
        <Group justify="space-between" gap="md">
          <Box flex="1 1 20rem" miw={0} style={{ overflowWrap: 'anywhere' }}>
            <Title order={2} id="your-room" fz="xs" c="dimmed">
              Your Room
            </Title>
            {room ? (
              <Group gap="xs" fz="xl" fw={650} mt={4}>
                <bdi>{room.name}</bdi>
                <Badge color={room.is_active ? 'good' : 'bad'}>{room.is_active ? 'Active' : 'Inactive'}</Badge>
              </Group>
            ) : (
              <Text fz="xl" fw={650} mt={4}>
                No room yet
              </Text>
            )}
            <Text c="dimmed" mt={4}>
              {room && !room.is_active
                ? 'Phones cannot sign in while the room is stopped. Activate it on Host Master.'
                : isLive && !isStale
                  ? `${users.online === 1 ? '1 user is' : `${users.online} users are`} connected. The Online page shows who is speaking and who wants to.`
                  : 'Users sign in with the phone app. They appear on Online as soon as they connect.'}
            </Text>
            <NextPlanned meeting={next_meeting} />
            <CheckedWell />
            {liveRoom && (isRunning || !first_steps) ? (
              <Box mt="sm">
                <MeetingControl room={liveRoom} size="sm" />
              </Box>
            ) : null}
          </Box>
          <Group gap="xs">
            <Button variant="default" component={Link} to="/host/attendance">
              See who attended
            </Button>
            <Button
              component={Link}
              to="/host/online"
              variant={first_steps ? 'default' : 'filled'}
              rightSection={<IconArrowRight size={16} aria-hidden="true" />}
            >
              See who is online
            </Button>
          </Group>
        </Group>
      </Paper>
      {first_steps ? null : <SmallCharts />}
      {go_live ? <GoLive checks={go_live} isLive={isLive} /> : null}
    </>
  )
}

/** Says when the room meets next, in the reader's own time. An older server says nothing of it. */
function NextPlanned({ meeting }: { meeting: NextMeeting | null | undefined }) {
  if (meeting === undefined) return null
  if (!meeting)
    return (
      <Text mt={4}>
        No meeting is planned. <ToPlanned>Plan a meeting</ToPlanned>
      </Text>
    )
  const now = serverNow()
  const isNow = Date.parse(meeting.starts_at) <= now
  return (
    <Text mt={4}>
      {isNow ? 'Planned for now, since' : 'Next meeting:'}{' '}
      <ToPlanned>{formatLongMoment(meeting.starts_at, now)}</ToPlanned>
    </Text>
  )
}

/** Says that nothing is in the way of the meeting that is about to begin; a notice above the page says what is. */
function CheckedWell() {
  const { data: check } = useQuery(plannedCheck)
  if (!check || check.problems.length > 0) return null
  return (
    <Group gap={6} mt={4} wrap="nowrap" align="flex-start">
      <IconCircleCheck size={20} stroke={1.9} color="var(--good)" aria-hidden="true" style={{ flex: 'none' }} />
      <Text>
        Checked at {formatTime(check.checked_at)}: nothing is in the way of the meeting at {formatTime(check.starts_at)}
        .
      </Text>
    </Group>
  )
}

function ToPlanned({ children }: { children: ReactNode }) {
  return (
    <Anchor component={Link} to="/host/rooms" fw={600}>
      {children}
    </Anchor>
  )
}
