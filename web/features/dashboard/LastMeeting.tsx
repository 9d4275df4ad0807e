import { Box, Button, Group, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatClock } from '../../lib/format-clock.ts'
import { newestMeetings } from '../../queries/meetings.ts'
import { meetingAddress, meetingLength, meetingName } from '../../widgets/meeting/meeting-words.ts'

/** Shows the meeting that has ended last, until the next one runs. A dashboard without it says nothing of it. */
export function LastMeeting() {
  const { data } = useQuery(newestMeetings)
  const [meeting] = data?.meetings ?? []
  if (!meeting?.ended_at) return null
  const { users, peak, spoke_seconds, recordings, note } = meeting
  const numbers = [
    users === 1 ? '1 user' : `${users.toLocaleString('en')} users`,
    `at most ${peak.toLocaleString('en')} at one time`,
    meetingLength(meeting, Date.now()),
    ...(spoke_seconds > 0 ? [`${formatClock(spoke_seconds)} spoken`] : []),
    ...(recordings > 0 ? [recordings === 1 ? '1 recording' : `${recordings} recordings`] : []),
  ]
  return (
    <Paper component="section" p="lg" aria-labelledby="last-meeting">
      <Group justify="space-between" gap="md">
        <Box flex="1 1 20rem" miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Title order={2} id="last-meeting" fz="xs" c="dimmed">
            Last meeting
          </Title>
          <Text fz="lg" fw={650} mt={4}>
            {meetingName(meeting)}
          </Text>
          <Text c="dimmed" mt={4}>
            {numbers.join(' · ')}
          </Text>
          {note ? (
            <Text mt={4} lineClamp={2} style={{ whiteSpace: 'pre-wrap' }}>
              {note}
            </Text>
          ) : null}
        </Box>
        <Group gap="xs">
          <Button variant="default" component={Link} to="/host/meetings">
            All meetings
          </Button>
          <Button variant="default" component={Link} to={meetingAddress(meeting.id)}>
            See the report
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
