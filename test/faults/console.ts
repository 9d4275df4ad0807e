import { setTimeout as delay } from 'node:timers/promises'
import { type OpenStream, openStream, type StreamEvent } from '../servers/stream.ts'
import { ConsoleRecord } from './console-record.ts'
import type { UsedRoom } from './used-room.ts'

const GIVE_UP_MS = 5_000

/** Follows a room over successive streams until it is closed. */
export class Console {
  readonly record = new ConsoleRecord()
  readonly #address: () => Promise<string>
  readonly #mutes = new Map<string, boolean>()
  #stream: OpenStream | null = null
  #read = 0
  #isOver = false
  readonly #following: Promise<void>

  constructor(port: number, { token, roomId }: UsedRoom) {
    this.#address = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ room_id: roomId }) }
      const origin = `http://127.0.0.1:${port}`
      const signal = AbortSignal.timeout(GIVE_UP_MS)
      const session = await (await fetch(`${origin}/api/mobile/sse-session`, { ...init, signal })).json()
      return origin + session.sseUrl
    }
    this.#following = this.#follow()
  }

  /** The mutes on display; null without a stream, which the console indicates. */
  get mutes(): ReadonlyMap<string, boolean> | null {
    this.#catchUp()
    return this.#stream && this.#read > 0 ? this.#mutes : null
  }

  async close(): Promise<void> {
    this.#isOver = true
    this.#stream?.close()
    await this.#following
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      try {
        const stream = await openStream(await this.#address(), this.record.lastId ?? undefined)
        if (this.#isOver) stream.close()
        this.#stream = stream
        this.#read = 0
        await stream.ended
        this.#catchUp()
        this.#stream = null
        this.record.follow(stream.received.map(({ id }) => id))
      } catch {
        await delay(50) // the server was unavailable
      }
    }
  }

  #catchUp(): void {
    const [greeting] = this.#stream?.received ?? []
    for (const event of this.#stream?.received.slice(this.#read) ?? []) {
      this.#apply(event, event.id === greeting?.id)
      this.#read++
    }
  }

  /** The initial state of a stream starts with Mute All's flag, which does not change users there. */
  #apply({ name, data }: StreamEvent, isState: boolean): void {
    if (name === 'user-mute-status') this.#mutes.set(String(data.user_id), data.is_muted === true)
    if (name !== 'host-mute-all' || isState) return
    const except: unknown[] = Array.isArray(data.except) ? data.except : []
    for (const id of this.#mutes.keys()) if (!except.includes(id)) this.#mutes.set(id, data.active === true)
  }
}
