import { NativeSelect } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { MeetingsAnswer, SittingTimes } from '../../../shared/attendance.ts'
import { meetingLength, meetingName } from '../../widgets/meeting/meeting-words.ts'

type MeetingPickerProps = {
  query: UseQueryResult<MeetingsAnswer['data']>
  chosen: SittingTimes | undefined
  onChoose: (id: string) => void
}

/** Chooses one meeting, or all of the period. */
export function MeetingPicker({ query, chosen, onChoose }: MeetingPickerProps) {
  const { data, isError } = query
  const none = isError
    ? 'The meetings could not be loaded.'
    : data && !data.has_zoom && data.meetings.length === 0
      ? 'By day only: this room has no Zoom meeting.'
      : data?.meetings.length === 0
        ? 'No meeting took place on these days.'
        : undefined
  return (
    <NativeSelect
      label="Meeting"
      description={none}
      styles={{ label: { color: 'var(--text-soft)', fontWeight: 400 } }}
      flex={{ base: '1 1 100%', md: '0 1 21rem' }}
      disabled={!data || data.meetings.length === 0}
      value={chosen?.id ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={[
        { value: '', label: 'All of these days' },
        ...(data?.meetings ?? []).map((meeting) => ({ value: meeting.id, label: meetingWords(meeting) })),
      ]}
    />
  )
}

export function meetingWords(meeting: SittingTimes): string {
  if (meeting.ended_at === null) return meetingName(meeting)
  return `${meetingName(meeting)} (${meetingLength(meeting, Date.parse(meeting.ended_at))})`
}
