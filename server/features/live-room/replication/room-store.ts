import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { Moderator } from '../../../../shared/moderators.ts'
import type { Partition } from '../../../redis/partition.ts'
import { newEpoch } from '../state/epoch.ts'
import { decodeRoom, encodeRoom } from '../state/room-codec.ts'
import { initialRoom, type RoomSnapshot } from '../state/room-snapshot.ts'
import type { StoredRoom } from '../state/roster.ts'
import type { LogEntry, SenderPosition } from './log-entry.ts'
import { encodeModerators, type ModeratorsElsewhere } from './moderators-elsewhere.ts'
import {
  addStreams,
  appendChange,
  appendSilent,
  countStreams,
  exchangeModerators,
  readRoomSnapshot,
  readSilences,
  recordHeartbeats,
  renewRoomExpiry,
  replaceStreams,
  startEpoch,
  storeRoomSnapshot,
} from './scripts.ts'

const Senders = z.array(z.tuple([z.string(), z.number(), z.number()]))

export interface JoinedRoom {
  room: RoomSnapshot
  /** The last change that the room contains: the id of its log entry, and its number. */
  position: string
  number: number
  /** The recent senders of changes. */
  senders: SenderPosition[]
}

/** The keys of one room in Redis. */
export class RoomStore {
  readonly #partition: Partition
  readonly #keys: Record<'log' | 'room' | 'snapshot' | 'seen' | 'streams' | 'servers' | 'moderators', string>
  /** Increases with each list of moderators. */
  #toldAt = 0
  /** Heartbeats that were not sent yet. */
  readonly #unsent = new Set<string>()

  constructor(partition: Partition, hostId: string) {
    const key = (name: string) => partition.key(`${hostId}:${name}`)
    this.#partition = partition
    this.#keys = {
      log: key('log'),
      room: key('room'),
      snapshot: key('snapshot'),
      seen: key('seen'),
      streams: key('streams'),
      servers: key('servers'),
      moderators: key('moderators'),
    }
  }

  get #redis(): Redis {
    return this.#partition.commands
  }

  /**
   * Returns the latest snapshot, from which the log continues. Begins a new epoch if no signed snapshot exists, or if
   * the epoch is distrusted: it has fewer changes than this server saw, or began at a Redis whose replacement may lack
   * the last ones.
   */
  async join(read: () => Promise<StoredRoom>, stale: { epoch: string; number: number } | null): Promise<JoinedRoom> {
    const { log, room: meta, snapshot } = this.#keys
    for (;;) {
      const found = await readRoomSnapshot(this.#redis, [log, meta, snapshot], [])
      const [before = '', changes = '0', ...parts] = Array.isArray(found) ? found.map((one) => String(one ?? '')) : []
      const isDistrusted = before === stale?.epoch && Number(changes) < stale.number
      const joined = isDistrusted || parts.length === 0 ? null : this.#readable(before, parts)
      if (joined) return joined
      const begun = { room: initialRoom(await read(), newEpoch()), position: '0-0', number: 0, senders: [] }
      if (await startEpoch(this.#redis, [log, meta, snapshot], [before, ...this.#signed(begun)])) return begun
    }
  }

  /** Skips entries that no server has signed for this epoch: they are forged, or the room has begun again. */
  follow(
    { room: { epoch }, position }: Pick<JoinedRoom, 'room' | 'position'>,
    receive: (entry: LogEntry) => void,
    onUnsigned = () => {},
  ): void {
    const { log } = this.#keys
    this.#partition.reader.follow(log, position, (id, fields) => {
      const [, number, , changeId = '', , change = '', , signature = '', , proposal] = fields
      if (!this.#partition.isSigned(signature, log, epoch, changeId, proposal ?? change)) {
        onUnsigned()
        throw new Error('A change of a room is not signed for it by a server of this installation')
      }
      receive({ id, number: Number(number), changeId, change, proposal })
    })
  }

  /** Reports an entry that is ignored, because it differs from what was appended there. */
  report(fault: string): void {
    this.#partition.onUnreadable(new Error(fault))
  }

  unfollow(): void {
    this.#partition.reader.unfollow(this.#keys.log)
  }

  async append(epoch: string, changeId: string, change: string): Promise<void> {
    const { log, room } = this.#keys
    await appendChange(
      this.#redis,
      [log, room],
      [epoch, changeId, change, this.#partition.sign(log, epoch, changeId, change)],
    )
  }

  /**
   * Returns false if none of the phones has been silent for so long. `change` is JSON with all of them, `empty` the
   * same with none.
   */
  async appendSilent(
    epoch: string,
    changeId: string,
    { change, empty }: { change: string; empty: string },
    users: { id: string; json: string; silentMs: number }[],
  ): Promise<boolean> {
    const { log, room, seen } = this.#keys
    const [before = '', after = ''] = empty.split('[]')
    const each = users.flatMap(({ id, json, silentMs }) => [json, id, silentMs])
    const signature = this.#partition.sign(log, epoch, changeId, change)
    const args = [epoch, changeId, change, signature, `${before}[`, `]${after}`, ...each]
    return (await appendSilent(this.#redis, [log, room, seen], args)) === 1
  }

  seen(id: string): void {
    this.#unsent.add(id)
  }

  async sendSeen(): Promise<void> {
    const ids = [...this.#unsent]
    this.#unsent.clear()
    if (ids.length > 0) await recordHeartbeats(this.#redis, [this.#keys.seen], ids)
  }

  async silenceOf(ids: string[]): Promise<Map<string, number>> {
    const silences = await readSilences(this.#redis, [this.#keys.seen], ids)
    const known = new Map<string, number>()
    if (!Array.isArray(silences)) return known
    for (const [index, id] of ids.entries()) {
      const ms: unknown = silences[index]
      if (typeof ms === 'number') known.set(id, Math.max(0, ms))
    }
    return known
  }

  /** `trims` removes the log's entries before the snapshot. A server that has not read them joins the room again. */
  async storeSnapshot(joined: JoinedRoom, trims: boolean): Promise<void> {
    const { room, snapshot, log } = this.#keys
    await storeRoomSnapshot(this.#redis, [room, snapshot, log], [...this.#signed(joined), trims ? '1' : '0'])
  }

  /** Replaces the list of phones that have an open stream at this server. */
  async replaceStreams(ids: string[]): Promise<void> {
    const { node } = this.#partition
    await replaceStreams(this.#redis, [this.#streamsOf(node), this.#keys.servers], [node, ...ids])
  }

  /** Adds phones whose streams open at this server. */
  async addStreams(ids: string[]): Promise<void> {
    const { node } = this.#partition
    await addStreams(this.#redis, [this.#streamsOf(node), this.#keys.servers], [node, ...ids])
  }

  async countStreamsElsewhere(ids: string[]): Promise<number> {
    const servers = await this.#redis.zrange(this.#keys.servers, '0', '-1')
    const others = servers.filter((one) => one !== this.#partition.node).map((one) => this.#streamsOf(one))
    return others.length > 0 ? Number(await countStreams(this.#redis, others, ids)) : 0
  }

  /** Replaces what this server tells of its consoles, and hears what the others tell. */
  async shareModerators(here: readonly Moderator[], now: number, elsewhere: ModeratorsElsewhere): Promise<void> {
    const { moderators: key } = this.#keys
    const { node } = this.#partition
    this.#toldAt = Math.max(this.#toldAt + 1, now)
    const text = here.length > 0 ? encodeModerators(here, this.#toldAt) : ''
    const signed = text && `${this.#partition.sign(key, node, text)} ${text}`
    const told = await exchangeModerators(this.#redis, [key], [node, signed])
    const parts = Array.isArray(told) ? told.map(String) : []
    const servers = new Set<string>()
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const [server = '', signature = '', said = ''] = [parts[at], ...splitOnce(parts[at + 1] ?? '')]
      if (server === node) continue
      if (!this.#partition.isSigned(signature, key, server, said)) {
        this.report('A list of moderators is not signed by a server of this installation')
        continue
      }
      servers.add(server)
      try {
        elsewhere.hear(server, said)
      } catch (error) {
        this.#partition.onUnreadable(error) // of a later release
      }
    }
    elsewhere.keep(servers)
  }

  #streamsOf(server: string): string {
    return `${this.#keys.streams}:${server}`
  }

  /** Returns false if the room has begun again. */
  async renewExpiry(epoch: string): Promise<boolean> {
    const { log, room, snapshot, seen } = this.#keys
    return (await renewRoomExpiry(this.#redis, [room, log, snapshot, seen], [epoch])) === 1
  }

  /** Encodes a snapshot as its epoch, position, number, senders, text and signature. */
  #signed({ room, position, number, senders }: JoinedRoom): (string | number)[] {
    const parts = [room.epoch, position, number, JSON.stringify(senders), encodeRoom(room)]
    return [...parts, this.#partition.sign(this.#keys.snapshot, ...parts)]
  }

  /** Returns null for a snapshot that is unsigned, or that this release cannot read. */
  #readable(epoch: string, [position = '', number = '', senders = '', text = '', signature = '']: string[]) {
    if (!this.#partition.isSigned(signature, this.#keys.snapshot, epoch, position, number, senders, text)) {
      this.report('A snapshot of a room is not signed for it by a server of this installation')
      return null
    }
    try {
      const known = Senders.parse(JSON.parse(senders))
      return { room: decodeRoom(text), position, number: Number(number), senders: known }
    } catch {
      return null
    }
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(' ')
  return [text.slice(0, at), text.slice(at + 1)]
}
