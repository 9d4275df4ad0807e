import { Button, Text, TextInput } from '@mantine/core'
import { IconDownload, IconHistory, IconSearch, IconUserCheck, IconUserX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { ATTENDANCE_DAYS_MAX, type AttendanceAnswer } from '../../../shared/attendance.ts'
import { messageOf } from '../../lib/api-client.ts'
import { downloadFile } from '../../lib/download.ts'
import { userMatcher } from '../../lib/match-user.ts'
import { periodFault, presetPeriod } from '../../lib/periods.ts'
import { attendance, attendanceFile } from '../../lib/queries/attendance.ts'
import { Empty } from '../../ui/Empty.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PeriodPicker } from '../../ui/PeriodPicker.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { toast } from '../../ui/toast.tsx'
import { AbsentTable, AttendanceTable, StaysTable } from './AttendanceTables.tsx'

type View = 'came' | 'away' | 'visits'
type Data = AttendanceAnswer['data']

export function AttendanceScreen() {
  const [period, setPeriod] = useState(() => presetPeriod('Today', Date.now()))
  const [view, setView] = useState<View>('came')
  const [filter, setFilter] = useState('')
  const fault = periodFault(period, ATTENDANCE_DAYS_MAX)
  const list = useQuery(attendance(period, fault === null))
  const { data } = list
  const saving = useMutation({
    mutationFn: () => downloadFile(attendanceFile(period, view === 'visits' ? 'stays' : 'users')),
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })

  return (
    <Page
      title="Attendance"
      subtitle="Who came, when and for how long, and who did not."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden="true" />}
          disabled={fault !== null || !data}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Download CSV
        </Button>
      }
    >
      <PeriodPicker period={period} fault={fault} onChange={setPeriod} />
      {data ? (
        <>
          <Cards data={data} view={view} onView={setView} />
          <TextInput
            type="search"
            maw={{ sm: '24rem' }}
            aria-label="Filter attendance"
            placeholder="Filter by username, ID or reference"
            leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
          <View data={data} view={view} filter={filter} />
        </>
      ) : (
        <NotLoaded query={list} loading="Loading attendance..." title="Failed to load attendance" />
      )}
    </Page>
  )
}

function Cards({ data, view, onView }: { data: Data; view: View; onView: (view: View) => void }) {
  const cards = [
    { name: 'came', label: 'Came', value: data.attendance.length, tone: 'good', icon: <IconUserCheck size={20} /> },
    { name: 'away', label: 'Did not come', value: data.absent.length, tone: 'quiet', icon: <IconUserX size={20} /> },
    { name: 'visits', label: 'Visits', value: data.stays_total, tone: 'brand', icon: <IconHistory size={20} /> },
  ] as const
  return (
    <StatRow>
      {cards.map(({ name, ...card }) => (
        <StatCard key={name} {...card} choice={{ pressed: view === name, onPress: () => onView(name) }} />
      ))}
    </StatRow>
  )
}

function View({ data, view, filter }: { data: Data; view: View; filter: string }): ReactNode {
  const words = useDeferredValue(filter)
  const fits = userMatcher(words)
  const came = data.attendance.filter(fits)
  const away = data.absent.filter(fits)
  const shownIds = new Set(came.map(({ id }) => id))
  const stays = data.stays.filter(({ id }) => shownIds.has(id))
  const all = { came: data.attendance, away: data.absent, visits: data.stays }[view]
  const empty = (
    <Empty hint={all.length > 0 ? `No one here matches “${words.trim()}”.` : HINTS[view]}>
      {all.length > 0 ? 'No users found' : NONE[view]}
    </Empty>
  )
  if (view === 'came') return <AttendanceTable rows={came} empty={empty} />
  if (view === 'away') return <AbsentTable rows={away} empty={empty} />
  return (
    <>
      <StaysTable rows={stays} empty={empty} />
      {stays.length > 0 && data.stays.length < data.stays_total ? (
        <Text size="sm" c="dimmed">
          These are the latest {data.stays.length.toLocaleString('en')} visits. The CSV holds all{' '}
          {data.stays_total.toLocaleString('en')}.
        </Text>
      ) : null}
    </>
  )
}

const NONE: Record<View, string> = {
  came: 'No one came on these days',
  away: 'Everyone came on these days',
  visits: 'No one came on these days',
}
const HINTS: Record<View, string> = {
  came: 'A visit counts from when a phone comes online until it leaves.',
  away: 'None of your users was missing.',
  visits: 'A visit counts from when a phone comes online until it leaves.',
}
