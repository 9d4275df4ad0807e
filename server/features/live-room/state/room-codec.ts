import type { Participant } from './participant.ts'
import type { RoomChange } from './room-change.ts'
import type { SharedRoom } from './shared-room.ts'

// The servers' common format. JSON has no dates: the two columns that hold one are revived by name.

/** The version of the format. */
const VERSION = 1
type Added = Pick<Participant, 'asked_to_speak' | 'audio' | 'microphone' | 'muted_again_at' | 'zoom_code'>

const DATES = ['last_seen', 'login_time']

export const encodeChange = (change: RoomChange): string => encode(change)
export const encodeRoom = (room: SharedRoom): string => encode(room)

/** Throws, as `decodeRoom` does, for the format of another release. */
export const decodeChange = (text: string): RoomChange => decode(text)

export function decodeRoom(text: string): SharedRoom {
  const { floorId = null, ...room } = decode<Omit<SharedRoom, 'floorId'> & Partial<SharedRoom>>(text)
  // The previous release leaves these out.
  const complete = (one: Partial<Added>): Added => ({
    asked_to_speak: one.asked_to_speak ?? false,
    audio: one.audio ?? null,
    microphone: one.microphone ?? null,
    muted_again_at: one.muted_again_at ?? null,
    zoom_code: one.zoom_code ?? null,
  })
  return { ...room, floorId, participants: room.participants.map((one) => ({ ...one, ...complete(one) })) }
}

function encode(value: RoomChange | SharedRoom): string {
  return `${VERSION}${JSON.stringify(value)}`
}

function decode<T>(text: string): T {
  const version = Number.parseInt(text, 10)
  if (version !== VERSION) throw new Error(`This release cannot read version ${version} of a live room`)
  return JSON.parse(text.slice(String(VERSION).length), reviveDate)
}

function reviveDate(key: string, value: unknown): unknown {
  return typeof value === 'string' && DATES.includes(key) ? new Date(value) : value
}
