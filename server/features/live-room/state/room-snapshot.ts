import type { QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomAct } from '../../../../shared/room-act.ts'
import type { TurnLimit } from '../../../../shared/turns.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { newParticipant, type Participant } from './participant.ts'
import type { RoomChange } from './room-change.ts'
import type { RoomWordsSnapshot } from './room-words.ts'
import type { StoredRoom } from './roster.ts'
import type { SeatSnapshot } from './seat-state.ts'
import type { ZoomSpeechesSnapshot } from './speeches.ts'

/** A room's complete state as plain data, from which another server continues. */
export interface RoomSnapshot {
  id: string
  epoch: string
  /** The number of the last event. */
  seq: number
  version: number
  changeNumber: number
  /** Committed changes that wait for earlier ones. */
  early: [number, RoomChange[]][]
  hostMuteAll: boolean
  muteAllLock?: boolean
  meetingId: string | null
  /** The meeting at Zoom that is under way; absent, as `spokenAt`, in a snapshot of the former release. */
  sitting?: string | null
  spokenAt?: number | null
  /** The user who last got the floor from the queue, until that user is muted. */
  floorId: string | null
  /** When that user got it, in ms; absent, as `turnLimit`, in a snapshot of the former release. */
  floorSince?: number | null
  turnLimit?: TurnLimit
  queueOrder?: QueueOrder
  /** Absent while the room has no groups. */
  groups?: UserGroup[]
  /** Absent in a snapshot of the former release. */
  lastAct?: RoomAct | null
  participants: Participant[]
  /** Names in Zoom by which users are recognised, with their ids. */
  names?: [string, string][]
  /** Absent until somebody takes the seat. */
  seat?: SeatSnapshot
  /** Absent while nobody speaks in Zoom's own app whose name is known. */
  zoomSpeeches?: ZoomSpeechesSnapshot
  /** Absent before the first word of the host. */
  words?: RoomWordsSnapshot
  /** True if confirmations of words are still to be shown to consoles. */
  wordsConfirmed?: boolean
  /** Ids in the order in which their events will follow. */
  dirty: string[]
  acknowledged: string[]
}

/** Begins an epoch of a room, with nobody online. */
export function initialRoom(
  { roster, host, inMeeting, spoken = [], ...stored }: StoredRoom,
  epoch: string,
): RoomSnapshot {
  const participants = [...roster.map((entry) => newParticipant(entry)), newParticipant(host, true)]
  for (const participant of participants) participant.in_meeting = inMeeting.has(participant.roster.id)
  const spokenMs = new Map(spoken)
  for (const participant of participants) {
    const ms = spokenMs.get(participant.roster.id)
    if (ms !== undefined) participant.spoken = { ms, turns: 0, last: null }
  }
  return {
    ...stored,
    epoch,
    seq: 0,
    version: 0,
    early: [],
    floorId: null,
    floorSince: null,
    participants,
    dirty: [],
    acknowledged: [],
  }
}
