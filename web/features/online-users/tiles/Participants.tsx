import { TextInput } from '@mantine/core'
import { IconHeadphonesOff, IconSearch, IconSearchOff } from '@tabler/icons-react'
import { type MouseEvent, memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { userMatcher } from '../../../lib/match-user.ts'
import { useCopyCredentials } from '../../../lib/use-copy-credentials.ts'
import { useFilterParam } from '../../../lib/use-filter-param.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import type { Act } from '../controls/participant-actions.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { isMuteAllOn, useRoom, usersOf } from '../live-room/use-room.ts'
import { ParticipantDetails } from './ParticipantDetails.tsx'
import classes from './Participants.module.css'
import { TileGrid } from './TileGrid.tsx'
import { type OpenMenu, TileMenu } from './TileMenu.tsx'
import { useClickGuard } from './use-click-guard.ts'

type ParticipantsProps = {
  store: LiveRoomStore
  roomName: string
  /** Zoom says that the room's meeting runs. */
  isLive: boolean
  disabled: boolean
  busyIds: ReadonlySet<string>
  onAct: Act
}

export const Participants = memo(function Participants(props: ParticipantsProps) {
  const { store, roomName, isLive, disabled, busyIds, onAct } = props
  const users = useRoom(store, usersOf)
  // The first person in it is heard of sooner than the meeting itself.
  const meetingRuns = isLive || users.some((user) => user.in_meeting === true)
  const hostMuteAll = useRoom(store, isMuteAllOn)
  const [filter, setFilter] = useFilterParam()
  const words = useDeferredValue(filter)
  const shown = useMemo(() => users.filter(userMatcher(words)), [users, words])
  const ids = useMemo(() => shown.map(({ id }) => id), [shown])
  const mayClick = useClickGuard(ids)

  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const menuUser = menu && users.find(({ id }) => id === menu.userId)
  const [details, setDetails] = useState<RoomUser | null>(null)
  const copyCredentials = useCopyCredentials()

  const handleUnmute = useCallback(
    (user: RoomUser, event: MouseEvent) => {
      if (isMeant(event) || mayClick(user.id)) void onAct(user, 'unmute')
    },
    [mayClick, onAct],
  )
  const handleMenu = useCallback(
    (user: RoomUser, event: MouseEvent<HTMLElement>) => {
      const button = event.currentTarget
      if (isMeant(event) || mayClick(user.id)) {
        setMenu({ userId: user.id, button, place: button.getBoundingClientRect() })
      }
    },
    [mayClick],
  )

  return (
    <section className={classes.section} aria-labelledby="all-participants">
      <div className={classes.head}>
        <h2 id="all-participants" className={classes.title}>
          {roomName} - All Participants
        </h2>
        <Filter words={filter} onChange={setFilter} />
      </div>
      {users.length === 0 ? (
        <Panel>
          <Empty
            icon={<IconHeadphonesOff size={22} stroke={1.75} aria-hidden="true" />}
            hint="People appear here as soon as they sign in on their phones."
          >
            No users are currently online
          </Empty>
        </Panel>
      ) : shown.length === 0 ? (
        <Panel>
          <Empty
            icon={<IconSearchOff size={22} stroke={1.75} aria-hidden="true" />}
            hint={`Nobody of the ${users.length} online has “${words.trim()}” in name, user ID or reference.`}
          >
            No users found
          </Empty>
        </Panel>
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
    </section>
  )
})

/** Drawn anew when somebody types, not with each change in the room. */
const Filter = memo(function Filter({ words, onChange }: { words: string; onChange: (words: string) => void }) {
  return (
    <TextInput
      type="search"
      className={classes.filter}
      aria-label="Filter participants"
      placeholder="Filter by name, ID or reference"
      leftSection={<IconSearch size={17} aria-hidden="true" />}
      value={words}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
})

/** Enter or Space: the focus stays with its tile, wherever that moves. */
function isMeant(event: MouseEvent): boolean {
  return event.detail === 0
}
