import { newParticipant, type Participant } from './participant.ts'
import type { RoomChange } from './room-change.ts'
import type { StoredRoom } from './roster.ts'

/** All of a room's state as plain data, from which another server goes on. */
export interface SharedRoom {
  id: string
  epoch: string
  /** Of the last event. */
  seq: number
  version: number
  changeNumber: number
  /** Committed changes that wait for those before them. */
  early: [number, RoomChange[]][]
  hostMuteAll: boolean
  meetingId: string | null
  /** The user who was let speak last from the queue, until that user is muted. */
  floorId: string | null
  participants: Participant[]
  /** Ids in the order in which their events will follow. */
  dirty: string[]
  acknowledged: string[]
}

/** A room at the beginning of an epoch: nobody is online. */
export function beginRoom({ roster, host, inMeeting, ...stored }: StoredRoom, epoch: string): SharedRoom {
  const participants = [...roster.map((entry) => newParticipant(entry)), newParticipant(host, true)]
  for (const participant of participants) participant.in_meeting = inMeeting.has(participant.roster.id)
  return { ...stored, epoch, seq: 0, version: 0, early: [], floorId: null, participants, dirty: [], acknowledged: [] }
}
