import { Hearing } from '../../../../shared/phone-words.ts'
import { QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomChange } from './room-change.ts'

type Check = (value: unknown) => boolean
type ChangeOf<T, C = RoomChange> = C extends { type: infer U } ? (T extends U ? C : never) : never
type Fields<C> = { [K in Exclude<keyof C, 'type'>]-?: Check }

const string: Check = (value) => typeof value === 'string'
const number: Check = (value) => typeof value === 'number'
const isQueueOrder: Check = (value) => QueueOrder.options.some((order) => order === value)
const boolean: Check = (value) => typeof value === 'boolean'
const stringOrNull: Check = (value) => value === null || string(value)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const listOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem)
const userAt: Check = (value) => isRecord(value) && string(value.id) && number(value.at)
const act: Check = (value) =>
  value === undefined ||
  (isRecord(value) && string(value.act) && string(value.action) && string(value.at) && isPerson(value.by))
const isPerson: Check = (value) => isRecord(value) && string(value.id) && string(value.name) && string(value.role)
const isReport = ({ id, seat_id, epoch, seq, state, attendees, left, done }: Record<string, unknown>) =>
  string(id) &&
  string(seat_id) &&
  number(epoch) &&
  number(seq) &&
  isRecord(state) &&
  [attendees, left, done].every(listOf(isAny))
const isAny: Check = () => true
const isWord: Check = (value) =>
  isRecord(value) &&
  [value.id, value.text].every(string) &&
  stringOrNull(value.user_id) &&
  [value.rings, value.asks].every(boolean) &&
  number(value.at) &&
  isRecord(value.by) &&
  [value.by.id, value.by.name].every(string)
const isGroup: Check = (value) => isRecord(value) && [value.id, value.name, value.colour].every(string)
const isHearingOrNull: Check = (value) => value === null || Hearing.options.some((answer) => answer === value)
const optional =
  (isValid: Check): Check =>
  (value) =>
    value === undefined || isValid(value)
const changes: Check = (value) => listOf(isRoomChange)(value)

const FIELDS: { [T in RoomChange['type']]: Fields<ChangeOf<T>> } = {
  online: { id: string, at: number },
  offline: { users: listOf(userAt) },
  asleep: { ids: listOf(string) },
  awake: { ids: listOf(string) },
  'last-seen': { users: listOf(userAt) },
  status: { id: string, at: number, status: isRecord },
  'flush-voice': {},
  acknowledge: { id: string, acks: listOf(string) },
  'flush-acks': {},
  'lower-hands': { ids: listOf(string) },
  mute: { ids: listOf(string), is_muted: boolean, by: string, act, at: optional(number) },
  'mute-all': { active: boolean, except: listOf(string), act, lock: optional(boolean) },
  'mute-all-lock': { is_on: boolean },
  'turn-limit': {
    limit: (value) => isRecord(value) && (value.minutes === null || number(value.minutes)) && boolean(value.mutes),
  },
  'queue-order': { order: isQueueOrder },
  groups: { groups: listOf(isGroup) },
  word: { word: isWord },
  'word-over': { id: string },
  'word-confirmed': { id: string, word: string, answer: isHearingOrNull },
  'flush-words': {},
  'sign-out': { ids: listOf(string), reason: string, at: number },
  upsert: { entry: (value) => isRecord(value) && string(value.id) },
  remove: { id: string, at: number },
  'muted-again': { id: string, at: number },
  'phone-requests': {},
  'meeting-runs': { is_running: boolean, sitting: optional(stringOrNull) },
  meeting: { meeting_id: stringOrNull },
  'in-meeting': { id: string, in_meeting: boolean },
  'people-in-meeting': { ids: listOf(string) },
  'seat-taken': { holder: (value) => isRecord(value) && string(value.seat_id) && number(value.epoch) },
  'seat-report': { report: (value) => isRecord(value) && isReport(value), at: number, expires_at: number },
  'seat-ended': { epoch: number, how: string, at: number },
  'seat-forgotten': { epoch: number },
  'seat-command': { command: (value) => isRecord(value) && string(value.id) && string(value.do), at: number },
  'seat-commands-failed': { ids: listOf(string) },
  'attendee-allowed': { key: string, is_allowed: boolean, id: stringOrNull },
  'attendee-linked': { key: string, user_id: stringOrNull },
  'attendee-name': { name: string, user_id: stringOrNull },
  committed: { number, changes },
  'catch-up': { base: number, number, changes },
}

const CHECKS = new Map(Object.entries(FIELDS).map(([type, fields]) => [type, Object.entries<Check>(fields)]))

/**
 * Checks a change that another server sent. Written by hand, since each status of each phone in a shared room is such a
 * change, and a schema would cost more than the change itself.
 */
export function isRoomChange(value: unknown): value is RoomChange {
  if (!isRecord(value) || typeof value.type !== 'string') return false
  const fields = CHECKS.get(value.type)
  return fields?.every(([name, isValid]) => isValid(value[name])) ?? false
}
