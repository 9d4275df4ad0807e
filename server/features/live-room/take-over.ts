import type { LiveRoom } from './live-room.ts'
import type { RosterEntry } from './participant.ts'
import type { RoomFacts } from './room-copy.ts'

/** Brings a live room to what the database says, where a change was written that the room was not told of. */
export async function takeOver(room: LiveRoom, { hostMuteAll, meetingId, roster, host }: RoomFacts): Promise<void> {
  const known = new Map(room.roster().map((entry) => [entry.id, entry]))
  if (hostMuteAll !== room.hostMuteAll) await room.muteAll(hostMuteAll)
  if (meetingId !== room.meetingId) await room.setMeeting(meetingId)
  for (const entry of [...roster, host]) {
    const before = known.get(entry.id)
    known.delete(entry.id)
    if (!before || lasting(before) !== lasting(entry)) await room.put(entry)
    if (room.isMuted(entry.id) !== entry.is_muted) await room.mute([entry.id], entry.is_muted, 'host')
  }
  const gone = [...known.keys()]
  await room.signOut(gone, 'deleted')
  for (const id of gone) await room.remove(id)
}

/** As it is stored: when somebody was last seen is known better by the room, and mutes are told by themselves. */
const lasting = (entry: RosterEntry) => JSON.stringify({ ...entry, last_seen: null, is_muted: null })
