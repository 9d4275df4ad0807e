import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Home, RoomInUse } from '../../../shared/home.ts'
import { BarRows } from '../../ui/charts/BarRows.tsx'
import { ChartCard } from '../../ui/charts/ChartCard.tsx'
import { ChartTable } from '../../ui/charts/ChartTable.tsx'
import { PersonText } from '../../ui/PersonText.tsx'

/** Shows the fullest of the rooms that are live. The table leads to their hosts. */
export function LiveRoomsCard({ rooms }: { rooms: Home['rooms'] }) {
  return (
    <ChartCard
      title="Rooms live now"
      summary={<LiveRoomsSummary rooms={rooms} />}
      table={
        <ChartTable
          label="Rooms live now"
          columns={['Host', 'Users online', 'Meeting']}
          rows={rooms.busiest.map(({ host_id, host_name, users, has_meeting }) => ({
            key: host_id,
            cells: [
              <Anchor key={host_id} component={Link} to={`/master/hosts?host=${host_id}`} inherit>
                <PersonText text={host_name} wraps />
              </Anchor>,
              users,
              has_meeting ? 'runs' : 'none',
            ],
          }))}
        />
      }
    >
      {rooms.busiest.length > 0 ? <BarRows rows={rooms.busiest.map(toBar)} /> : null}
    </ChartCard>
  )
}

const toBar = ({ host_id, room_name, users }: RoomInUse) => ({
  key: host_id,
  label: <PersonText text={room_name} />,
  value: users,
  text: users.toLocaleString('en'),
})

function LiveRoomsSummary({ rooms: { live, meetings, busiest } }: { rooms: Home['rooms'] }) {
  const [first] = busiest
  if (!first) return 'No room is live: no user is online, and no meeting runs.'
  const left = live - busiest.length
  const rooms = live === 1 ? '1 room is live' : `${live.toLocaleString('en')} rooms are live`
  const running =
    meetings === 1 ? ', with 1 meeting' : meetings > 0 ? `, with ${meetings.toLocaleString('en')} meetings` : ''
  return (
    <>
      {`${rooms}${running}. `}
      {live > 1 ? (
        <>
          Most users are in <bdi>{first.room_name}</bdi>.{' '}
        </>
      ) : null}
      {left > 0 ? `The ${busiest.length} fullest are shown.` : null}
    </>
  )
}
