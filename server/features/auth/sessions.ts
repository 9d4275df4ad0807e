import type { ExpressionBuilder } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { isUuid } from '../../lib/uuid.ts'
import { requireDeviceSecret } from './require-device-secret.ts'
import { readToken, type SessionRole, signToken } from './tokens.ts'

/** 12 hours for consoles; phones stay signed in for 30 days. */
const LIFETIME_MS: Record<SessionRole, number> = { master: 12 * HOUR_MS, host: 12 * HOUR_MS, phone: 30 * DAY_MS }
/** Consoles only; polls and streams do not count as activity. */
const IDLE_MS = 2 * HOUR_MS
/** How long after the sign-in a token in a URL can be exchanged. */
const HAND_OVER_MS = MINUTE_MS
/** `last_active_at` is written at most this often. */
const TOUCH_MS = MINUTE_MS
/** After this long a transaction has either committed or never will. */
const UNNOTIFIED_MS = 30_000

export interface Session {
  id: string
  role: SessionRole
  master_id: string | null
  host_id: string | null
  room_user_id: string | null
  expires_at: number
  last_active_at: number
  touched_at: number
  token: string | null
  brings_device_secret: boolean
}

export type SessionFilter =
  | { session_id: string }
  | { host_id: string; role?: SessionRole }
  | { room_user_ids: string[] }
  | { host_phone_of: string }
  | { is_expired: true }

type Owner = Pick<Session, 'role' | 'master_id' | 'host_id' | 'room_user_id'> & { brings_device_secret?: boolean }

type EndListener = (session: Session, reason: string) => void

/** Sessions are rows, cached in memory while in use so that a poll needs no query. Ending one notifies the listeners. */
export class Sessions {
  readonly #db: Db
  readonly #secrets: Secrets
  readonly #now: Clock
  readonly #live = new Map<string, Session>()
  readonly #byToken = new Map<string, Session>()
  readonly #listeners = new Set<EndListener>()
  /** Ids of sessions ended in a transaction whose outcome is not known yet, with the time. */
  readonly #unnotified = new Map<string, number>()
  #endings = 0

  constructor(db: Db, secrets: Secrets, now: Clock) {
    this.#db = db
    this.#secrets = secrets
    this.#now = now
  }

  onEnd(listener: EndListener): void {
    this.#listeners.add(listener)
  }

  /** Returns the token. */
  async open(
    db: Db | Tx,
    { role, master_id, host_id, room_user_id, brings_device_secret = false }: Owner,
    ip: string,
    signedInAt = this.#now(),
  ): Promise<string> {
    const from = new Date(signedInAt)
    const until = new Date(signedInAt + LIFETIME_MS[role])
    const row = await db
      .insertInto('sessions')
      .values({
        role,
        master_id,
        host_id,
        room_user_id,
        brings_device_secret,
        ip,
        expires_at: until,
        created_at: from,
        last_active_at: from,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const owner = role === 'master' ? { adminId: master_id ?? '' } : { hostId: host_id ?? '' }
    return signToken(this.#secrets, { sid: row.id, role, ...owner }, { from, until })
  }

  mayBeHandedOver(session: Session): boolean {
    return this.#now() - signedInAt(session) <= HAND_OVER_MS
  }

  /**
   * Ends a session and opens another in its place; null if it has ended already. The new one counts from the same
   * sign-in, so that neither its expiry nor the time for a hand-over moves.
   */
  async replace(tx: Tx, session: Session, ip: string): Promise<{ token: string; ended: Session[] } | null> {
    const ended = await this.endRows(tx, { session_id: session.id }, 'handed_over')
    if (ended.length === 0) return null
    return { token: await this.open(tx, session, ip, signedInAt(session)), ended }
  }

  findCached(token: string): Session | null {
    const session = this.#byToken.get(token)
    return session && this.#isValid(session) ? session : null
  }

  /** Null when the token or its session is no longer valid. */
  async find(token: string): Promise<Session | null> {
    const cached = this.findCached(token)
    if (cached) return cached
    const sid = await readToken(this.#secrets, token, new Date(this.#now()))
    const session = sid ? (this.#live.get(sid) ?? (await this.#load(sid))) : null
    if (!session || !this.#isValid(session)) return null
    if (session.brings_device_secret) await requireDeviceSecret(this.#db, session)
    session.token = token
    this.#byToken.set(token, session)
    return session
  }

  /** Like `isLive`, but loads a session that is not cached. */
  async isStillLive(id: string): Promise<boolean> {
    const session = this.#live.get(id) ?? (isUuid(id) ? await this.#load(id) : null)
    return session !== null && this.#isValid(session)
  }

  isLive(id: string): boolean {
    const session = this.#live.get(id)
    return session !== undefined && this.#isValid(session)
  }

  /** Keeps an idle console signed in; for calls that a person caused. */
  async touch(session: Session): Promise<void> {
    session.last_active_at = this.#now()
    if (session.last_active_at - session.touched_at < TOUCH_MS) return
    session.touched_at = session.last_active_at
    await this.#db
      .updateTable('sessions')
      .set({ last_active_at: new Date(session.last_active_at) })
      .where('id', '=', session.id)
      .execute()
  }

  /** Ends sessions in the database; call `forget` after the commit. */
  async endRows(db: Db | Tx, filter: SessionFilter, reason: string): Promise<Session[]> {
    let query = db
      .updateTable('sessions')
      .set({ ended_at: new Date(this.#now()), end_reason: reason })
      .where('ended_at', 'is', null)
    if ('session_id' in filter) query = query.where('id', '=', filter.session_id)
    else if ('is_expired' in filter) query = query.where(this.#expiredBy(this.#now()))
    else if ('room_user_ids' in filter) query = query.where('room_user_id', 'in', filter.room_user_ids)
    else if ('host_phone_of' in filter)
      query = query
        .where('host_id', '=', filter.host_phone_of)
        .where('role', '=', 'phone')
        .where('room_user_id', 'is', null)
    else {
      query = query.where('host_id', '=', filter.host_id)
      if (filter.role) query = query.where('role', '=', filter.role)
    }
    const rows = await query.returningAll().execute()
    for (const { id } of rows) this.#unnotified.set(id, this.#now())
    return rows.map(sessionOf)
  }

  /**
   * Cached sessions that have ended in the database although `forget` was not called: the request failed after its
   * commit, or the database's answer was lost.
   */
  async findUnnotifiedEnds(): Promise<{ session: Session; reason: string }[]> {
    const ids = [...this.#unnotified.keys()]
    if (ids.length === 0) return []
    const askedAt = this.#now()
    const columns = ['id', 'ended_at', 'end_reason'] as const
    const rows = await this.#db.selectFrom('sessions').select(columns).where('id', 'in', ids).execute()
    const stored = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => {
      const row = stored.get(id)
      const session = this.#live.get(id)
      const isEnded = !row || row.ended_at !== null
      if (isEnded || askedAt - (this.#unnotified.get(id) ?? 0) > UNNOTIFIED_MS) this.#unnotified.delete(id)
      return session && isEnded ? [{ session, reason: row?.end_reason ?? 'deleted' }] : []
    })
  }

  /** Removes ended sessions from the cache and notifies the listeners. */
  forget(sessions: Session[], reason: string): void {
    this.#endings++
    for (const session of sessions) {
      this.#unnotified.delete(session.id)
      const token = this.#live.get(session.id)?.token
      if (token) this.#byToken.delete(token)
      this.#live.delete(session.id)
      for (const listener of this.#listeners) listener(session, reason)
    }
  }

  async end(filter: SessionFilter, reason: string): Promise<Session[]> {
    const ended = await this.endRows(this.#db, filter, reason)
    this.forget(ended, reason)
    return ended
  }

  async #load(sid: string): Promise<Session | null> {
    const endings = this.#endings
    const row = await this.#db.selectFrom('sessions').selectAll().where('id', '=', sid).executeTakeFirst()
    if (!row || row.ended_at) return null
    if (endings !== this.#endings) return this.#load(sid) // a session ended since the query began: it may be this one
    const session = sessionOf(row)
    this.#live.set(sid, session)
    return session
  }

  /** Like `#isValid` in SQL; rows lag behind the cache by up to TOUCH_MS. */
  #expiredBy(now: number) {
    const idle = new Date(now - IDLE_MS - 2 * TOUCH_MS)
    return (eb: ExpressionBuilder<Tables, 'sessions'>) =>
      eb.or([
        eb('expires_at', '<=', new Date(now)),
        eb.and([eb('role', '!=', 'phone'), eb('last_active_at', '<', idle)]),
      ])
  }

  #isValid(session: Session): boolean {
    const now = this.#now()
    const isIdle = session.role !== 'phone' && now - session.last_active_at > IDLE_MS
    if (now < session.expires_at && !isIdle) return true
    this.forget([session], 'expired')
    return false
  }
}

function signedInAt({ role, expires_at }: Session): number {
  return expires_at - LIFETIME_MS[role]
}

function sessionOf(row: {
  id: string
  role: SessionRole
  master_id: string | null
  host_id: string | null
  room_user_id: string | null
  expires_at: Date
  last_active_at: Date
  brings_device_secret: boolean
}): Session {
  const { id, role, master_id, host_id, room_user_id, brings_device_secret } = row
  const last_active_at = row.last_active_at.getTime()
  const expires_at = row.expires_at.getTime()
  return {
    id,
    role,
    master_id,
    host_id,
    room_user_id,
    expires_at,
    last_active_at,
    touched_at: last_active_at,
    token: null,
    brings_device_secret,
  }
}
