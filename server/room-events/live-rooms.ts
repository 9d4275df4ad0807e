import type { Clock } from '../clock.ts'
import type { Db } from '../db.ts'
import { AppError } from '../errors.ts'
import { nextUserId } from '../room-users/next-user-id.ts'
import { randomToken } from '../secrets.ts'
import { LiveRoom } from './live-room.ts'
import type { RosterEntry } from './participant.ts'

const SWEEP_MS = 1_000

type LeftListener = (room: LiveRoom, left: RosterEntry[]) => Promise<void>

/** The rooms that this node holds: those that its consoles and phones are in. */
export class LiveRooms {
  readonly #db: Db
  readonly #now: Clock
  readonly #rooms = new Map<string, Promise<LiveRoom>>()
  readonly #queues = new Map<string, Promise<unknown>>()
  readonly #onLeft: LeftListener
  readonly #timer: NodeJS.Timeout

  constructor(db: Db, now: Clock, onLeft: LeftListener) {
    this.#db = db
    this.#now = now
    this.#onLeft = onLeft
    this.#timer = setInterval(() => void this.sweep(), SWEEP_MS)
    this.#timer.unref()
  }

  /** The live room of a host, loaded at its first use. */
  of(hostId: string): Promise<LiveRoom> {
    const held = this.#rooms.get(hostId)
    if (held) return held
    const loading = this.#load(hostId)
    this.#rooms.set(hostId, loading)
    loading.catch(() => this.#rooms.delete(hostId))
    return loading
  }

  /** The live room if this node holds it. */
  async held(hostId: string): Promise<LiveRoom | null> {
    return (await this.#rooms.get(hostId)) ?? null
  }

  /** One change of a room at a time, so that database, room and phones see them in one order. */
  exclusively<T>(hostId: string, change: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(hostId) ?? Promise.resolve()
    const mine = before.then(change, change)
    const settled = mine.catch(() => {})
    this.#queues.set(hostId, settled)
    void settled.then(() => {
      if (this.#queues.get(hostId) === settled) this.#queues.delete(hostId)
    })
    return mine
  }

  async forget(hostId: string): Promise<void> {
    const room = await this.held(hostId)
    this.#rooms.delete(hostId)
    room?.close()
  }

  async sweep(): Promise<void> {
    for (const loading of [...this.#rooms.values()]) {
      const room = await loading.catch(() => null)
      room?.sweep()
      const left = room?.takeLeft() ?? []
      if (room && left.length > 0) await this.#onLeft(room, left)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const loading of this.#rooms.values()) (await loading.catch(() => null))?.close()
  }

  async #load(hostId: string): Promise<LiveRoom> {
    const found = await this.#db
      .selectFrom('hosts')
      .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
      .selectAll('hosts')
      .select(['rooms.id as room_id', 'rooms.zoom_meeting_id', 'rooms.host_mute_all_active'])
      .where('hosts.id', '=', hostId)
      .executeTakeFirst()
    if (!found) throw new AppError('not_found', 'Room not found')
    const roster = await this.#db
      .selectFrom('room_users')
      .select(ROSTER_COLUMNS)
      .where('room_id', '=', found.room_id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()

    const host: RosterEntry = {
      id: found.id,
      user_id: `H${String(found.numerical_id).padStart(6, '0')}`,
      username: found.username,
      reference: null,
      email: found.email,
      is_active: true,
      is_muted: false,
      phone_changed: false,
      last_seen: found.last_seen,
      login_time: null,
      device_id: found.device_id,
      device_model: found.device_model,
      platform: found.platform,
      app_version: found.app_version,
    }
    const facts = {
      id: found.room_id,
      hostId,
      meetingId: found.zoom_meeting_id,
      hostMuteAll: found.host_mute_all_active,
      roster,
      host,
    }
    return new LiveRoom(facts, randomToken(6).replaceAll('-', '_'), this.#now, nextUserId)
  }
}

export const ROSTER_COLUMNS = [
  'id',
  'user_id',
  'username',
  'reference',
  'email',
  'is_active',
  'is_muted',
  'phone_changed',
  'last_seen',
  'login_time',
  'device_id',
  'device_model',
  'platform',
  'app_version',
] as const
