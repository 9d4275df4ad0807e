import { ASLEEP_AFTER_MS, PRESENCE_LEASE_MS, STREAM_COMMENT_MS } from '../../../shared/room-events.ts'

/** How long things last in a live room, in milliseconds. Tests shorten them. */
export interface RoomTimes {
  /** A phone is online while its last sign of life is younger. */
  lease: number
  /** After this long without one it is shown as not answering. */
  asleep: number
  /** How old the time of the last sign of life may be that lists show of somebody who is online. */
  lastSeen: number
  /** How often presence is looked through. */
  sweep: number
  /** Speaking flickers: changes of one room are merged over this long, and the last of each user is told. */
  merge: number
  /** Acknowledgements come in crowds: those of one room that follow each other within this are told together. */
  mergeAcks: number
  /** A room that nobody is in and nobody asks for is put out of memory after this long. */
  unused: number
  /** A room is held against the database this long after a change of it has failed. */
  doubt: number
  /** A silent stream says something this often. */
  comment: number
  /** A stream's ticket must be used within this time ... */
  ticketFirstUse: number
  /** ... and may be used again this long after its stream was cut. */
  ticketComeBack: number
}

export const ROOM_TIMES: RoomTimes = {
  lease: PRESENCE_LEASE_MS,
  asleep: ASLEEP_AFTER_MS,
  lastSeen: 30_000,
  sweep: 1_000,
  merge: 60,
  mergeAcks: 20,
  unused: 10 * 60_000,
  doubt: 10_000,
  comment: STREAM_COMMENT_MS,
  ticketFirstUse: 60_000,
  ticketComeBack: 5 * 60_000,
}
