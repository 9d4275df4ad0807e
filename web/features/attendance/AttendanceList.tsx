import { Text } from '@mantine/core'
import { useDeferredValue } from 'react'
import type { AttendanceAnswer } from '../../../shared/attendance.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { Empty } from '../../ui/Empty.tsx'
import { userMatcher } from '../../widgets/room-user/match-user.ts'
import { AbsentTable, AttendanceTable, MissingTable, SpokeTable, StaysTable } from './AttendanceTables.tsx'

export type AttendanceView = 'attended' | 'spoke' | 'absent' | 'missing' | 'visits'

type AttendanceListProps = {
  data: AttendanceAnswer['data']
  missing: RoomUser[]
  view: AttendanceView
  filter: string
  when: 'days' | 'meeting'
}

export function AttendanceList({ data, missing, view, filter, when }: AttendanceListProps) {
  const words = useDeferredValue(filter)
  const fits = userMatcher(words)
  const attended = data.attendance.filter(fits)
  const speakers = data.speakers.filter(fits)
  const shownIds = new Set(attended.map(({ id }) => id))
  const stays = data.stays.filter(({ id }) => shownIds.has(id))
  const all = { attended: data.attendance, spoke: data.speakers, absent: data.absent, missing, visits: data.stays }[
    view
  ]
  const none = noneWords(view, when, data.attendance.length > 0)
  const empty = (
    <Empty hint={all.length > 0 ? `No one here matches “${words.trim()}”.` : none.hint}>
      {all.length > 0 ? 'No users found' : none.what}
    </Empty>
  )
  if (view === 'attended') return <AttendanceTable rows={attended} empty={empty} />
  if (view === 'spoke')
    return (
      <>
        <SpokeTable rows={speakers} total={spokenIn(data)} empty={empty} />
        {data.speakers.length > 0 ? (
          <Text size="sm" c="dimmed">
            {HEARD}
          </Text>
        ) : null}
      </>
    )
  if (view === 'absent') return <AbsentTable rows={data.absent.filter(fits)} empty={empty} />
  if (view === 'missing') return <MissingTable rows={missing.filter(fits)} empty={empty} />
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

const spokenIn = ({ speakers }: AttendanceAnswer['data']) =>
  speakers.reduce((sum, { spoke_seconds }) => sum + spoke_seconds, 0)

const HEARD =
  'As the phones in the app reported it, with pauses of up to 5 seconds. Speaking in Zoom’s own app counts while the host’s seat is taken, for users recognised by name.'
const VISIT = 'A visit counts from when a phone comes online until it leaves.'

function noneWords(view: AttendanceView, when: 'days' | 'meeting', someAttended: boolean) {
  if (view === 'missing') return { what: 'No one is missing', hint: 'Every active user is here.' }
  if (view === 'spoke')
    return { what: when === 'days' ? 'No one spoke on these days' : 'No one spoke in this meeting', hint: HEARD }
  if (view === 'absent' && someAttended) return { what: 'No one was absent', hint: 'All of your users attended.' }
  if (view === 'absent') return { what: 'No one to expect', hint: 'Your room had no users then.' }
  return { what: when === 'days' ? 'No one attended on these days' : 'No one attended this meeting', hint: VISIT }
}
