import { TextInput } from '@mantine/core'
import { IconHeadphonesOff, IconSearch, IconSearchOff } from '@tabler/icons-react'
import { type MouseEvent, useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { RoomUser } from '../../shared/room-users.ts'
import { useFind } from '../layout/use-find.ts'
import { userMatcher } from '../room-users/match-user.ts'
import { useCopyCredentials } from '../room-users/use-copy-credentials.ts'
import { Empty } from '../ui/Empty.tsx'
import { Panel } from '../ui/Panel.tsx'
import { ParticipantDetails } from './ParticipantDetails.tsx'
import classes from './Participants.module.css'
import { TileGrid } from './TileGrid.tsx'
import { type OpenMenu, TileMenu } from './TileMenu.tsx'
import type { Act } from './use-act-on-participant.ts'
import { useMoves } from './use-moves.ts'

type ParticipantsProps = {
  roomName: string
  users: readonly RoomUser[]
  hostMuteAll: boolean
  disabled: boolean
  busyIds: ReadonlySet<string>
  onAct: Act
}

export function Participants({ roomName, users, hostMuteAll, disabled, busyIds, onAct }: ParticipantsProps) {
  const [filter, setFilter] = useFind()
  const words = useDeferredValue(filter)
  const shown = useMemo(() => users.filter(userMatcher(words)), [users, words])
  const ids = useMemo(() => shown.map(({ id }) => id), [shown])
  const mayClick = useMoves(ids)

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
        <TextInput
          type="search"
          className={classes.filter}
          aria-label="Filter participants"
          placeholder="Filter by name, ID or reference"
          leftSection={<IconSearch size={17} aria-hidden="true" />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
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
}

/** Enter or Space: the focus stays with its tile, wherever that moves. */
function isMeant(event: MouseEvent): boolean {
  return event.detail === 0
}
