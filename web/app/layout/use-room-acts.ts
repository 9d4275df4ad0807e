import { IconMicrophone, IconMicrophoneOff, IconPlayerStop, IconPlayerTrackNext } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { OnlineUsersAnswer, type RoomUser } from '../../../shared/room-users.ts'
import { api } from '../../lib/api-client.ts'
import { useRights } from '../../lib/session/rights.ts'
import { useSession } from '../../lib/session/session.ts'
import { hostRoom } from '../../queries/rooms.ts'
import { type Action, isNamed, useOfferedActions } from '../../ui/actions.ts'
import { userMatcher } from '../../widgets/room-user/match-user.ts'
import { useActOnUser } from '../../widgets/room-user/use-user-actions.ts'
import { readUserAct } from './read-user-act.ts'
import { useActOnPage } from './use-act-on-page.ts'

/** An act that the search offers, with a few words about where or on whom. */
type OfferedAct = Action & { id: string; hint: string }

const SHOWN = 6
const ONLINE = { path: '/host/online', hint: 'on Online' }
const ROOMS = { path: '/host/rooms', hint: 'on Rooms Master' }

const isAnyoneOnline = (users: readonly RoomUser[]) => users.length > 0
const doesAnyoneWait = (users: readonly RoomUser[]) => users.some(({ wants_to_speak }) => wants_to_speak)

/** Acts of the page Online, under the names that it offers them by. */
const ONLINE_ACTS = [
  { label: 'Mute All', icon: IconMicrophoneOff, isPossible: isAnyoneOnline },
  { label: 'Unmute All', icon: IconMicrophone, isPossible: isAnyoneOnline },
  { label: 'Next speaker', synonyms: ['queue'], icon: IconPlayerTrackNext, isPossible: doesAnyoneWait },
]
const END = { label: 'End meeting', icon: IconPlayerStop }

/** The room as the acts need it: read only once the words name one, and again while the search stays open. */
const onlineNow = queryOptions({
  queryKey: ['online-now'],
  queryFn: async ({ signal }) => {
    const answer = await api(OnlineUsersAnswer, 'GET', '/host/online-users', undefined, { signal })
    return answer.data.users
  },
  refetchInterval: 1000,
  gcTime: 0, // the room of a minute ago would offer acts that are over
})

/**
 * Lists the acts on the room that the words name: on one user here, as in the panel of that user, and on all on the
 * page that has their button. Those that the account may not do, or that would change nothing now, are left out.
 */
export function useRoomActs(words: string, isOpen: boolean): { acts: OfferedAct[]; isSettled: boolean } {
  const { pathname } = useLocation()
  const isInRoom = useIsInRoom()
  const { managesUsers } = useRights()
  const actOnUser = useActOnUser()
  const actOnPage = useActOnPage()
  const offered = useOfferedActions()
  const named = readUserAct(words)
  const onUser = named !== null && named.verb !== 'invite' && named.name.toLowerCase() !== 'all' ? named : null
  const onAll = pathname === ONLINE.path ? [] : ONLINE_ACTS.filter((act) => words !== '' && isNamed(act, words))
  const needsUsers = isInRoom && isOpen && (onUser !== null || onAll.length > 0)
  const { data: users = [], isPending } = useQuery({ ...onlineNow, enabled: needsUsers })
  const isEndNamed = words !== '' && isNamed(END, words) && pathname !== ROOMS.path
  const needsRoom = managesUsers && isOpen && isEndNamed && !offered.some(({ label }) => label === END.label)
  const { data: room } = useQuery({ ...hostRoom, enabled: needsRoom })

  const acts: OfferedAct[] = []
  if (needsUsers) {
    for (const { isPossible, ...act } of onAll) {
      if (isPossible(users)) acts.push(elsewhere(act, ONLINE))
    }
  }
  if (needsRoom && room?.is_live && room.zoom_status === 'connected') acts.push(elsewhere(END, ROOMS))
  if (needsUsers && onUser) {
    const isMute = onUser.verb === 'mute'
    const matches = userMatcher(onUser.name)
    const found = users
      .filter((user) => user.is_muted !== isMute && matches(user))
      .sort((one, other) => Number(isWordOf(other, onUser.name)) - Number(isWordOf(one, onUser.name)))
      .slice(0, SHOWN)
    for (const user of found) {
      acts.push({
        id: `${onUser.verb}-${user.id}`,
        label: `${isMute ? 'Mute' : 'Unmute'} ${user.username}`,
        hint: user.user_id,
        icon: isMute ? IconMicrophoneOff : IconMicrophone,
        run: () => void actOnUser(isMute ? 'mute' : 'unmute', user),
      })
    }
  }
  return { acts, isSettled: !(needsUsers && isPending) }

  function elsewhere(act: Omit<Action, 'run'>, { path, hint }: typeof ONLINE): OfferedAct {
    return { ...act, id: act.label, hint, run: () => actOnPage(path, act.label) }
  }
}

/** True if a word of the name begins with these: “ann” means Anna before Joanna. */
function isWordOf({ username }: RoomUser, words: string): boolean {
  return ` ${normaliseForComparison(username)}`.includes(` ${normaliseForComparison(words)}`)
}

/** True for those who act in a host's room; masters have none. */
function useIsInRoom(): boolean {
  const role = useSession().user?.role
  return role !== undefined && role !== 'master'
}
