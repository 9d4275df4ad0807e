import type { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '../../../shared/dates.ts'
import type { PhoneSessionEnd, SessionEnd } from '../../../shared/session-end.ts'
import type { Caller } from '../../db/actor.ts'
import type { Db, Tx } from '../../db/client.ts'
import { boundedCache } from '../../lib/bounded-cache.ts'
import type { Bus } from '../../lib/bus.ts'
import type { Clock } from '../../lib/clock.ts'
import { PauseGuard } from '../../lib/pause-guard.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { AnonymousQueryQueue } from './anonymous-query-queue.ts'
import { requireDeviceSecret } from './require-device-secret.ts'
import {
  endSessionRows,
  findEndReasons,
  findHandedOver,
  findSessionEnd,
  findSessionRow,
  insertSession,
  isExpired,
  LIFETIME_MS,
  type Session,
  type SessionFilter,
  TOUCH_INTERVAL_MS,
} from './session-rows.ts'
import { readToken, signToken } from './tokens.ts'

/** A token in a URL can be exchanged this long after the sign-in. */
const HAND_OVER_MS = MINUTE_MS
/** The exchange can be repeated this much longer by who began it, if its answer was lost. */
const REPEAT_MS = 5 * MINUTE_MS
/** The time for which an ended session is not looked up again, however often its token comes. */
const ENDED_MS = 10_000
/** After this time a transaction has either committed or never will. */
const UNNOTIFIED_MS = 30_000

/** The longest time from a transaction's write to its commit, generously. */
const LATEST_COMMIT_MS = 30_000

type Owner = Pick<Session, 'role' | 'master_id' | 'host_id' | 'room_user_id'> & {
  assistant_id?: string | null
  second_factor_at?: number | null
  /** The time of the sign-in, unless it says otherwise. Null for phones, which confirm nothing. */
  confirmed_at?: number | null
  device_secret_issued?: boolean
  /** Identifies the one-time link that the sign-in used up, or the hand-over. */
  sign_in_link_hash?: string | null
  user_agent?: string | null
}

/** A row that is about to be inserted. */
export type NewSessionRow = Omit<Owner, 'second_factor_at' | 'confirmed_at'> & {
  ip: string
  created_at: Date
  last_active_at: Date
  expires_at: Date
  second_factor_at: Date | null
  confirmed_at: Date | null
}

interface SessionsOptions {
  db: Db
  secrets: Secrets
  bus: Bus
  now: Clock
  strangers: AnonymousQueryQueue
  /** Other servers end sessions too. */
  isShared: boolean
}

type EndListener = (session: Session, reason: string) => void

/** Sessions are rows, cached in memory while in use, so that a poll needs no query. An end notifies the listeners. */
export class Sessions {
  readonly #db: Db
  readonly #secrets: Secrets
  readonly #bus: Bus
  readonly #now: Clock
  readonly #strangers: AnonymousQueryQueue
  readonly #live = new Map<string, Session>()
  readonly #byToken = new Map<string, Session>()
  readonly #listeners = new Set<EndListener>()
  /** Ids and times of sessions ended in a transaction whose outcome is not known yet. */
  readonly #unnotified = new Map<string, number>()
  readonly #loads = new SingleFlight<Session | null>()
  /** Sessions that were asked for after their end. */
  /** A reason that was not looked up yet is absent, and null where a console has no words for it. */
  readonly #ended: LRUCache<string, { reason?: SessionEnd | PhoneSessionEnd | null }>
  /** Ids whose rows are being read. A session that ends meanwhile is removed. */
  readonly #loading = new Set<string>()
  #readEndsFrom = Number.POSITIVE_INFINITY
  /** Null where no other server ends sessions. */
  readonly #pauses: PauseGuard | null

  constructor({ db, secrets, bus, now, strangers, isShared }: SessionsOptions) {
    this.#db = db
    this.#secrets = secrets
    this.#bus = bus
    this.#now = now
    this.#strangers = strangers
    this.#ended = boundedCache(now, ENDED_MS)
    this.#pauses = isShared ? new PauseGuard(now, () => this.#checkCached()) : null
    bus.subscribe((message) => {
      if (message.type === 'sessions-ended') this.#forgetCached(message.ids, message.reason)
    })
  }

  onEnd(listener: EndListener): void {
    this.#listeners.add(listener)
  }

  /** Returns the token. */
  async open(db: Db | Tx, owner: Owner, ip: string, signedInAt = this.#now()): Promise<string> {
    const { row, sign } = this.prepare(owner, ip, signedInAt)
    return sign(await insertSession(db, row))
  }

  /** Returns a row, for statements that insert it together with other changes, and a function that signs its id. */
  prepare(
    {
      role,
      master_id,
      host_id,
      room_user_id,
      device_secret_issued = false,
      sign_in_link_hash = null,
      user_agent = null,
      assistant_id = null,
      second_factor_at = null,
      confirmed_at,
    }: Owner,
    ip: string,
    signedInAt = this.#now(),
  ): { row: NewSessionRow; sign: (sid: string) => Promise<string> } {
    const from = new Date(signedInAt)
    const until = new Date(signedInAt + LIFETIME_MS[role])
    const dates = { created_at: from, last_active_at: from, expires_at: until }
    const confirmedAt = confirmed_at === undefined && role !== 'phone' ? signedInAt : (confirmed_at ?? null)
    return {
      row: {
        role,
        master_id,
        host_id,
        room_user_id,
        device_secret_issued,
        sign_in_link_hash,
        user_agent,
        assistant_id,
        second_factor_at: dateOrNull(second_factor_at),
        confirmed_at: dateOrNull(confirmedAt),
        ip,
        ...dates,
      },
      sign: (sid) => this.#sign(sid, { role, master_id, host_id, assistant_id }, { from, until }),
    }
  }

  #sign(
    sid: string,
    { role, master_id, host_id, assistant_id }: Pick<Session, 'role' | 'master_id' | 'host_id' | 'assistant_id'>,
    dates: { from: Date; until: Date },
  ): Promise<string> {
    const account = role === 'master' ? { adminId: master_id ?? '' } : { hostId: host_id ?? '' }
    const owner = assistant_id === null ? account : { ...account, assistantId: assistant_id }
    return signToken(this.#secrets, { sid, role, ...owner }, dates)
  }

  mayBeHandedOver(session: Session): boolean {
    return this.#now() - signedInAt(session) <= HAND_OVER_MS
  }

  /**
   * Ends a session and opens another in its place; returns null if it has already ended. The new one keeps the sign-in
   * time, so that neither its expiry nor the time for a hand-over changes, and the second factor. It is not confirmed,
   * because its token came in an address. Who knows the `key` can repeat it.
   */
  async replace(
    tx: Tx,
    session: Session,
    { ip, user_agent }: Caller,
    key: string | null,
  ): Promise<{ token: string; ended: Session[] } | null> {
    const ended = await this.endRows(tx, { session_id: session.id }, 'handed_over')
    if (ended.length === 0) return null
    const sign_in_link_hash = key === null ? null : this.#hashHandOver(session.id, key)
    const owner = { ...session, user_agent, confirmed_at: null, sign_in_link_hash }
    return { token: await this.open(tx, owner, ip, signedInAt(session)), ended }
  }

  /** Returns the session that has replaced the one of a token under this key; null if there is none, or too late. */
  async findReplacement(token: string, key: string, ip: string): Promise<{ session: Session; token: string } | null> {
    const now = this.#now()
    const sid = await readToken(this.#secrets, token, new Date(now))
    if (!sid) return null
    const since = new Date(now - HAND_OVER_MS - REPEAT_MS)
    const hash = this.#hashHandOver(sid, key)
    const id = await this.#strangers.run(ip, () => findHandedOver(this.#db, sid, hash, since))
    const session = id === null ? null : await this.findById(id)
    if (!session) return null
    const dates = { from: new Date(signedInAt(session)), until: new Date(session.expires_at) }
    return { session, token: await this.#sign(session.id, session, dates) }
  }

  #hashHandOver(sid: string, key: string): string {
    return this.#secrets.sign('hand-overs', `${sid} ${key}`)
  }

  /** Returns nothing after a pause of this process, until it has read which sessions ended meanwhile. */
  findCached(token: string): Session | null {
    const now = this.#now()
    if (this.#pauses?.isCurrent(now) === false) return null
    const session = this.#byToken.get(token)
    return session && this.#isValid(session, now) ? session : null
  }

  /** Returns null if the token or its session is no longer valid. */
  async find(token: string): Promise<Session | null> {
    const cached = this.findCached(token)
    if (cached) return cached
    const sid = await readToken(this.#secrets, token, new Date(this.#now()))
    const session = sid ? (this.#live.get(sid) ?? (await this.#load(sid))) : null
    if (!session || !this.#isValid(session)) return null
    if (session.device_secret_issued) await requireDeviceSecret(this.#db, session)
    await this.#pauses?.ensureCurrent()
    if (!this.#live.has(session.id)) return null // it ended meanwhile, and nothing would remove it from the cache
    session.token = token
    this.#byToken.set(token, session)
    return session
  }

  /** Returns why a token's session has ended. Checks the signature, so that only the token itself gives access. */
  async findEnd(token: string, ip: string): Promise<SessionEnd | PhoneSessionEnd | null> {
    const sid = await readToken(this.#secrets, token, new Date(0))
    if (!sid) return null
    const known = this.#ended.get(sid)?.reason
    if (known !== undefined) return known
    const reason = await this.#strangers.run(ip, () => findSessionEnd(this.#db, sid, this.#now()))
    if (reason || this.#ended.has(sid)) this.#ended.set(sid, { reason })
    return reason
  }

  /** Returns null unless the session is live. */
  async findById(id: string): Promise<Session | null> {
    const session = this.#live.get(id) ?? (isUuid(id) ? await this.#load(id) : null)
    await this.#pauses?.ensureCurrent()
    return session && this.#live.has(session.id) && this.#isValid(session) ? session : null
  }

  /** Call each second. Returns how many cached sessions have ended during a pause of this process. */
  async heartbeat(): Promise<number> {
    return this.#pauses?.heartbeat() ?? 0
  }

  /** Keeps an idle console signed in. Call for actions of a person. */
  async touch(session: Session): Promise<void> {
    session.last_active_at = this.#now()
    if (session.last_active_at - session.touched_at < TOUCH_INTERVAL_MS) return
    session.touched_at = session.last_active_at
    await this.#db
      .updateTable('sessions')
      .set({ last_active_at: new Date(session.last_active_at) })
      .where('id', '=', session.id)
      .execute()
  }

  /** Returns the last confirmation of a session, which another server may have seen. */
  async readConfirmation(session: Session): Promise<number | null> {
    const query = this.#db.selectFrom('sessions').select('confirmed_at').where('id', '=', session.id)
    const row = await query.where('ended_at', 'is', null).executeTakeFirst()
    session.confirmed_at = row?.confirmed_at?.getTime() ?? null
    return session.confirmed_at
  }

  /** Ends sessions in the database; call `forget` after the commit. */
  async endRows(db: Db | Tx, filter: SessionFilter, reason: string): Promise<Session[]> {
    const ended = await endSessionRows(db, filter, reason, this.#now())
    for (const { id } of ended) this.#unnotified.set(id, this.#now())
    return ended
  }

  /**
   * Finds cached sessions that ended in the database without a call of `forget`: the request failed after its commit,
   * or the database's answer was lost.
   */
  async findUnnotifiedEnds(): Promise<{ session: Session; reason: string }[]> {
    const ids = [...this.#unnotified.keys()]
    if (ids.length === 0) return []
    const checkedAt = this.#now()
    const ends = await findEndReasons(this.#db, ids)
    return ids.flatMap((id) => {
      const reason = ends.get(id)
      const session = this.#live.get(id)
      if (reason || checkedAt - (this.#unnotified.get(id) ?? 0) > UNNOTIFIED_MS) this.#unnotified.delete(id)
      return session && reason ? [{ session, reason }] : []
    })
  }

  /** Drops sessions recently ended elsewhere, in case the message was lost. Returns how many were cached here. */
  async forgetEndedElsewhere(): Promise<number> {
    const from = this.#now()
    const ended = await this.#db
      .selectFrom('sessions')
      .select(['id', 'end_reason'])
      .where('ended_at', '>', new Date(Math.min(this.#readEndsFrom, from) - LATEST_COMMIT_MS))
      .execute()
    this.#readEndsFrom = from
    const cached = ended.filter(({ id }) => this.#live.has(id) && !this.#unnotified.has(id))
    for (const { id, end_reason } of cached) this.#forgetCached([id], end_reason ?? 'deleted')
    return cached.length
  }

  /**
   * Drops phones' sessions whose rows another server has deleted with their users, in case its message was lost.
   * `rooms` are those in memory; without its room a phone can do nothing. Returns how many were cached here.
   */
  async forgetDeletedElsewhere(rooms: readonly { hostId: string; has(userId: string): boolean }[]): Promise<number> {
    const roomOf = new Map(rooms.map((room) => [room.hostId, room]))
    const suspects = [...this.#live.values()].filter(({ host_id, room_user_id }) => {
      const room = roomOf.get(host_id ?? '')
      return room && room_user_id !== null && !room.has(room_user_id)
    })
    if (suspects.length === 0) return 0
    const ids = suspects.map(({ id }) => id)
    const stored = await this.#db.selectFrom('sessions').select('id').where('id', 'in', ids).execute()
    const kept = new Set(stored.map(({ id }) => id))
    const deleted = ids.filter((id) => !kept.has(id))
    this.#forgetCached(deleted, 'deleted')
    return deleted.length
  }

  /** Drops ended sessions from the cache, also while they are loaded. Returns how many were cached. */
  async #checkCached(): Promise<number> {
    const ids = [...this.#live.keys(), ...this.#loading]
    if (ids.length === 0) return 0
    const ends = await findEndReasons(this.#db, ids)
    let count = 0
    for (const [id, reason] of ends) {
      if (this.#unnotified.has(id)) continue
      if (this.#live.has(id)) count++
      this.#forgetCached([id], reason)
    }
    return count
  }

  /** Removes ended sessions from the caches of all servers and notifies the listeners. */
  forget(sessions: Session[], reason: string): void {
    const ids = sessions.map(({ id }) => id)
    this.#drop(ids, sessions, reason)
    if (ids.length > 0) this.#bus.publish({ type: 'sessions-ended', ids, reason })
  }

  #forgetCached(ids: string[], reason: string): void {
    const sessions = ids.flatMap((id) => this.#live.get(id) ?? [])
    this.#drop(ids, sessions, reason)
  }

  /** Notifies the listeners of `sessions`. */
  #drop(ids: string[], sessions: Session[], reason: string): void {
    for (const id of ids) this.#loading.delete(id)
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
    if (this.#ended.has(sid)) return null
    return this.#loads.run(sid, async () => {
      this.#loading.add(sid)
      let isLive = false
      const session = await findSessionRow(this.#db, sid).finally(() => {
        isLive = this.#loading.delete(sid)
      })
      if (!session) this.#ended.set(sid, {})
      if (!session || !isLive) return null
      this.#live.set(sid, session)
      return session
    })
  }

  #isValid(session: Session, now = this.#now()): boolean {
    if (!isExpired(session, now)) return true
    this.#drop([session.id], [session], 'expired')
    return false
  }
}

const dateOrNull = (at: number | null) => (at === null ? null : new Date(at))

function signedInAt({ role, expires_at }: Session): number {
  return expires_at - LIFETIME_MS[role]
}
