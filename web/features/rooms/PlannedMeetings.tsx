import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconCalendarPlus, IconCalendarShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PLANNED_MEETINGS_MAX, type PlannedMeeting } from '../../../shared/planned-meetings.ts'
import { messageOf } from '../../lib/api-client.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { ownTimeZone } from '../../lib/time-zone.ts'
import { plannedMeetings, useRemovePlannedMeeting } from '../../queries/planned-meetings.ts'
import { confirm } from '../../ui/confirm.tsx'
import { formatLongDay, formatLongMoment } from '../../ui/format-date.ts'
import { LineList, ListLine } from '../../ui/LineList.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { SteadyButton } from '../../ui/SteadyButton.tsx'
import { toast } from '../../ui/toast.tsx'
import { type ClickGuard, useClickGuard } from '../../ui/use-click-guard.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { CalendarLinkDialog } from './CalendarLinkDialog.tsx'
import { PlannedMeetingDialog } from './PlannedMeetingDialog.tsx'
import { meetingWords } from './planned-meeting-words.ts'

/** Lists when the room meets, and plans meetings. */
export function PlannedMeetings() {
  const query = useQuery(plannedMeetings)
  const [open, setOpen] = useState<PlannedMeeting | 'new' | null>(null)
  const [isLinkOpen, setLinkOpen] = useState(false)
  const list = query.data?.planned_meetings
  const isMeant = useClickGuard(list?.map(({ id }) => id) ?? [])
  const { heading, keepFocus } = useKeptFocus()
  const isFull = list !== undefined && list.length >= PLANNED_MEETINGS_MAX
  const planButton = (
    <SteadyButton
      variant="default"
      leftSection={<IconCalendarPlus size={17} aria-hidden="true" />}
      off={isFull}
      onClick={() => setOpen('new')}
    >
      Plan a meeting
    </SteadyButton>
  )
  return (
    <Paper component="section" p={{ base: 'md', sm: 'lg' }} aria-labelledby="planned">
      <Group justify="space-between" gap="xs" mb={list && list.length > 0 ? 'sm' : 0}>
        <Title order={2} id="planned" size="h3" ref={heading} tabIndex={-1}>
          Planned meetings
        </Title>
        {list ? (
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconCalendarShare size={17} aria-hidden="true" />}
              onClick={() => setLinkOpen(true)}
            >
              Calendar link
            </Button>
            {planButton}
          </Group>
        ) : null}
      </Group>
      {list === undefined ? (
        <NotLoaded
          query={query}
          loading="Loading planned meetings..."
          title="Failed to load the planned meetings"
          text="Check the connection, then try again."
        />
      ) : list.length === 0 ? (
        <Text c="dimmed" mt="xs">
          No meeting is planned. Say when the room meets, once or every week: phones, invitations and the dashboard then
          name the next meeting. Nothing changes at Zoom.
        </Text>
      ) : (
        <LineList>
          {list.map((meeting) => (
            <PlannedLine
              key={meeting.id}
              meeting={meeting}
              isMeant={isMeant}
              onEdit={() => setOpen(meeting)}
              onRemoved={keepFocus}
            />
          ))}
        </LineList>
      )}
      {isFull ? (
        <Text size="sm" c="dimmed" mt="md">
          A room has at most {PLANNED_MEETINGS_MAX} planned meetings.
        </Text>
      ) : null}
      {open ? <PlannedMeetingDialog meeting={open === 'new' ? null : open} onClose={() => setOpen(null)} /> : null}
      {isLinkOpen ? <CalendarLinkDialog onClose={() => setLinkOpen(false)} /> : null}
    </Paper>
  )
}

type PlannedLineProps = {
  meeting: PlannedMeeting
  isMeant: ClickGuard
  onEdit: () => void
  onRemoved: (pressed: Element) => void
}

function PlannedLine({ meeting, isMeant, onEdit, onRemoved }: PlannedLineProps) {
  const remove = useRemovePlannedMeeting()
  const words = meetingWords(meeting)
  const { id, next, moved, time } = meeting

  async function handleRemove(pressed: Element) {
    const question = {
      title: 'Remove this planned meeting?',
      body: `${words}. Phones no longer show it. The Zoom meeting of your room stays.`,
      confirmLabel: 'Remove',
      danger: true,
    }
    if (!(await confirm(question))) return
    remove.mutate(meeting, {
      onSuccess: () => {
        toast.success('Planned meeting removed')
        onRemoved(pressed)
      },
      onError: (error) => toast.error(messageOf(error, 'Failed to remove the planned meeting')),
    })
  }

  return (
    <ListLine
      words={
        <>
          <Text fw={600}>{words}</Text>
          <Text size="sm" c="dimmed">
            {meeting.time_zone}
          </Text>
          {next ? (
            <Text size="sm">
              {Date.parse(next.starts_at) <= serverNow() ? 'Now, since' : 'Next:'}{' '}
              {formatLongMoment(next.starts_at, serverNow())}
              {meeting.time_zone === ownTimeZone() ? '' : ', your time'}
            </Text>
          ) : (
            <Badge color="quiet" mt={4}>
              Over
            </Badge>
          )}
          {moved ? (
            <Text size="sm" c="var(--warn)">
              On {formatLongDay(moved.day)} the clocks skip {time}: that meeting begins at {moved.time}.
            </Text>
          ) : null}
        </>
      }
    >
      <Group gap="xs">
        <Button variant="default" aria-label={`Edit ${words}`} onClick={(event) => isMeant(id, event) && onEdit()}>
          Edit
        </Button>
        <Button
          variant="default"
          c="var(--bad)"
          aria-label={`Remove ${words}`}
          loading={remove.isPending}
          onClick={(event) => isMeant(id, event) && void handleRemove(event.currentTarget)}
        >
          Remove
        </Button>
      </Group>
    </ListLine>
  )
}
