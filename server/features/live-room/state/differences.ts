import type { RoomChange } from './room-change.ts'
import type { RoomState } from './room-state.ts'
import type { RosterEntry, StoredRoom } from './roster.ts'

type Compared = Pick<
  RoomState,
  'hostMuteAll' | 'muteAllLock' | 'turnLimit' | 'queueOrder' | 'groups' | 'names' | 'meetingId' | 'participants'
>

/** Builds the change that makes the room match the database. It has no effect once the room has applied another one. */
export function buildReconcilingChange(
  room: Compared & { changeNumber: number },
  stored: StoredRoom,
  at: number,
): RoomChange {
  const changes = differences(room, stored, at)
  return { type: 'catch-up', base: room.changeNumber, number: stored.changeNumber, changes }
}

function differences(room: Compared, stored: StoredRoom, at: number): RoomChange[] {
  const { hostMuteAll, muteAllLock = room.muteAllLock, turnLimit = room.turnLimit, meetingId, roster, host } = stored
  const { queueOrder = room.queueOrder, groups = room.groups } = stored
  const changes: RoomChange[] = []
  const known = new Map([...room.participants.all()].map((one) => [one.roster.id, one.roster]))
  const isNewRound = hostMuteAll !== room.hostMuteAll
  if (isNewRound) changes.push({ type: 'mute-all', active: hostMuteAll, except: [] })
  const names = new Map(stored.names)
  for (const [name, user_id] of names)
    if (room.names.get(name) !== user_id) changes.push({ type: 'attendee-name', name, user_id })
  for (const name of room.names.keys())
    if (!names.has(name)) changes.push({ type: 'attendee-name', name, user_id: null })
  if (muteAllLock !== room.muteAllLock) changes.push({ type: 'mute-all-lock', is_on: muteAllLock })
  if (turnLimit.minutes !== room.turnLimit.minutes || turnLimit.mutes !== room.turnLimit.mutes)
    changes.push({ type: 'turn-limit', limit: turnLimit })
  if (queueOrder !== room.queueOrder) changes.push({ type: 'queue-order', order: queueOrder })
  if (JSON.stringify(groups) !== JSON.stringify(room.groups)) changes.push({ type: 'groups', groups: [...groups] })
  if (meetingId !== room.meetingId) changes.push({ type: 'meeting', meeting_id: meetingId })
  for (const entry of [...roster, host]) {
    const { id, is_muted } = entry
    const before = known.get(id)
    known.delete(id)
    if (!before || lasting(before) !== lasting(entry)) changes.push({ type: 'upsert', entry })
    const wasMuted = isNewRound && entry !== host ? hostMuteAll : before?.is_muted
    if (before && is_muted !== wasMuted) changes.push({ type: 'mute', ids: [id], is_muted, by: 'host', at })
  }
  const deleted = [...known.keys()]
  if (deleted.length > 0) changes.push({ type: 'sign-out', ids: deleted, reason: 'deleted', at })
  return [...changes, ...deleted.map((id) => ({ type: 'remove' as const, id, at }))]
}

/** Excludes last_seen, which is newer in memory, and is_muted, which is compared separately. */
const lasting = (entry: RosterEntry) => JSON.stringify({ ...entry, last_seen: null, is_muted: null })
