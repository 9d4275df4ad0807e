import { isRoomChange } from './is-room-change.ts'
import type { RoomChange } from './room-change.ts'
import type { RoomSnapshot } from './room-snapshot.ts'

// The servers' common format. JSON has no dates: the two columns that hold one are revived by name.

/** The version of the format. */
const VERSION = 1

const DATES = ['last_seen', 'login_time']

export const encodeChange = (change: RoomChange): string => encode(change)
export const encodeRoom = (room: RoomSnapshot): string => encode(room)

/** Throws for the format of another release, and for anything that is no change. */
export function decodeChange(text: string): RoomChange {
  const change = decode<unknown>(text)
  if (!isRoomChange(change)) throw new Error('A change of a room has fields that this release does not know')
  return change
}

/** Throws for the format of another release. The version and the writer's signature, checked before, are all it needs. */
export function decodeRoom(text: string): RoomSnapshot {
  return decode(text)
}

function encode(value: RoomChange | RoomSnapshot): string {
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
