import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { OnlineUsersAnswer, RoomUser } from '../../../../shared/room-users.ts'
import { keepOrder } from '../tiles/tile-order.ts'
import { flagAtStart, type HostMuteAll, heardApi, heardEvent } from './host-mute-all.ts'

/**
 * What an event said of a user stands until a poll that set out this much later: with several server nodes, the one
 * that answers may hear of a change a moment after the one that holds the stream.
 */
export const SETTLE_MS = 250

type Told = Partial<
  Pick<
    RoomUser,
    | 'is_online'
    | 'asleep'
    | 'is_muted'
    | 'is_speaking'
    | 'speaker_on'
    | 'wants_to_speak'
    | 'wants_to_speak_at'
    | 'pending_command'
  >
>
type Patch = { readonly told: Told; readonly at: number }

/** The room as the page shows it: the last poll, and on top of it what the stream has said since. */
export interface LiveRoom {
  /** Who is online, in the order of their tiles; a user who has not changed is the same object as before. */
  readonly users: readonly RoomUser[]
  readonly hostMuteAll: HostMuteAll
  readonly heardAt: number
  /** What to add to the page's own clock for the server's time; null before the stream has told that. */
  readonly serverAhead: number | null
  /** When the last poll set out; null before the first answer. */
  readonly polledAt: number | null
  readonly polledFlag: boolean | null
  readonly polled: ReadonlyMap<string, RoomUser>
  readonly patches: ReadonlyMap<string, Patch>
  readonly patched: ReadonlyMap<string, RoomUser>
  readonly order: readonly string[]
}

export const emptyRoom: LiveRoom = {
  users: [],
  hostMuteAll: flagAtStart,
  heardAt: -Infinity,
  serverAhead: null,
  polledAt: null,
  polledFlag: null,
  polled: new Map(),
  patches: new Map(),
  patched: new Map(),
  order: [],
}

export function withPoll(room: LiveRoom, answer: OnlineUsersAnswer, requestedAt: number, now: number): LiveRoom {
  const { users } = answer.data
  return arranged({
    ...room,
    heardAt: now,
    polledAt: requestedAt,
    polledFlag: answer.host_mute_all_active,
    polled: new Map(users.map((user) => [user.id, same(room.polled.get(user.id), user)])),
    patches: new Map([...room.patches].filter(([, patch]) => patch.at + SETTLE_MS > requestedAt)),
    hostMuteAll: heardApi(room.hostMuteAll, answer.host_mute_all_active, requestedAt, now),
    order: keepOrder(room.order, users),
  })
}

/** Several events at once make one change of the page. */
export function withEvents(room: LiveRoom, events: readonly RoomEvent[], now: number): LiveRoom {
  if (events.length === 0) return room
  const patches = new Map(room.patches)
  let { hostMuteAll, serverAhead } = room

  for (const event of events) {
    if (event.name === 'test') {
      serverAhead = Date.parse(event.data.server_time) - now
      continue
    }
    if (event.name === 'host-mute-all') {
      hostMuteAll = heardEvent(hostMuteAll, event.data.active, now)
      // A fresh stream repeats the flag as it is; only a change of it mutes or opens everybody.
      if (event.data.active !== room.polledFlag) {
        for (const id of room.polled.keys()) tell(patches, id, mutedOrOpened(event.data.active), now)
      }
      continue
    }
    if (event.name === 'commands-acknowledged') {
      for (const id of event.data.user_ids) tell(patches, id, { pending_command: null }, now)
      continue
    }
    const { user_id } = event.data
    const isMuted = patches.get(user_id)?.told.is_muted ?? room.polled.get(user_id)?.is_muted
    tell(patches, user_id, toldBy(event, isMuted), now)
  }
  return arranged({ ...room, patches, hostMuteAll, serverAhead, heardAt: now })
}

function tell(patches: Map<string, Patch>, id: string, told: Told, at: number) {
  patches.set(id, { told: { ...patches.get(id)?.told, ...told }, at })
}

function toldBy(
  event: Exclude<RoomEvent, { name: 'test' | 'host-mute-all' | 'commands-acknowledged' }>,
  isMuted: boolean | undefined,
): Told {
  switch (event.name) {
    case 'user-speaking-status':
      return { is_speaking: event.data.is_speaking }
    case 'user-speaker-toggle': {
      const { speaker_on, wants_to_speak, wants_to_speak_at } = event.data
      return { speaker_on, wants_to_speak, wants_to_speak_at }
    }
    case 'user-mute-status':
      // Said again of a user for whom nothing changed, it must not take back a raised hand.
      return isMuted === event.data.is_muted ? {} : mutedOrOpened(event.data.is_muted)
    case 'user-online':
      return event.data.is_online ? { is_online: true, asleep: event.data.asleep ?? false } : gone
    case 'user-deactivated':
      return gone
  }
}

const gone: Told = { is_online: false, asleep: false, is_speaking: false, speaker_on: false, wants_to_speak: false }

/** Muting silences at once; being unmuted answers the raised hand. */
function mutedOrOpened(is_muted: boolean): Told {
  return is_muted
    ? { is_muted, is_speaking: false, speaker_on: false }
    : { is_muted, wants_to_speak: false, wants_to_speak_at: null }
}

function arranged(room: LiveRoom): LiveRoom {
  const users: RoomUser[] = []
  const patched = new Map<string, RoomUser>()
  for (const id of room.order) {
    const polled = room.polled.get(id)
    if (!polled) continue
    const patch = room.patches.get(id)
    const user = patch ? same(room.patched.get(id), { ...polled, ...patch.told }) : polled
    if (patch) patched.set(id, user)
    if (user.is_online) users.push(user)
  }
  const unchanged = users.length === room.users.length && users.every((user, index) => user === room.users[index])
  return { ...room, patched, users: unchanged ? room.users : users }
}

/** The object of before if nothing in it has changed, so that its tile is not drawn again. */
function same(before: RoomUser | undefined, after: RoomUser): RoomUser {
  if (!before || before === after) return after
  for (const key of keysOf(after)) {
    if (key !== 'pending_command' && before[key] !== after[key]) return after
  }
  return before.pending_command?.id === after.pending_command?.id ? before : after
}

function keysOf(user: RoomUser) {
  return Object.keys(user) as (keyof RoomUser)[] // what a schema has parsed has no other keys
}
