import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCloud, IconEye, IconEyeOff, IconUsers, IconWifi } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Room } from '../../../shared/rooms.ts'
import { hostRoom } from '../../lib/queries/rooms.ts'
import cells from '../../ui/cells.module.css'
import { DataTable } from '../../ui/DataTable.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { type Column, useDataTable } from '../../ui/use-data-table.tsx'
import { formatMeetingId } from './format-meeting-id.ts'
import { NewPasscodeButton } from './NewPasscodeButton.tsx'

export function RoomsScreen() {
  const query = useQuery(hostRoom)

  if (!query.data) {
    return (
      <RoomsPage>
        <NotLoaded
          query={query}
          loading="Loading room..."
          title="Failed to load the room"
          text="The room could not be fetched. Check the connection, then try again."
        />
      </RoomsPage>
    )
  }

  const room = query.data
  return (
    <RoomsPage actions={room.zoom_meeting_id ? <NewPasscodeButton /> : null}>
      <StatRow narrow="one-column">
        <StatCard
          label="Room"
          value={room.is_active ? 'Active' : 'Stopped'}
          tone={room.is_active ? 'good' : 'bad'}
          hint={room.is_active ? 'Phones may join' : 'No phone may join'}
          icon={<IconWifi size={20} stroke={1.75} />}
        />
        <StatCard
          label="Zoom meeting"
          value={room.zoom_meeting_id ? 'Ready' : 'None'}
          tone={room.zoom_meeting_id ? 'brand' : 'quiet'}
          hint={room.zoom_meeting_id ? 'Audio only, always open' : 'Ask your administrator to connect Zoom'}
          icon={<IconCloud size={20} stroke={1.75} />}
        />
        <StatCard
          label="Users"
          value={room.user_count}
          hint="May join from a phone"
          icon={<IconUsers size={20} stroke={1.75} />}
        />
      </StatRow>
      <RoomTable room={room} />
    </RoomsPage>
  )
}

const COLUMNS: Column<Room>[] = [
  {
    header: 'Room Name',
    meta: { card: 'heading' },
    cell: ({ row }) => <span className={cells.name}>{row.original.room_name}</span>,
  },
  { header: 'User Count', cell: ({ row }) => row.original.user_count },
  {
    header: 'Meeting ID',
    cell: ({ row: { original: room } }) =>
      room.zoom_meeting_id ? (
        <span className={cells.code}>{formatMeetingId(room.zoom_meeting_id)}</span>
      ) : (
        <span className={cells.minor}>Not connected to Zoom</span>
      ),
  },
  { header: 'Password', cell: ({ row }) => <Passcode password={row.original.password} /> },
]

function RoomTable({ room }: { room: Room }) {
  const data = useMemo(() => [room], [room])
  const table = useDataTable({ columns: COLUMNS, data, getRowId: ({ room_id }) => room_id })
  return <DataTable label="Your room" table={table} />
}

function Passcode({ password }: { password: string | null }) {
  const [isShown, { toggle }] = useDisclosure(false)
  if (!password) return <span className={cells.minor}>None</span>
  return (
    <span className={cells.actions}>
      <span className={cells.code}>{isShown ? password : '••••••'}</span>
      <ActionIcon aria-label={isShown ? 'Hide password' : 'Show password'} onClick={toggle}>
        {isShown ? <IconEyeOff size={18} stroke={1.75} /> : <IconEye size={18} stroke={1.75} />}
      </ActionIcon>
    </span>
  )
}

function RoomsPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title="Rooms Master" subtitle="Your room, and the Zoom meeting behind it." actions={actions}>
      {children}
    </Page>
  )
}
