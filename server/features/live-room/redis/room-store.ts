import type { Redis } from 'ioredis'
import type { Partition } from '../../../redis/partition.ts'
import { newEpoch } from '../epoch.ts'
import { decodeRoom, encodeRoom } from '../room-codec.ts'
import type { StoredRoom } from '../roster.ts'
import { beginRoom, type SharedRoom } from '../shared-room.ts'
import {
  appendChange,
  appendSilent,
  beginRoomAt,
  countStreams,
  keepRoom,
  keepSnapshot,
  keepStreams,
  readSnapshot,
  seePhones,
  silenceOf,
} from './scripts.ts'

/** How long Redis keeps a room that no server has in memory. */
const KEPT_MS = 3_600_000

export interface JoinedRoom {
  room: SharedRoom
  /** Of the last change that the room contains: the id of its entry in the log, and its number. */
  position: string
  number: number
}

/** An entry of the log. */
export interface LogEntry {
  id: string
  /** Counts the room's changes in its epoch. */
  number: number
  /** Names the change at the server that appended it. */
  own: string
  change: string
}

/** What Redis holds of one room. */
export class RoomStore {
  readonly #partition: Partition
  readonly #keys: Record<'log' | 'room' | 'snapshot' | 'seen' | 'streams' | 'servers', string>
  /** Signs of life that have not been sent. */
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
    }
  }

  get #redis(): Redis {
    return this.#partition.commands
  }

  /**
   * The room as a server had it a while ago, from which the log goes on, or one that begins now: where there is none, and
   * where its epoch is not to be trusted: it has fewer changes than were seen there, or began at a Redis that has been
   * replaced by one that may lack the last of them.
   */
  async join(read: () => Promise<StoredRoom>, distrust: { epoch: string; number: number } | null): Promise<JoinedRoom> {
    const { log, room: meta, snapshot } = this.#keys
    for (;;) {
      const found = await readSnapshot(this.#redis, [log, meta, snapshot], [])
      const [before = '', changes = '0', position = '', number = '', text = ''] = Array.isArray(found)
        ? found.map(String)
        : []
      const isDistrusted = before === distrust?.epoch && Number(changes) < distrust.number
      const room = isDistrusted || !text ? null : readable(text)
      if (room) return { room, position, number: Number(number) }
      const begun = { room: beginRoom(await read(), newEpoch()), position: '0-0', number: 0 }
      const args = [before, begun.room.epoch, encodeRoom(begun.room)]
      if (await beginRoomAt(this.#redis, [log, meta, snapshot], args)) return begun
    }
  }

  follow(position: string, receive: (entry: LogEntry) => void): void {
    this.#partition.reader.follow(this.#keys.log, position, (id, [, number, , own = '', , change = '']) =>
      receive({ id, number: Number(number), own, change }),
    )
  }

  unfollow(): void {
    this.#partition.reader.unfollow(this.#keys.log)
  }

  async append(epoch: string, own: string, change: string): Promise<void> {
    await appendChange(this.#redis, [this.#keys.log, this.#keys.room], [epoch, own, change])
  }

  /** Returns false if none of the phones has been silent for so long. `change` is JSON around an empty list of users. */
  async appendSilent(
    epoch: string,
    own: string,
    change: string,
    users: { id: string; json: string; silentMs: number }[],
  ): Promise<boolean> {
    const { log, room, seen } = this.#keys
    const [before = '', after = ''] = change.split('[]')
    const each = users.flatMap(({ id, json, silentMs }) => [json, id, silentMs])
    const args = [epoch, own, `${before}[`, `]${after}`, ...each]
    return (await appendSilent(this.#redis, [log, room, seen], args)) === 1
  }

  seen(id: string): void {
    this.#unsent.add(id)
  }

  async sendSeen(): Promise<void> {
    const ids = [...this.#unsent]
    this.#unsent.clear()
    if (ids.length > 0) await seePhones(this.#redis, [this.#keys.seen], ids)
  }

  async silenceOf(ids: string[]): Promise<Map<string, number>> {
    const silences = await silenceOf(this.#redis, [this.#keys.seen], ids)
    const known = new Map<string, number>()
    if (!Array.isArray(silences)) return known
    for (const [index, id] of ids.entries()) {
      const ms: unknown = silences[index]
      if (typeof ms === 'number') known.set(id, ms)
    }
    return known
  }

  async keepSnapshot({ room, position, number }: JoinedRoom): Promise<void> {
    const keys = [this.#keys.room, this.#keys.snapshot]
    await keepSnapshot(this.#redis, keys, [room.epoch, position, number, encodeRoom(room)])
  }

  /** The phones that have a stream open at this server. */
  async keepStreams(ids: string[]): Promise<void> {
    const { node } = this.#partition
    await keepStreams(this.#redis, [this.#streamsOf(node), this.#keys.servers], [node, ...ids])
  }

  async countStreamsElsewhere(ids: string[]): Promise<number> {
    const servers = await this.#redis.zrange(this.#keys.servers, '0', '-1')
    const others = servers.filter((one) => one !== this.#partition.node).map((one) => this.#streamsOf(one))
    return others.length > 0 ? Number(await countStreams(this.#redis, others, ids)) : 0
  }

  #streamsOf(server: string): string {
    return `${this.#keys.streams}:${server}`
  }

  /** Returns false if the room has begun again. */
  async keep(epoch: string): Promise<boolean> {
    const { log, room, snapshot, seen } = this.#keys
    return (await keepRoom(this.#redis, [room, log, snapshot, seen], [epoch, KEPT_MS])) === 1
  }
}

/** Null for a snapshot that this release cannot read. */
function readable(text: string): SharedRoom | null {
  try {
    return decodeRoom(text)
  } catch {
    return null
  }
}
