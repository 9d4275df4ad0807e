import type { Moderator } from '../../../../shared/moderators.ts'
import { FIRST_COME, type QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomAct } from '../../../../shared/room-act.ts'
import { isSeatEvent, type RoomEvent, type SeatEventName } from '../../../../shared/room-events.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { StandingWord } from '../../../../shared/room-words.ts'
import { NO_TURN_LIMIT, type TurnLimit } from '../../../../shared/turns.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import type { Version } from '../../../lib/api-client.ts'
import { applyFlagEvent, applyPolledFlag, type HostMuteAll, initialFlag } from './host-mute-all.ts'

/**
 * Milliseconds by which a poll must be sent later than an event to overrule it: the server that answers the poll may
 * learn of a change a moment after the one that sent the event.
 */
export const SETTLE_MS = 250

type Fields = Partial<
  Pick<
    RoomUser,
    | 'is_online'
    | 'asleep'
    | 'is_muted'
    | 'is_speaking'
    | 'speaking_since'
    | 'speaker_on'
    | 'wants_to_speak'
    | 'wants_to_speak_at'
    | 'asked_to_speak'
    | 'audio'
    | 'microphone'
    | 'zoom_code'
    | 'pending_command'
  >
>
/** Events that change nothing in the list of users. */
type Notice = 'phone-requests' | 'user-muted-again' | 'meeting-runs' | 'moderators' | 'turn' | 'word' | SeatEventName
type Change = { readonly fields: Fields; readonly at: number }

/** The state of the Online page: the last polled list with the later events applied to it. */
export interface LiveRoomState {
  /** The online users in the order of their tiles; an unchanged user is the same object as before. */
  readonly users: readonly RoomUser[]
  readonly hostMuteAll: HostMuteAll
  /** The user who was last let speak from the queue, until that user is muted. */
  readonly floorId: string | null
  readonly floorChangedAt: number
  /** When that user was let speak, by the server's clock. */
  readonly floorSince: string | null
  readonly turnLimit: TurnLimit
  readonly queueOrder: QueueOrder
  /** All groups of the room by name; an unchanged list is the same object as before. */
  readonly groups: readonly UserGroup[]
  /** The words of the host that stand on phones, as polled. */
  readonly words: readonly StandingWord[]
  /** Everybody whose console is open in this room. */
  readonly moderators: readonly Moderator[]
  /** The last act that changed who is muted, as polled. */
  readonly lastAct: RoomAct | null
  /** False while the server cannot reach the other servers. */
  readonly isInStep: boolean
  readonly lastContactAt: number
  /** Server time minus the page's clock; null until the stream has sent the server's time. */
  readonly clockOffset: number | null
  /** The time at which the last answered poll was sent; null before the first answer. */
  readonly polledAt: number | null
  readonly polledFlag: boolean | null
  /** Null makes the next poll fetch the whole list, since events have changed this copy. */
  readonly version: Version | null
  /** All polled users, including those that have gone offline since. */
  readonly usersById: ReadonlyMap<string, RoomUser>
  /** Fields changed by events, by user id, until a poll is sent `SETTLE_MS` later. */
  readonly changes: ReadonlyMap<string, Change>
  readonly order: readonly string[]
}

export const emptyRoom: LiveRoomState = {
  users: [],
  hostMuteAll: initialFlag,
  floorId: null,
  floorChangedAt: -Infinity,
  floorSince: null,
  turnLimit: NO_TURN_LIMIT,
  queueOrder: FIRST_COME,
  groups: [],
  words: [],
  moderators: [],
  lastAct: null,
  isInStep: true,
  lastContactAt: -Infinity,
  clockOffset: null,
  polledAt: null,
  polledFlag: null,
  version: null,
  usersById: new Map(),
  changes: new Map(),
  order: [],
}

export interface PolledRoom {
  users: readonly RoomUser[]
  hostMuteAll: boolean
  floorId: string | null
  floorSince: string | null
  turnLimit: TurnLimit
  queueOrder: QueueOrder
  groups: readonly UserGroup[]
  words: readonly StandingWord[]
  moderators: readonly Moderator[]
  lastAct: RoomAct | null
  isInStep: boolean
  version: Version | null
}

/** A null list means a 304: the list is the one that `room.version` names. */
export function applyPoll(
  room: LiveRoomState,
  list: PolledRoom | null,
  requestedAt: number,
  now: number,
): LiveRoomState {
  const polledFlag = list ? list.hostMuteAll : room.polledFlag
  const polled: LiveRoomState = {
    ...room,
    lastContactAt: now,
    polledAt: requestedAt,
    polledFlag,
    hostMuteAll:
      polledFlag === null ? room.hostMuteAll : applyPolledFlag(room.hostMuteAll, polledFlag, requestedAt, now),
  }
  if (!list) return polled

  const changes = new Map([...room.changes].filter(([, { at }]) => at + SETTLE_MS > requestedAt))
  const isFloorSettled = room.floorChangedAt + SETTLE_MS <= requestedAt
  const usersById = new Map<string, RoomUser>()
  for (const user of list.users) {
    const change = changes.get(user.id)
    usersById.set(user.id, reuse(room.usersById.get(user.id), change ? { ...user, ...change.fields } : user))
  }
  return withUsers({
    ...polled,
    ...(isFloorSettled ? floorOf(list) : {}),
    groups: JSON.stringify(list.groups) === JSON.stringify(room.groups) ? room.groups : list.groups,
    words: list.words,
    moderators: list.moderators,
    lastAct: list.lastAct,
    isInStep: list.isInStep,
    version: changes.size === 0 && isFloorSettled ? list.version : null,
    usersById,
    changes,
    order: extendOrder(room.order, list.users),
  })
}

const floorOf = ({ floorId, floorSince, turnLimit, queueOrder }: PolledRoom) => ({
  floorId,
  floorSince,
  turnLimit,
  queueOrder,
})

/** Applies several events as one change of the page. */
export function applyEvents(room: LiveRoomState, events: readonly RoomEvent[], now: number): LiveRoomState {
  if (events.length === 0) return room
  const changes = new Map(room.changes)
  const usersById = new Map(room.usersById)
  let { hostMuteAll, clockOffset, version, floorId, floorSince, turnLimit } = room

  function change(id: string, fields: Fields) {
    const isHand = usersById.get(id)?.wants_to_speak && fields.is_muted === false && fields.wants_to_speak === false
    if (isHand) floorId = id
    else if (fields.is_muted && id === floorId) floorId = null
    changes.set(id, { fields: { ...changes.get(id)?.fields, ...fields }, at: now })
    const user = usersById.get(id)
    if (user) usersById.set(id, reuse(user, { ...user, ...fields }))
  }

  for (const event of events) {
    if (event.name === 'test') {
      clockOffset = Date.parse(event.data.server_time) - now
      continue
    }
    if (event.name === 'phone-requests' || event.name === 'user-muted-again') continue
    if (event.name === 'meeting-runs' || event.name === 'word') continue // for phones
    if (event.name === 'moderators') continue // in the next poll
    if (isSeatEvent(event)) continue // in a store of its own
    if (event.name === 'turn') {
      const { user_id, since, limit_minutes: minutes, ends_muted: mutes } = event.data
      if (since !== null) [floorId, floorSince, turnLimit] = [user_id, since, { minutes, mutes }]
      else if (floorId === user_id) floorId = null
      continue
    }
    version = null
    if (event.name === 'host-mute-all') {
      hostMuteAll = applyFlagEvent(hostMuteAll, event.data.active, now)
      // A new stream repeats the flag; only a change of the flag mutes or unmutes everyone.
      if (event.data.active !== room.polledFlag) {
        const except = new Set(event.data.except)
        const floor = floorId
        for (const id of room.usersById.keys()) if (!except.has(id)) change(id, muteFields(event.data.active))
        if (!event.data.active) floorId = floor // Unmute All gives it to nobody
      }
    } else if (event.name === 'commands-acknowledged') {
      for (const id of event.data.user_ids) change(id, { pending_command: null })
    } else {
      const { user_id } = event.data
      const isMuted = changes.get(user_id)?.fields.is_muted ?? usersById.get(user_id)?.is_muted
      change(user_id, fieldsOf(event, isMuted))
    }
  }
  if (floorId !== room.floorId && floorSince === room.floorSince) floorSince = null // until the server says
  const isSameTurn = floorId === room.floorId && floorSince === room.floorSince && turnLimit === room.turnLimit
  const floorChangedAt = isSameTurn ? room.floorChangedAt : now
  const floor = { floorId, floorSince, turnLimit, floorChangedAt }
  const changed = { usersById, changes, hostMuteAll, clockOffset, version, ...floor }
  return withUsers({ ...room, ...changed, lastContactAt: now })
}

function fieldsOf(
  event: Exclude<RoomEvent, { name: 'test' | 'host-mute-all' | 'commands-acknowledged' | Notice }>,
  isMuted: boolean | undefined,
): Fields {
  switch (event.name) {
    case 'user-speaking-status':
      return { is_speaking: event.data.is_speaking, speaking_since: event.data.speaking_since }
    case 'user-speaker-toggle': {
      const { speaker_on, wants_to_speak, wants_to_speak_at } = event.data
      return { speaker_on, wants_to_speak, wants_to_speak_at, ...(speaker_on && { asked_to_speak: false }) }
    }
    case 'user-mute-status':
      // A repeated event must not lower a hand that was raised since.
      if (isMuted === event.data.is_muted) return {}
      // Before the first list nothing tells whether it is repeated.
      if (isMuted === undefined && !event.data.is_muted) return { is_muted: false }
      return { ...muteFields(event.data.is_muted), asked_to_speak: !event.data.is_muted }
    case 'user-online':
      if (!event.data.is_online) return OFFLINE
      return presenceFields(event.data)
    case 'user-deactivated':
      return OFFLINE
  }
}

function presenceFields(data: Extract<RoomEvent, { name: 'user-online' }>['data']): Fields {
  const { asleep = false, audio = null, zoom_code = null, microphone = null, asked_to_speak } = data
  return {
    ...{ is_online: true, asleep, audio, zoom_code, microphone },
    ...(asked_to_speak !== undefined && { asked_to_speak }),
    ...(asleep && { is_speaking: false, speaking_since: null }),
  }
}

const OFFLINE: Fields = {
  is_online: false,
  asleep: false,
  is_speaking: false,
  speaking_since: null,
  speaker_on: false,
  wants_to_speak: false,
  asked_to_speak: false,
  audio: null,
  microphone: null,
  zoom_code: null,
}

/** Muting silences immediately; an unmute answers the raised hand. */
function muteFields(is_muted: boolean): Fields {
  return is_muted
    ? { is_muted, is_speaking: false, speaking_since: null, speaker_on: false, asked_to_speak: false }
    : { is_muted, wants_to_speak: false, wants_to_speak_at: null }
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/**
 * Known ids keep their place, even while offline, so that a phone that reconnects moves no other tile; new ids are
 * appended by name.
 */
export function extendOrder(order: readonly string[], users: readonly Pick<RoomUser, 'id' | 'username'>[]) {
  const known = new Set(order)
  const added = users.filter((user) => !known.has(user.id))
  if (added.length === 0) return order
  added.sort((one, other) => byName.compare(one.username, other.username))
  return [...order, ...added.map((user) => user.id)]
}

function withUsers(room: LiveRoomState): LiveRoomState {
  const users: RoomUser[] = []
  for (const id of room.order) {
    const user = room.usersById.get(id)
    if (user?.is_online) users.push(user)
  }
  const isUnchanged = users.length === room.users.length && users.every((user, index) => user === room.users[index])
  return isUnchanged ? room : { ...room, users }
}

/** Returns the previous object if no field has changed, so that the user's tile does not render again. */
function reuse(before: RoomUser | undefined, after: RoomUser): RoomUser {
  if (!before || before === after) return after
  for (const key of keysOf(after)) {
    if (key !== 'pending_command' && key !== 'group_ids' && before[key] !== after[key]) return after
  }
  if (before.group_ids !== after.group_ids && `${before.group_ids}` !== `${after.group_ids}`) return after
  return before.pending_command?.id === after.pending_command?.id ? before : after
}

function keysOf(user: RoomUser) {
  return Object.keys(user) as (keyof RoomUser)[] // a parsed object has no other keys
}
