import { Group, Paper, Stack, TextInput, Title } from '@mantine/core'
import { IconHeadphonesOff, IconSearch, IconSearchOff } from '@tabler/icons-react'
import { type MouseEvent, memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { userMatcher } from '../../../lib/match-user.ts'
import { shortDeviceId } from '../../../lib/short-device-id.ts'
import { useCopyCredentials } from '../../../lib/use-copy-credentials.ts'
import { useFilterParam } from '../../../lib/use-filter-param.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Fact, Facts } from '../../../ui/Facts.tsx'
import { formatMoment } from '../../../ui/format-date.ts'
import { toast } from '../../../ui/toast.tsx'
import { UserStatusBadge } from '../../../widgets/room-user/UserStatusBadge.tsx'
import type { Act } from '../controls/participant-actions.ts'
import { isMuteAllOn, type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'
import { TileGrid } from './TileGrid.tsx'
import { type OpenMenu, TileMenu } from './TileMenu.tsx'
import { tileState, tileWords } from './tile-state.ts'
import { useClickGuard } from './use-click-guard.ts'

type ParticipantsProps = {
  store: LiveRoomStore
  roomName: string
  /** Whether the room's Zoom meeting is running. */
  isLive: boolean
  disabled: boolean
  busyIds: ReadonlySet<string>
  onAct: Act
}

export const Participants = memo(function Participants(props: ParticipantsProps) {
  const { store, roomName, isLive, disabled, busyIds, onAct } = props
  const users = useStore(store, usersOf)
  // The first participant is known sooner than the state of the meeting.
  const meetingRuns = isLive || users.some((user) => user.in_meeting === true)
  const hostMuteAll = useStore(store, isMuteAllOn)
  const [filter, setFilter] = useFilterParam()
  const words = useDeferredValue(filter)
  const shown = useMemo(() => users.filter(userMatcher(words)), [users, words])
  const ids = useMemo(() => shown.map(({ id }) => id), [shown])
  const isMeant = useClickGuard(ids)

  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const menuUser = menu && users.find(({ id }) => id === menu.userId)
  const [details, setDetails] = useState<RoomUser | null>(null)
  const copyCredentials = useCopyCredentials(toast)

  const handleUnmute = useCallback(
    (user: RoomUser, event: MouseEvent) => {
      if (isMeant(user.id, event)) void onAct(user, 'unmute')
    },
    [isMeant, onAct],
  )
  const handleMenu = useCallback(
    (user: RoomUser, event: MouseEvent<HTMLElement>) => {
      const button = event.currentTarget
      if (isMeant(user.id, event)) {
        setMenu({ userId: user.id, button, rect: button.getBoundingClientRect() })
      }
    },
    [isMeant],
  )

  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby="all-participants">
      <Group justify="space-between" gap="xs">
        <Title order={2} fz="lg" id="all-participants">
          {roomName} - All Participants
        </Title>
        <Filter words={filter} onChange={setFilter} />
      </Group>
      {users.length === 0 ? (
        <Paper>
          <Empty
            icon={<IconHeadphonesOff size={22} stroke={1.75} aria-hidden="true" />}
            hint="People appear here as soon as they sign in on their phones."
          >
            No users are currently online
          </Empty>
        </Paper>
      ) : shown.length === 0 ? (
        <Paper>
          <Empty
            icon={<IconSearchOff size={22} stroke={1.75} aria-hidden="true" />}
            hint={`None of the ${users.length} online users has “${words.trim()}” in the name, user ID or reference.`}
          >
            No users found
          </Empty>
        </Paper>
      ) : (
        <TileGrid
          label={`${roomName} - All Participants`}
          users={shown}
          hostMuteAll={hostMuteAll}
          meetingRuns={meetingRuns}
          disabled={disabled}
          busyIds={busyIds}
          onUnmute={handleUnmute}
          onMenu={handleMenu}
        />
      )}
      {menu && menuUser ? (
        <TileMenu
          open={menu}
          user={menuUser}
          disabled={disabled}
          onClose={() => setMenu(null)}
          onAct={onAct}
          onCopy={copyCredentials}
          onDetails={setDetails}
        />
      ) : null}
      {details ? (
        <ParticipantDetails
          user={users.find(({ id }) => id === details.id) ?? { ...details, is_online: false }}
          onClose={() => setDetails(null)}
        />
      ) : null}
    </Stack>
  )
})

/** Rendered again when its text changes, not with each change in the room. */
const Filter = memo(function Filter({ words, onChange }: { words: string; onChange: (words: string) => void }) {
  return (
    <TextInput
      type="search"
      flex={{ base: '1 1 100%', sm: '0 1 21rem' }}
      aria-label="Filter participants"
      placeholder="Filter by name, ID or reference"
      leftSection={<IconSearch size={17} aria-hidden="true" />}
      value={words}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
})

/** All that the room knows of one participant, as it changes. */
function ParticipantDetails({ user, onClose }: { user: RoomUser; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={user.username}>
      <Facts>
        <Fact label="User ID">{user.user_id}</Fact>
        <Fact label="Reference">{user.reference}</Fact>
        <Fact label="Status">
          <UserStatusBadge user={user} />
        </Fact>
        <Fact label="In the room">{user.is_online ? tileWords[tileState(user)] : 'Not online'}</Fact>
        <Fact label="Microphone">
          {user.is_muted ? 'Muted by the host' : `Open, speaker ${user.speaker_on ? 'on' : 'off'}`}
        </Fact>
        <Fact label="Zoom">{presenceWords(user)}</Fact>
        <Fact label="Phone">{[user.device_model, user.platform].filter(Boolean).join(' · ')}</Fact>
        <Fact label="App version">{user.app_version}</Fact>
        <Fact label="Device">{user.device_id ? shortDeviceId(user.device_id) : null}</Fact>
        <Fact label="Signed in">{user.login_time ? formatMoment(user.login_time) : null}</Fact>
      </Facts>
    </Dialog>
  )
}

function presenceWords({ in_meeting }: RoomUser): string {
  if (in_meeting === null) return 'Not connected'
  return in_meeting ? 'In the meeting' : 'Only in the app, not in the meeting'
}
