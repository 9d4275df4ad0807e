import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCloud, IconEye, IconEyeOff, IconUsers, IconWifi } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Room } from '../../../shared/rooms.ts'
import { formatMeetingId } from '../../lib/format-meeting-id.ts'
import { useRights } from '../../lib/session/rights.ts'
import { liveHostRoom } from '../../queries/rooms.ts'
import { CopyValue } from '../../ui/CopyValue.tsx'
import cells from '../../ui/cells.module.css'
import { DataTable } from '../../ui/DataTable.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PersonText } from '../../ui/PersonText.tsx'
import { useIsStale } from '../../ui/StaleBadge.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { type Column, useDataTable } from '../../ui/use-data-table.tsx'
import { UnrecordedWarning } from '../../widgets/meeting/UnrecordedWarning.tsx'
import { ZoomMissing } from '../../widgets/meeting/ZoomMissing.tsx'
import { MeetingPanel } from './MeetingPanel.tsx'
import { NewPasscodeButton } from './NewPasscodeButton.tsx'
import { PlannedMeetings } from './PlannedMeetings.tsx'

export function RoomsScreen() {
  const query = useQuery(liveHostRoom)
  const { isHost } = useRights()

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
    <RoomsPage actions={isHost && room.zoom_meeting_id ? <NewPasscodeButton /> : null}>
      <ZoomMissing still="Users can sign in on their phones, and you can add and mute them. There is no sound and no recording." />
      <UnrecordedWarning room={room} />
      <MeetingPanel room={room} />
      <PlannedMeetings />
      <StatRow narrow="one-column">
        <StatCard
          label="Room"
          value={room.is_active ? 'Active' : 'Stopped'}
          tone={room.is_active ? 'good' : 'bad'}
          hint={room.is_active ? 'Phones may join' : 'No phone may join'}
          icon={<IconWifi size={20} stroke={1.75} />}
        />
        <MeetingCard room={room} />
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

function MeetingCard({ room: { zoom_status, is_live, participant_count } }: { room: Room }) {
  const isStale = useIsStale(liveHostRoom.queryKey)
  const [value, tone, hint] =
    isStale && zoom_status === 'connected'
      ? (['–', 'quiet', 'Out of date'] as const)
      : is_live
        ? (['Running', 'good', inMeeting(participant_count ?? 0)] as const)
        : zoom_status === 'connected'
          ? (['Ready', 'brand', 'Audio only. Start it when you are ready'] as const)
          : (['None', 'quiet', 'Ask your administrator to connect Zoom'] as const)
  return (
    <StatCard label="Zoom meeting" value={value} tone={tone} hint={hint} icon={<IconCloud size={20} stroke={1.75} />} />
  )
}

const inMeeting = (count: number) => (count === 1 ? '1 user is in it' : `${count.toLocaleString('en')} users are in it`)

const COLUMNS: Column<Room>[] = [
  {
    header: 'Room Name',
    meta: { card: 'heading' },
    cell: ({ row }) => <PersonText text={row.original.room_name} className={cells.name} wraps />,
  },
  { header: 'User Count', cell: ({ row }) => row.original.user_count },
  {
    header: 'Meeting ID',
    cell: ({ row: { original: room } }) =>
      room.zoom_meeting_id ? (
        <span className={cells.actions}>
          <span className={cells.code}>{formatMeetingId(room.zoom_meeting_id)}</span>
          <CopyValue what="Meeting ID" value={room.zoom_meeting_id} />
        </span>
      ) : (
        <span className={cells.minor}>Not connected to Zoom</span>
      ),
  },
  { header: 'Password', cell: ({ row }) => <Passcode password={row.original.password ?? null} /> },
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
      <CopyValue what="Password" value={password} />
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
