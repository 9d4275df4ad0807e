import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import {
  IconDownload,
  IconHistory,
  IconMicrophone,
  IconPrinter,
  IconSearch,
  IconUserCheck,
  IconUserQuestion,
  IconUserX,
} from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ATTENDANCE_DAYS_MAX, type AttendanceAnswer, type AttendanceFile } from '../../../shared/attendance.ts'
import { messageOf } from '../../lib/api-client.ts'
import { downloadFile } from '../../lib/download.ts'
import { includesNow, type Period, periodBounds, periodFault, presetPeriod } from '../../lib/periods.ts'
import { attendance, attendanceFile, meetings } from '../../queries/attendance.ts'
import { formatUtcDay } from '../../ui/format-date.ts'
import { Notice } from '../../ui/Notice.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PeriodPicker } from '../../ui/PeriodPicker.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { toast } from '../../ui/toast.tsx'
import { meetingAddress } from '../../widgets/meeting/meeting-words.ts'
import { AttendanceList, type AttendanceView } from './AttendanceList.tsx'
import { AttendanceCharts } from './charts/AttendanceCharts.tsx'
import { MeetingPicker, meetingWords } from './MeetingPicker.tsx'
import { PresenceSummary } from './PresenceSummary.tsx'
import { type PresenceCounts, usePresence } from './use-presence.ts'

type Data = AttendanceAnswer['data']

const FILES: Partial<Record<AttendanceView, AttendanceFile>> = { visits: 'stays', spoke: 'speakers' }
const SHOWN = ['Lists', 'Charts'] as const
const ICON = { size: 20, stroke: 1.75 }

export function AttendanceScreen() {
  const [period, setPeriod] = useState(() => presetPeriod('Today', Date.now()))
  const [meetingId, setMeetingId] = useState('')
  const [wanted, setWanted] = useState<AttendanceView>('attended')
  const [filter, setFilter] = useState('')
  const [query, setQuery] = useSearchParams()
  const isCharts = query.get('show') === 'charts'
  const showMissing = () => {
    setWanted('missing')
    setQuery({}, { replace: true })
  }
  const fault = periodFault(period, ATTENDANCE_DAYS_MAX)
  const hasNow = fault === null && includesNow(period, Date.now())

  const held = useQuery(meetings(period, fault === null, hasNow))
  const meeting = held.data?.meetings.find(({ id }) => id === meetingId)
  const isLive = meeting ? meeting.ended_at === null : hasNow
  const bounds = meeting ? { from: meeting.started_at, to: meeting.ended_at ?? periodBounds(period).to } : period
  const list = useQuery(attendance(bounds, fault === null, isLive))
  const presence = usePresence(isLive)
  const { data } = list
  const view = wanted === 'missing' && !presence ? 'absent' : wanted

  const saving = useMutation({
    mutationFn: () => downloadFile(attendanceFile(bounds, FILES[view] ?? 'users')),
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })

  return (
    <Page
      title="Attendance"
      subtitle="Who attended, when and for how long, and who was absent."
      actions={
        <>
          <SegmentedControl
            aria-label="Show"
            data={[...SHOWN]}
            value={isCharts ? 'Charts' : 'Lists'}
            onChange={(shown) => setQuery(shown === 'Charts' ? { show: 'charts' } : {}, { replace: true })}
          />
          {isCharts ? (
            <Button
              variant="default"
              leftSection={<IconPrinter size={17} aria-hidden="true" />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          ) : (
            <Button
              variant="default"
              leftSection={<IconDownload size={17} aria-hidden="true" />}
              disabled={fault !== null || !data}
              loading={saving.isPending}
              onClick={() => saving.mutate()}
            >
              Download CSV
            </Button>
          )}
        </>
      }
    >
      <Group gap="md" align="flex-start" className={isCharts ? 'no-print' : undefined}>
        <PeriodPicker
          period={period}
          fault={fault}
          onChange={(days) => {
            setPeriod(days)
            setMeetingId('')
          }}
        />
        <MeetingPicker query={held} chosen={meeting} onChoose={setMeetingId} />
        {meeting ? (
          <Button component={Link} to={meetingAddress(meeting.id)} variant="default" mt={{ md: '1.5rem' }}>
            See its report
          </Button>
        ) : null}
      </Group>
      {presence ? <PresenceSummary presence={presence} onMissing={showMissing} /> : null}
      {isCharts ? (
        fault === null ? (
          <AttendanceCharts
            bounds={bounds}
            isLive={isLive}
            speakers={data?.speakers}
            when={meeting ? `Meeting: ${meetingWords(meeting)}` : daysWords(period)}
          />
        ) : null
      ) : (
        <>
          {data && list.isError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
          {data ? (
            <>
              <Cards data={data} presence={presence} view={view} onView={setWanted} />
              <TextInput
                type="search"
                maw={{ sm: '24rem' }}
                aria-label="Filter attendance"
                placeholder="Filter by username, ID or reference"
                leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
                value={filter}
                onChange={(event) => setFilter(event.currentTarget.value)}
              />
              <AttendanceList
                data={data}
                missing={presence?.missing ?? []}
                view={view}
                filter={filter}
                when={meeting ? 'meeting' : 'days'}
              />
            </>
          ) : (
            <NotLoaded query={list} loading="Loading attendance..." title="Failed to load attendance" />
          )}
        </>
      )}
    </Page>
  )
}

function daysWords({ from, to }: Period): string {
  const [first, last] = [formatUtcDay(from), formatUtcDay(to)]
  return first === last ? first : `${first} – ${last}`
}

type CardsProps = {
  data: Data
  presence: PresenceCounts | null
  view: AttendanceView
  onView: (view: AttendanceView) => void
}

function Cards({ data, presence, view, onView }: CardsProps) {
  const choice = (name: AttendanceView) => ({ pressed: view === name, onPress: () => onView(name) })
  return (
    <StatRow>
      <StatCard
        label="Attended"
        value={data.attendance.length.toLocaleString('en')}
        tone="good"
        icon={<IconUserCheck {...ICON} />}
        choice={choice('attended')}
      />
      <StatCard
        label="Spoke"
        value={data.speakers.length.toLocaleString('en')}
        icon={<IconMicrophone {...ICON} />}
        choice={choice('spoke')}
      />
      <StatCard
        label="Absent"
        value={data.absent.length.toLocaleString('en')}
        tone="quiet"
        icon={<IconUserX {...ICON} />}
        choice={choice('absent')}
      />
      {presence ? (
        <StatCard
          label="Missing now"
          value={presence.missing.length.toLocaleString('en')}
          tone="warn"
          icon={<IconUserQuestion {...ICON} />}
          choice={choice('missing')}
        />
      ) : null}
      <StatCard
        label="Visits"
        value={data.stays_total.toLocaleString('en')}
        icon={<IconHistory {...ICON} />}
        choice={choice('visits')}
      />
    </StatRow>
  )
}
