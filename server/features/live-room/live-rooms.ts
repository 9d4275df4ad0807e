import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { randomToken } from '../../lib/secrets.ts'
import { listPeopleInMeeting } from '../rooms/sittings.ts'
import { LiveRoom, type LiveRoomOptions } from './live-room.ts'
import type { RosterEntry } from './participant.ts'
import { beginRoom, type CopyNeeds, RoomCopy, type RoomFacts } from './room-copy.ts'
import type { RoomEngine } from './room-engine.ts'
import { takeOver } from './take-over.ts'

/** With what a change may take by itself it ends inside the 15 s that a console waits. */
const LONGEST_WAIT_MS = 5_000

export interface RoomsOptions extends CopyNeeds, LiveRoomOptions {
  engine: RoomEngine
  /** Some left a room: the database is to learn when they were last seen. */
  onLeft: (room: LiveRoom, left: RosterEntry[]) => Promise<void>
}

/** The rooms that this node holds: those that its consoles and phones are in. */
export class LiveRooms {
  readonly #db: Db
  readonly #options: RoomsOptions
  readonly #rooms = new Map<string, Promise<LiveRoom>>()
  readonly #ready = new Map<string, LiveRoom>()
  readonly #usedAt = new Map<string, number>()
  readonly #queues = new Map<string, Promise<unknown>>()
  /** Rooms a change of which has failed, perhaps after its commit; since when. */
  readonly #inDoubt = new Map<string, number>()
  readonly #timer: NodeJS.Timeout

  constructor(db: Db, options: RoomsOptions) {
    this.#db = db
    this.#options = options
    this.#timer = setInterval(() => void this.sweep(), options.times.sweep)
    this.#timer.unref()
  }

  /** The live room of a host, loaded at its first use. */
  of(hostId: string): Promise<LiveRoom> {
    this.#usedAt.set(hostId, this.#options.now())
    const held = this.#rooms.get(hostId)
    if (held) return held
    const loading = this.#load(hostId)
    this.#rooms.set(hostId, loading)
    loading.then(
      (room) => this.#rooms.get(hostId) === loading && this.#ready.set(hostId, room),
      () => this.#rooms.get(hostId) === loading && this.#rooms.delete(hostId),
    )
    return loading
  }

  /** The live room, if it is here and loaded: nothing to wait for. */
  ready(hostId: string): LiveRoom | null {
    const room = this.#ready.get(hostId)
    if (!room) return null
    this.#usedAt.set(hostId, this.#options.now())
    return room
  }

  /** The live room if this node holds it. */
  async held(hostId: string): Promise<LiveRoom | null> {
    return (await this.#rooms.get(hostId)) ?? null
  }

  /**
   * One change of a room at a time, so that database, room and phones see them in one order. One that has waited long
   * for the others, as when the database does not answer, is refused and never begun. One that fails may have been
   * written all the same: what the room shows is then held against the database before anything else.
   */
  exclusively<T>(hostId: string, change: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(hostId) ?? Promise.resolve()
    const asked = performance.now()
    const mine = before.then(async () => {
      if (performance.now() - asked > LONGEST_WAIT_MS) throw new AppError('busy', 'The room is busy. Please try again.')
      await this.#settle(hostId)
      return change().catch((error: unknown) => {
        if (!(error instanceof AppError)) this.#inDoubt.set(hostId, this.#options.now())
        throw error
      })
    })
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
    this.#ready.delete(hostId)
    this.#usedAt.delete(hostId)
    await room?.close()
  }

  async sweep(): Promise<void> {
    for (const [hostId, loading] of [...this.#rooms]) {
      const room = await loading.catch(() => null)
      if (room) await this.#sweep(hostId, room).catch(this.#options.onFault)
    }
    for (const hostId of this.#inDoubt.keys())
      if (!this.#queues.has(hostId)) void this.exclusively(hostId, async () => {}).catch(() => {})
  }

  async #sweep(hostId: string, room: LiveRoom): Promise<void> {
    await room.sweep()
    await room.handOverLeft((left) => this.#options.onLeft(room, left))
    if (!room.isInUse && this.#isUnused(hostId)) await this.forget(hostId)
  }

  /** Again for a while, as a commit may still be under way whose answer is not waited for any more. */
  async #settle(hostId: string): Promise<void> {
    const since = this.#inDoubt.get(hostId)
    if (since === undefined) return
    const room = await this.held(hostId)
    if (room) {
      this.#inDoubt.set(hostId, this.#options.now()) // where this fails too, it begins anew
      await takeOver(room, await this.#read(hostId))
      this.#inDoubt.set(hostId, since)
    }
    if (!room || this.#options.now() - since > this.#options.times.doubt) this.#inDoubt.delete(hostId)
  }

  #isUnused(hostId: string): boolean {
    const since = this.#options.now() - this.#options.times.unused
    return (this.#usedAt.get(hostId) ?? 0) < since && !this.#queues.has(hostId)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const loading of this.#rooms.values()) await (await loading.catch(() => null))?.close()
  }

  async #load(hostId: string): Promise<LiveRoom> {
    const { engine } = this.#options
    const [seat, copy] = await engine.join(hostId, async (shared) => {
      const room = shared ?? beginRoom(await this.#read(hostId), randomToken(6).replaceAll('-', '_'))
      return new RoomCopy(room, this.#options)
    })
    return new LiveRoom(hostId, copy, seat, this.#options)
  }

  async #read(hostId: string): Promise<RoomFacts> {
    const found = await this.#db
      .selectFrom('hosts')
      .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
      .selectAll('hosts')
      .select(['rooms.id as room_id', 'rooms.zoom_meeting_id', 'rooms.host_mute_all_active', 'rooms.mute_round'])
      .where('hosts.id', '=', hostId)
      .executeTakeFirst()
    if (!found) throw new AppError('not_found', 'Room not found')
    const rows = await this.#db
      .selectFrom('room_users')
      .select(ROSTER_COLUMNS)
      .select('mute_round')
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
    return {
      id: found.room_id,
      meetingId: found.zoom_meeting_id,
      hostMuteAll: found.host_mute_all_active,
      inMeeting: await listPeopleInMeeting(this.#db, found.room_id),
      roster: rows.map(({ mute_round, ...entry }) => ({
        ...entry,
        is_muted: mute_round === found.mute_round ? entry.is_muted : found.host_mute_all_active,
      })),
      host,
    }
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
