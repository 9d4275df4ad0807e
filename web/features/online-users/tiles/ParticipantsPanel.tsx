import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { type MouseEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { normaliseForComparison } from '../../../../shared/normalise.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { toast } from '../../../ui/toast.tsx'
import { MOVED_GUARD_MS, useClickGuard } from '../../../ui/use-click-guard.ts'
import { useFocusNeighbour } from '../../../ui/use-focus-neighbour.ts'
import { useStored } from '../../../ui/use-stored.ts'
import { useCopyCredentials } from '../../../widgets/invitation/use-copy-credentials.ts'
import { useOpenUserPanel } from '../../../widgets/room-user/user-param.ts'
import { WordDialog } from '../../../widgets/room-words/WordDialog.tsx'
import { useSeatView } from '../../../widgets/seat/seat-context.ts'
import { attendeesByUser, emptySeatView, isSeeing, type SeatView } from '../../../widgets/seat/seat-view.ts'
import type { MuteOthers } from '../controls/mute-all.ts'
import type { Act } from '../controls/participant-actions.ts'
import { groupsOfRoom, isMuteAllOn, type LiveRoomStore, usersOf, wordsOf } from '../live-room/live-room-store.ts'
import { useGuests } from '../live-room/use-guests.ts'
import { useDensity } from './density.ts'
import { EmptyRoom } from './EmptyRoom.tsx'
import { GroupActions } from './GroupActions.tsx'
import { type ListOrder, sortUsers } from './list-order.ts'
import {
  type ChosenGroup,
  countGroups,
  countMembers,
  doesMeetingRun,
  filterUsers,
  type RoomFilter,
} from './room-filter.ts'
import { useSteadyList } from './steady-list.ts'
import { TileGrid } from './TileGrid.tsx'
import { type OpenMenu, TileMenu } from './TileMenu.tsx'
import { TileOrderName, tileOrder } from './TileOrder.tsx'
import { Toolbar } from './Toolbar.tsx'
import { UserList } from './UserList.tsx'
import { useTypeToFind } from './use-type-to-find.ts'
import { zoomWords } from './zoom-words.ts'

type ParticipantsPanelProps = {
  store: LiveRoomStore
  roomName: string
  /** True while the room's Zoom meeting is running. */
  isLive: boolean
  disabled: boolean
  busyIds: ReadonlySet<string>
  filter: RoomFilter
  /** The filter of what is shown, which under load comes later than the words in the field. */
  shownFilter: RoomFilter
  onWords: (words: string) => void
  onGroup: (group: ChosenGroup | null) => void
  onClear: () => void
  onAct: Act
  onMuteOthers: MuteOthers
}

export const ParticipantsPanel = memo(function ParticipantsPanel(props: ParticipantsPanelProps) {
  const { store, roomName, isLive, disabled, busyIds, filter, shownFilter, onAct, onMuteOthers } = props
  const { onWords, onGroup, onClear } = props
  const users = useStore(store, usersOf)
  const references = useStore(
    store,
    useShallow((room) => countGroups(room.users)),
  )
  const groups = useStore(store, groupsOfRoom)
  const members = useStore(
    store,
    useShallow((room) => countMembers(room.users)),
  )
  const { group } = filter
  const chosen = group !== null && 'id' in group ? groups.find(({ id }) => id === group.id) : undefined
  const isGone = group !== null && 'id' in group && !chosen && users.length > 0
  useEffect(() => {
    if (isGone) onGroup(null) // the host has deleted it
  }, [isGone, onGroup])
  const hostMuteAll = useStore(store, isMuteAllOn)
  const meetingRuns = doesMeetingRun(isLive, users)
  const zoom = useZoomWords(users)
  const isFoundInZoom = useIsFoundInZoom(store, shownFilter.words)
  const [density, setDensity] = useDensity(users.length)
  const [order, setOrder] = useState<ListOrder>(null)
  const [tilesBy, setTilesBy] = useStored('parley.tile-order', TileOrderName, 'arrival')
  const isList = density === 'list'
  const shownOrder = isList ? order : tileOrder(tilesBy)

  const shown = useMemo(() => {
    const filtered = filterUsers(users, shownFilter, meetingRuns)
    return sortUsers(filtered, shownOrder)
  }, [users, shownFilter, meetingRuns, shownOrder])
  const { list, holdHandlers } = useSteadyList(shown, users, JSON.stringify([shownFilter, shownOrder]))

  const input = useRef<HTMLInputElement>(null)
  const tiles = useRef<HTMLDivElement>(null)
  const keepsFocus = useFocusNeighbour('all-participants')
  useTypeToFind(input, onWords, onClear)
  const entered = useRef<RoomFilter>(null)
  const focusFirst = useCallback(() => {
    if (entered.current !== shownFilter) return
    entered.current = null
    const user = tiles.current?.querySelector<HTMLElement>('[data-user-id] button')
    const first = user ?? document.querySelector<HTMLElement>('[data-guest] button') // those in Zoom only come after the users
    first?.focus()
  }, [shownFilter])
  useEffect(focusFirst, [focusFirst])
  const handleEnter = useCallback(() => {
    entered.current = filter
    focusFirst()
  }, [filter, focusFirst])

  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const lastMenu = useRef<string>(null)
  const [receiver, setReceiver] = useState<RoomUser | null>(null)
  const words = useStore(store, wordsOf)
  const isMenuOpen = menu !== null && users.some(({ id }) => id === menu.user.id)
  if (menu && !isMenuOpen) setMenu(null) // stays closed when its user comes back
  // A press on a tile depends on whether the user is muted. A menu that closes uncovers all tiles, and words above move them.
  const ids = useMemo(() => list.map(pressOf), [list])
  const isMeant = useClickGuard(ids, `${density} ${isMenuOpen} ${words.length}`)
  const openPanel = useOpenUserPanel()
  const copyCredentials = useCopyCredentials(toast)

  // The tile keeps the focus while its press changes from unmuting to opening the menu.
  const unmuted = useRef({ id: '', at: -Infinity })

  const handleUnmute = useCallback(
    (user: RoomUser, event: MouseEvent) => {
      if (!isMeant(pressOf(user), event)) return
      unmuted.current = { id: user.id, at: performance.now() }
      void onAct(user, 'unmute')
    },
    [isMeant, onAct],
  )
  const handleMenu = useCallback(
    (user: RoomUser, event: MouseEvent<HTMLElement>) => {
      const button = event.currentTarget
      const { id, at } = unmuted.current
      if (id === user.id && performance.now() - at < MOVED_GUARD_MS) return
      // The second click of a double click on a tile closes the menu on pointer down, and reopens it on click.
      if (lastMenu.current !== user.id && !isMeant(pressOf(user), event)) return
      lastMenu.current = user.id
      setMenu({ user, button, rect: button.getBoundingClientRect() })
    },
    [isMeant],
  )

  const isFiltered = filter.words !== '' || filter.state !== null || filter.group !== null
  const shared = {
    label: `${roomName} - All Participants`,
    users: list,
    groups,
    hostMuteAll,
    meetingRuns,
    disabled,
    busyIds,
    zoom,
    onUnmute: handleUnmute,
    onMenu: handleMenu,
  }
  return (
    <Stack component="section" ref={keepsFocus} gap="sm" miw={0} aria-labelledby="all-participants">
      <Group justify="space-between" gap="xs" mih={30}>
        <Title order={2} fz="lg" id="all-participants" tabIndex={-1}>
          <bdi>{roomName}</bdi> - All Participants
        </Title>
        {filter.group !== null ? (
          <GroupActions
            name={'id' in filter.group ? (chosen?.name ?? '') : filter.group.reference || 'No reference'}
            users={filterUsers(users, { words: '', state: null, group: filter.group }, meetingRuns)}
            disabled={disabled}
          />
        ) : null}
      </Group>
      <Toolbar
        inputRef={input}
        words={filter.words}
        onWords={onWords}
        onEnter={handleEnter}
        groups={groups}
        members={members}
        references={references}
        group={filter.group}
        onGroup={onGroup}
        tilesBy={isList ? undefined : tilesBy}
        onTilesBy={setTilesBy}
        density={density}
        onDensity={setDensity}
        onClear={isFiltered ? onClear : undefined}
      />
      <Text component="p" className="unseen" role="status">
        {isFiltered ? `${list.length} of ${users.length} users shown` : ''}
      </Text>
      {users.length === 0 ? (
        <EmptyRoom />
      ) : list.length === 0 && isFoundInZoom ? (
        <Text c="dimmed" size="sm">
          No online user has “<bdi>{filter.words.trim()}</bdi>” in the name, user ID or reference.
        </Text>
      ) : list.length === 0 ? (
        <Paper>
          <Empty
            icon={<IconSearchOff size={22} stroke={1.75} aria-hidden="true" />}
            hint={
              filter.words.trim() === '' ? (
                'No online user is in what you chose.'
              ) : (
                <>
                  No online user has “<bdi>{filter.words.trim()}</bdi>” in the name, user ID or reference
                  {filter.state !== null || filter.group !== null ? ', and is in what you chose' : ''}.
                </>
              )
            }
          >
            No users found
          </Empty>
        </Paper>
      ) : (
        <div ref={tiles} {...holdHandlers}>
          {isList ? (
            <UserList {...shared} order={order} onOrder={setOrder} />
          ) : (
            <TileGrid {...shared} density={density} />
          )}
        </div>
      )}
      {menu && isMenuOpen ? (
        <TileMenu
          open={menu}
          groups={groups}
          disabled={disabled}
          onClose={() => setMenu(null)}
          onAct={onAct}
          onMuteOthers={onMuteOthers}
          onWord={setReceiver}
          onCopy={copyCredentials}
          onDetails={openPanel}
        />
      ) : null}
      {receiver ? (
        <WordDialog
          to={receiver}
          standing={words.find(({ user }) => user?.id === receiver.id) ?? null}
          onClose={() => setReceiver(null)}
        />
      ) : null}
    </Stack>
  )
})

/** True if somebody in Zoom only, who is shown below the users, has the searched words in the name. */
function useIsFoundInZoom(store: LiveRoomStore, words: string): boolean {
  const { guests } = useGuests(store)
  const searched = normaliseForComparison(words)
  return searched !== '' && guests.some(({ name }) => normaliseForComparison(name).includes(searched))
}

/** Words for the users in Zoom, by user id; empty without a seat. */
function useZoomWords(users: readonly RoomUser[]): ReadonlyMap<string, string> {
  const attendees = useSeatView(seenAttendees)
  return useMemo(() => {
    const byUser = attendeesByUser({ attendees })
    if (byUser.size === 0) return new Map()
    return new Map(
      users.flatMap((user): [string, string][] => {
        const words = zoomWords(user, byUser.get(user.id) ?? [])
        return words === null ? [] : [[user.id, words]]
      }),
    )
  }, [attendees, users])
}

const seenAttendees = (view: SeatView) => (isSeeing(view) ? view.attendees : emptySeatView.attendees)

const pressOf = ({ id, is_muted }: RoomUser) => `${id} ${is_muted}`
