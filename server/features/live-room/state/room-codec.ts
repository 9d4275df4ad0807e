import type { RoomChange } from './room-change.ts'
import type { RoomSnapshot } from './room-snapshot.ts'

// The servers' common format. JSON has no dates: the two columns that hold one are revived by name.

/** The version of the format. */
const VERSION = 1

const DATES = ['last_seen', 'login_time']

export const encodeChange = (change: RoomChange): string => encode(change)
export const encodeRoom = (room: RoomSnapshot): string => encode(room)

/** Throws, as `decodeRoom` does, for the format of another release. */
export const decodeChange = (text: string): RoomChange => decode(text)

export const decodeRoom = (text: string): RoomSnapshot => decode(text)

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
