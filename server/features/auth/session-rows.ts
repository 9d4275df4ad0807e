import { type ExpressionBuilder, type Insertable, type Selectable, sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import {
  CONSOLE_IDLE_HOURS,
  CONSOLE_SESSION_HOURS,
  CONSOLE_SESSIONS_MAX,
  PHONE_SESSION_ENDS,
  type PhoneSessionEnd,
  SESSION_ENDS,
  type SessionEnd,
} from '../../../shared/session-end.ts'
import { anyOf } from '../../db/any-of.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import type { SessionRole } from './tokens.ts'

const CONSOLE_MS = CONSOLE_SESSION_HOURS * HOUR_MS
export const LIFETIME_MS: Record<SessionRole, number> = {
  master: CONSOLE_MS,
  host: CONSOLE_MS,
  manager: CONSOLE_MS,
  moderator: CONSOLE_MS,
  phone: 30 * DAY_MS,
}
/** Applies to consoles. Polls and streams do not count as activity. */
const IDLE_MS = CONSOLE_IDLE_HOURS * HOUR_MS
/** The reason for ending the console sessions of an account that has signed in too often. */
export const TOO_MANY_SESSIONS_END: SessionEnd = 'signed_in_elsewhere'
/** The shortest interval between two writes of `last_active_at`. */
export const TOUCH_INTERVAL_MS = MINUTE_MS

export interface Session {
  id: string
  role: SessionRole
  master_id: string | null
  host_id: string | null
  room_user_id: string | null
  assistant_id: string | null
  /** The account that acts in it, under which it is audited and limited. Several may act for one host. */
  actor_id: string
  expires_at: number
  last_active_at: number
  touched_at: number
  token: string | null
  device_secret_issued: boolean
  /** The time of a sign-in with a second factor. */
  second_factor_at: number | null
  /** The last time that the owner showed who they are, here or at another server. Null after a hand-over, and on phones. */
  confirmed_at: number | null
}

export type SessionFilter =
  | { session_id: string }
  | { host_id: string; role?: SessionRole }
  | { room_user_ids: string[] }
  | { host_phone_of: string }
  | { is_expired: true }
  | { longest_unused_beside: string; of: ConsoleAccount }
  | { of: ConsoleAccount; all_but?: string }

/** The account whose console sessions are meant. */
export interface ConsoleAccount {
  role: 'master' | 'host' | 'assistant'
  id: string
}

export async function insertSession(db: Db | Tx, values: Insertable<Tables['sessions']>): Promise<string> {
  return (await db.insertInto('sessions').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** Returns null if the session is unknown or has ended. */
export async function findSessionRow(db: Db, id: string): Promise<Session | null> {
  const query = db.selectFrom('sessions').selectAll().where('id', '=', id).where('ended_at', 'is', null)
  const row = await query.executeTakeFirst()
  return row ? sessionOf(row) : null
}

/** Returns why a session has ended; null if it is live or unknown. */
export async function findSessionEnd(db: Db, id: string, now: number): Promise<SessionEnd | PhoneSessionEnd | null> {
  const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  if (row.role === 'phone') return PHONE_SESSION_ENDS.find((end) => end === row.end_reason) ?? null
  const isExpiredRow = row.ended_at ? row.end_reason === 'expired' : isExpired(sessionOf(row), now)
  if (isExpiredRow) return row.expires_at.getTime() <= (row.ended_at?.getTime() ?? now) ? 'expired' : 'idle'
  return SESSION_ENDS.find((end) => end === row.end_reason) ?? null
}

/** Returns the id of the live session that has replaced one by the hand-over with this hash. */
export async function findHandedOver(db: Db, from: string, hash: string, since: Date): Promise<string | null> {
  const ended = db.selectFrom('sessions').select(['role', 'master_id', 'host_id']).where('id', '=', from)
  const before = await ended.where('end_reason', '=', 'handed_over').executeTakeFirst()
  if (!before) return null
  const account = before.role === 'master' ? ('master_id' as const) : ('host_id' as const)
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where(account, '=', before[account])
    .where('sign_in_link_hash', '=', hash)
    .where('ended_at', 'is', null)
    .where('created_at', '>=', since)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns why these sessions have ended, for those that have. One query serves the ids of a whole cache. */
export async function findEndReasons(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'ended_at', 'end_reason'])
    .where('id', '=', anyOf(ids))
    .execute()
  const stored = new Map(rows.map((row) => [row.id, row]))
  const ends = new Map<string, string>()
  for (const id of ids) {
    const row = stored.get(id)
    if (!row || row.ended_at !== null) ends.set(id, row?.end_reason ?? 'deleted')
  }
  return ends
}

/** Returns the sessions that had not ended before. */
export async function endSessionRows(
  db: Db | Tx,
  filter: SessionFilter,
  reason: string,
  now: number,
): Promise<Session[]> {
  let query = db
    .updateTable('sessions')
    .set({ ended_at: new Date(now), end_reason: reason })
    .where('ended_at', 'is', null)
  if ('session_id' in filter) query = query.where('id', '=', filter.session_id)
  else if ('is_expired' in filter) query = query.where(expiredBy(now))
  else if ('longest_unused_beside' in filter) query = query.where('id', '=', longestUnused(filter, now))
  else if ('of' in filter) {
    query = query.where(ofAccount(filter.of))
    if (filter.all_but !== undefined) query = query.where('id', '!=', filter.all_but)
  } else if ('room_user_ids' in filter) query = query.where('room_user_id', 'in', filter.room_user_ids)
  else if ('host_phone_of' in filter)
    query = query
      .where('host_id', '=', filter.host_phone_of)
      .where('role', '=', 'phone')
      .where('room_user_id', 'is', null)
  else {
    query = query.where('host_id', '=', filter.host_id)
    if (filter.role) query = query.where('role', '=', filter.role)
  }
  return (await query.returningAll().execute()).map(sessionOf)
}

export function isExpired({ role, expires_at, last_active_at }: Session, now: number): boolean {
  const isIdle = role !== 'phone' && now - last_active_at > IDLE_MS
  return now >= expires_at || isIdle
}

/** Mirrors `isExpired` in SQL. Rows lag behind the cache by up to TOUCH_INTERVAL_MS. */
function expiredBy(now: number) {
  const idle = new Date(now - IDLE_MS - 2 * TOUCH_INTERVAL_MS)
  return (eb: ExpressionBuilder<Tables, 'sessions'>) =>
    eb.or([eb('expires_at', '<=', new Date(now)), eb.and([eb('role', '!=', 'phone'), eb('last_active_at', '<', idle)])])
}

/** An assistant's sessions have its host's id too. */
function ofAccount({ role, id }: ConsoleAccount) {
  return (eb: ExpressionBuilder<Tables, 'sessions'>) => {
    if (role === 'master') return eb('master_id', '=', id)
    if (role === 'host') return eb.and([eb('role', '=', role), eb('host_id', '=', id)])
    return eb('assistant_id', '=', id)
  }
}

/** Returns the sessions of an account that would be admitted now, the newest first. */
export async function findConsoleSessions(db: Db, account: ConsoleAccount, now: number) {
  const query = db.selectFrom('sessions').selectAll().where(ofAccount(account)).where('ended_at', 'is', null)
  const rows = await query.orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.filter((row) => !isExpired(sessionOf(row), now))
}

/**
 * Completes `where('id', '=', ...)` with the console sessions of an account that are too many. The new one and those used
 * last remain. An array is computed once, whatever statistics the planner has; `in` was computed for each live session.
 */
function longestUnused(
  { longest_unused_beside, of }: Extract<SessionFilter, { longest_unused_beside: string }>,
  now: number,
) {
  return (eb: ExpressionBuilder<Tables, 'sessions'>) => {
    const others = eb
      .selectFrom('sessions')
      .select('id')
      .where(ofAccount(of))
      .where('ended_at', 'is', null)
      .where('id', '!=', longest_unused_beside)
      .where((which) => which.not(expiredBy(now)(which)))
      .orderBy('last_active_at', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(CONSOLE_SESSIONS_MAX - 1)
    return sql<string>`any(array(${others}))`
  }
}

function sessionOf(row: Selectable<Tables['sessions']>): Session {
  const { id, role, master_id, host_id, room_user_id, assistant_id, device_secret_issued } = row
  const last_active_at = row.last_active_at.getTime()
  return {
    id,
    role,
    master_id,
    host_id,
    room_user_id,
    assistant_id,
    actor_id: master_id ?? assistant_id ?? room_user_id ?? host_id ?? id,
    expires_at: row.expires_at.getTime(),
    last_active_at,
    touched_at: last_active_at,
    token: null,
    device_secret_issued,
    second_factor_at: row.second_factor_at?.getTime() ?? null,
    confirmed_at: row.confirmed_at?.getTime() ?? null,
  }
}
