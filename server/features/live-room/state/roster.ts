import { type Selectable, sql } from 'kysely'
import { hostUserId } from '../../../../shared/host-ids.ts'
import { compareNaturally } from '../../../../shared/natural-order.ts'
import { normaliseForComparison } from '../../../../shared/normalise.ts'
import type { QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomAct } from '../../../../shared/room-act.ts'
import type { TurnLimit } from '../../../../shared/turns.ts'
import { UserGroup } from '../../../../shared/user-groups.ts'
import type { Db, Tx } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables.ts'
import { AppError } from '../../../errors.ts'
import { meetingTimes } from '../../rooms/meeting-times.ts'
import { findLiveSitting, listPeopleInMeeting } from '../../rooms/sittings.ts'

const HIGHEST_USER_NUMBER = 999_999

/** The columns of a room user that a live room holds. */
export const ROSTER_COLUMNS = [
  'id',
  'user_id',
  'username',
  'reference',
  'group_ids',
  'email',
  'is_active',
  'is_muted',
  'is_pinned',
  'phone_changed',
  'last_seen',
  'login_time',
  'device_id',
  'device_model',
  'platform',
  'app_version',
] as const

type Stored = Pick<Selectable<Tables['room_users']>, (typeof ROSTER_COLUMNS)[number]>
type Newer = 'is_pinned' | 'group_ids'
/** An entry of the former release has not all columns. */
export type RosterEntry = Omit<Stored, Newer> & Partial<Pick<Stored, Newer>>

export interface StoredRoom {
  id: string
  changeNumber: number // the last committed change that it contains
  meetingId: string | null // null without Zoom
  hostMuteAll: boolean
  muteAllLock?: boolean
  turnLimit?: TurnLimit
  queueOrder?: QueueOrder
  groups?: UserGroup[]
  names?: [string, string][] // in Zoom, folded, by which users are recognised
  lastAct?: RoomAct | null
  sitting?: string | null // the meeting at Zoom that is under way
  spoken?: [string, number][] // milliseconds in that meeting, by user
  inMeeting: ReadonlySet<string> // ids of users in Zoom's meeting itself
  roster: RosterEntry[]
  host: RosterEntry // the host's own phone
}

/** Reads one snapshot of the database, so that it contains the changes up to its number and none after. */
export function readStoredRoom(db: Db, hostId: string): Promise<StoredRoom> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => readRoom(tx, hostId))
}

async function readRoom(db: Tx, hostId: string): Promise<StoredRoom> {
  const host = await db
    .selectFrom('hosts')
    .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
    .select(['hosts.id', 'hosts.numerical_id', 'hosts.username', 'hosts.email', 'hosts.last_seen'])
    .select(['hosts.device_id', 'hosts.device_model', 'hosts.platform', 'hosts.app_version'])
    .select(['rooms.id as room_id', 'rooms.zoom_meeting_id', 'rooms.host_mute_all_active', 'rooms.mute_round'])
    .select(['rooms.change_number', 'rooms.last_act', 'rooms.mute_all_lock'])
    .select(['rooms.turn_limit_minutes', 'rooms.turn_limit_mutes', 'rooms.queue_order'])
    .where('hosts.id', '=', hostId)
    .executeTakeFirst()
  if (!host) throw new AppError('not_found', 'Room not found')
  const {
    numerical_id,
    room_id,
    zoom_meeting_id,
    host_mute_all_active,
    mute_round,
    mute_all_lock,
    turn_limit_minutes,
    turn_limit_mutes,
    queue_order,
    change_number,
    last_act,
    ...phone
  } = host
  const users = await db
    .selectFrom('room_users')
    .select(ROSTER_COLUMNS)
    .select('mute_round')
    .where('room_id', '=', room_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

  const links = await db
    .selectFrom('attendee_links')
    .select(['folded_name', 'room_user_id'])
    .where('room_id', '=', room_id)
    .execute()

  const sitting = await findLiveSitting(db, room_id)

  return {
    id: room_id,
    changeNumber: change_number,
    meetingId: zoom_meeting_id,
    hostMuteAll: host_mute_all_active,
    muteAllLock: mute_all_lock,
    turnLimit: { minutes: turn_limit_minutes, mutes: turn_limit_mutes },
    queueOrder: queue_order,
    groups: await listUserGroups(db, room_id),
    names: links.map(({ folded_name, room_user_id }) => [folded_name, room_user_id]),
    lastAct: last_act,
    sitting: sitting?.meeting_uuid ?? null,
    spoken: sitting ? await listSpoken(db, room_id, sitting.meeting_uuid) : [],
    inMeeting: await listPeopleInMeeting(db, room_id),
    roster: users.map(({ mute_round: ownRound, ...entry }) => ({
      ...entry,
      is_muted: ownRound === mute_round ? entry.is_muted : host_mute_all_active,
    })),
    host: {
      ...phone,
      user_id: hostUserId(numerical_id),
      reference: null,
      group_ids: [],
      is_active: true,
      is_muted: false,
      is_pinned: false,
      phone_changed: false,
      login_time: null,
    },
  }
}

/** Lists the groups of a room by name. */
export async function listUserGroups(db: Db | Tx, room_id: string): Promise<UserGroup[]> {
  const rows = await db
    .selectFrom('user_groups')
    .select(['id', 'name', 'colour'])
    .where('room_id', '=', room_id)
    .execute()
  const groups = rows.map((row) => UserGroup.parse(row))
  return groups.toSorted((one, other) => compareNaturally(one.name, other.name) || one.id.localeCompare(other.id))
}

/**
 * Sums what each user has spoken in the meeting, for a room that begins in the middle of it: nothing if it was already
 * running when Parley first saw it.
 */
async function listSpoken(db: Tx, room_id: string, meeting_uuid: string): Promise<[string, number][]> {
  const { rows } = await sql<{ room_user_id: string; ms: number }>`
    select room_user_id, sum(extract(epoch from speeches.ended_at - speeches.began_at) * 1000)::integer as ms
    from (${meetingTimes(room_id)}) as meetings
    join speeches on speeches.room_id = ${room_id} and speeches.began_at >= meetings.started_at
    where meetings.id = ${meeting_uuid} group by room_user_id`.execute(db)
  return rows.map(({ room_user_id, ms }) => [room_user_id, ms])
}

/**
 * The next free U000001: one above the highest in use (in either case), or after the last number the lowest free one.
 */
export function nextUserId(users: { user_id: string }[]): string {
  const numbers = users.map(({ user_id }) => Number(/^u(\d{6})$/.exec(normaliseForComparison(user_id))?.[1] ?? 0))
  const above = numbers.reduce((highest, number) => Math.max(highest, number), 0) + 1
  return `U${String(above > HIGHEST_USER_NUMBER ? lowestFree(new Set(numbers)) : above).padStart(6, '0')}`
}

function lowestFree(taken: Set<number>): number {
  let number = 1
  while (taken.has(number)) number++
  return number
}
