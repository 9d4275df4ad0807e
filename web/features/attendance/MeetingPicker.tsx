import { NativeSelect } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { MeetingsAnswer, SittingTimes } from '../../../shared/attendance.ts'
import { formatSpan } from '../../lib/periods.ts'
import { formatMoment, formatTime } from '../../ui/format-date.ts'

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

export function meetingWords({ started_at, ended_at }: SittingTimes): string {
  if (ended_at === null) return `Now, since ${formatMoment(started_at)}`
  const seconds = Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000)
  return `${formatMoment(started_at)} – ${formatTime(ended_at)} (${formatSpan(seconds)})`
}
