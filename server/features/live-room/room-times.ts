import { ASLEEP_AFTER_MS, PRESENCE_LEASE_MS, STREAM_COMMENT_MS } from '../../../shared/room-events.ts'

/** All in milliseconds. Tests shorten them. */
export interface RoomTimes {
  /** A phone is online while its last heartbeat is younger than this. */
  lease: number
  /** A phone is shown as not answering after this silence. */
  asleep: number
  /** The longest lag of an online phone's published `last_seen`. */
  lastSeen: number
  /** The interval of presence sweeps. */
  sweep: number
  /** Speaking flickers: voice changes of a room are merged over this time, and each user's last one is published. */
  mergeVoice: number
  /** Acknowledgements come in crowds: those of one room within this time are published together. */
  mergeAcks: number
  /** Confirmations of a word come in crowds too: consoles, which poll twice a second, see them together. */
  mergeConfirmations: number
  /** An idle room leaves memory after this long. */
  unused: number
  /** The interval of comments on a silent stream. */
  comment: number
  /** A stream's ticket must be used within this time. */
  ticketFirstUse: number
  /** A ticket may be used again this long after its stream was cut. */
  ticketReuse: number
}

export const ROOM_TIMES: RoomTimes = {
  lease: PRESENCE_LEASE_MS,
  asleep: ASLEEP_AFTER_MS,
  lastSeen: 30_000,
  sweep: 1_000,
  mergeVoice: 60,
  mergeAcks: 20,
  mergeConfirmations: 500,
  unused: 10 * 60_000,
  comment: STREAM_COMMENT_MS,
  ticketFirstUse: 60_000,
  ticketReuse: 5 * 60_000,
}
