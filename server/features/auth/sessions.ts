import type { ExpressionBuilder } from 'kysely'
import type { Db, Tx } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { isUuid } from '../../lib/uuid.ts'
import { requireDeviceSecret } from './require-device-secret.ts'
import { readToken, type SessionRole, signToken } from './tokens.ts'

const HOUR_MS = 3_600_000
/** 12 hours for consoles; phones stay signed in for 30 days. */
const LIFETIME_MS: Record<SessionRole, number> = { master: 12 * HOUR_MS, host: 12 * HOUR_MS, phone: 30 * 24 * HOUR_MS }
/** Consoles only: without a call that a person caused. */
const IDLE_MS = 2 * HOUR_MS
/** A token that came in an address may be taken over so long after its sign-in. */
const HAND_OVER_MS = 60_000
/** The row learns of activity this often, not at every call. */
const TOUCH_MS = 60_000
/** A commit whose answer was lost is in the database by then, or never will be. */
const UNSURE_MS = 30_000

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

/** Which sessions an event ends. */
export type SessionsOf =
  | { session_id: string }
  | { host_id: string; role?: SessionRole }
  | { room_user_ids: string[] }
  | { host_phone_of: string }
  | { is_expired: true }

type Owner = Pick<Session, 'role' | 'master_id' | 'host_id' | 'room_user_id'> & { brings_device_secret?: boolean }

type EndListener = (session: Session, reason: string) => void

/**
 * The sessions of this node. Those in use are held in memory, so that a poll asks no database; ending one takes it out
 * of there and tells whoever holds a stream for it.
 */
export class Sessions {
  readonly #db: Db
  readonly #secrets: Secrets
  readonly #now: Clock
  readonly #live = new Map<string, Session>()
  readonly #byToken = new Map<string, Session>()
  readonly #listeners = new Set<EndListener>()
  /** Ended in a transaction that has not told yet how it came out, by their ids; since when. */
  readonly #unsure = new Map<string, number>()
  #endings = 0

  constructor(db: Db, secrets: Secrets, now: Clock) {
    this.#db = db
    this.#secrets = secrets
    this.#now = now
  }

  onEnd(listener: EndListener): void {
    this.#listeners.add(listener)
  }

  /** Opens a session and returns its token. `db` may be the transaction that the sign-in stands in. */
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

  /** Whether the session began so recently that its token may be handed over in an address. */
  mayBeHandedOver(session: Session): boolean {
    return this.#now() - signedInAt(session) <= HAND_OVER_MS
  }

  /**
   * Opens a session in place of one that `tx` ends, and returns its token; null where that one has ended already. It
   * counts from the same sign-in, so that neither its end nor the time for a hand-over moves.
   */
  async replace(tx: Tx, session: Session, ip: string): Promise<{ token: string; ended: Session[] } | null> {
    const ended = await this.endRows(tx, { session_id: session.id }, 'handed_over')
    if (ended.length === 0) return null
    return { token: await this.open(tx, session, ip, signedInAt(session)), ended }
  }

  /** The session of a token that this node holds in memory: what a poll and a status call are let in by. */
  held(token: string): Session | null {
    const session = this.#byToken.get(token)
    return session && this.#isGood(session) ? session : null
  }

  /** The session of a token, or null when the token or its session is no longer good. */
  async find(token: string): Promise<Session | null> {
    const held = this.held(token)
    if (held) return held
    const sid = await readToken(this.#secrets, token, new Date(this.#now()))
    const session = sid ? (this.#live.get(sid) ?? (await this.#load(sid))) : null
    if (!session || !this.#isGood(session)) return null
    if (session.brings_device_secret) await requireDeviceSecret(this.#db, session)
    session.token = token
    this.#byToken.set(token, session)
    return session
  }

  /** As `isLive`, of a session that this node may not hold yet. */
  async lives(id: string): Promise<boolean> {
    const session = this.#live.get(id) ?? (isUuid(id) ? await this.#load(id) : null)
    return session !== null && this.#isGood(session)
  }

  isLive(id: string): boolean {
    const session = this.#live.get(id)
    return session !== undefined && this.#isGood(session)
  }

  /** A call that a person caused: keeps an idle console signed in. */
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

  /** Ends sessions in the database; `dropped` must follow once that is committed. */
  async endRows(db: Db | Tx, of: SessionsOf, reason: string): Promise<Session[]> {
    let query = db
      .updateTable('sessions')
      .set({ ended_at: new Date(this.#now()), end_reason: reason })
      .where('ended_at', 'is', null)
    if ('session_id' in of) query = query.where('id', '=', of.session_id)
    else if ('is_expired' in of) query = query.where(this.#expiredBy(this.#now()))
    else if ('room_user_ids' in of) query = query.where('room_user_id', 'in', of.room_user_ids)
    else if ('host_phone_of' in of)
      query = query
        .where('host_id', '=', of.host_phone_of)
        .where('role', '=', 'phone')
        .where('room_user_id', 'is', null)
    else {
      query = query.where('host_id', '=', of.host_id)
      if (of.role) query = query.where('role', '=', of.role)
    }
    const rows = await query.returningAll().execute()
    for (const { id } of rows) this.#unsure.set(id, this.#now())
    return rows.map(sessionOf)
  }

  /**
   * Those that the database has ended, or has no more, without this node having heard so: what asked for it failed after
   * the commit, or its answer was lost. `dropped` is to follow.
   */
  async endedUnheard(): Promise<{ session: Session; reason: string }[]> {
    const ids = [...this.#unsure.keys()]
    if (ids.length === 0) return []
    const asked = this.#now()
    const columns = ['id', 'ended_at', 'end_reason'] as const
    const rows = await this.#db.selectFrom('sessions').select(columns).where('id', 'in', ids).execute()
    const stored = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => {
      const row = stored.get(id)
      const session = this.#live.get(id)
      const isEnded = !row || row.ended_at !== null
      if (isEnded || asked - (this.#unsure.get(id) ?? 0) > UNSURE_MS) this.#unsure.delete(id)
      return session && isEnded ? [{ session, reason: row?.end_reason ?? 'deleted' }] : []
    })
  }

  /** Forgets ended sessions on this node and tells the listeners. */
  dropped(sessions: Session[], reason: string): void {
    this.#endings++
    for (const session of sessions) {
      this.#unsure.delete(session.id)
      const token = this.#live.get(session.id)?.token
      if (token) this.#byToken.delete(token)
      this.#live.delete(session.id)
      for (const listener of this.#listeners) listener(session, reason)
    }
  }

  async end(of: SessionsOf, reason: string): Promise<Session[]> {
    const ended = await this.endRows(this.#db, of, reason)
    this.dropped(ended, reason)
    return ended
  }

  async #load(sid: string): Promise<Session | null> {
    const endings = this.#endings
    const row = await this.#db.selectFrom('sessions').selectAll().where('id', '=', sid).executeTakeFirst()
    if (!row || row.ended_at) return null
    if (endings !== this.#endings) return this.#load(sid) // one ended meanwhile, and it may have been this one
    const session = sessionOf(row)
    this.#live.set(sid, session)
    return session
  }

  /** As in `#isGood`, but for rows, which learn of activity a little later than the memory of a node. */
  #expiredBy(now: number) {
    const idle = new Date(now - IDLE_MS - 2 * TOUCH_MS)
    return (eb: ExpressionBuilder<Tables, 'sessions'>) =>
      eb.or([
        eb('expires_at', '<=', new Date(now)),
        eb.and([eb('role', '!=', 'phone'), eb('last_active_at', '<', idle)]),
      ])
  }

  #isGood(session: Session): boolean {
    const now = this.#now()
    const isIdle = session.role !== 'phone' && now - session.last_active_at > IDLE_MS
    if (now < session.expires_at && !isIdle) return true
    this.dropped([session], 'expired')
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
