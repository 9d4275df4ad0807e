import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Room } from '../../../shared/rooms.ts'
import { MeetingControl } from '../../widgets/meeting/MeetingControl.tsx'
import { RecordingControl } from '../../widgets/meeting/RecordingControl.tsx'

/** Shows and controls the meeting and its recording; empty if the room has no Zoom account. */
export function MeetingPanel({ room }: { room: Room }) {
  if (room.zoom_status !== 'connected') return null
  return (
    <Paper p={{ base: 'md', sm: 'lg' }}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Part title="Meeting" text={meetingText(room)}>
          <MeetingControl room={room} />
        </Part>
        <Part title="Recording" text={recordingText(room)}>
          <RecordingControl room={room} withStart={false} />
        </Part>
      </SimpleGrid>
    </Paper>
  )
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed" fz="sm">
        {text}
      </Text>
      {children}
    </Stack>
  )
}

function meetingText({ is_live }: Room): string {
  return is_live
    ? 'It continues until you end it, even if you close Zoom.'
    : 'Starting it opens Zoom, where you join as the host. Phones can join from then on.'
}

function recordingText({ recording_enabled }: Room): string {
  return recording_enabled
    ? 'Zoom records the audio. You find it under Cloud Recordings.'
    : 'Meetings of your room are not recorded.'
}
