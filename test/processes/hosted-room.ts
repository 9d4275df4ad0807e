import { setTimeout as delay } from 'node:timers/promises'
import type { Schedule } from '../../shared/phone/schedule.ts'
import type { SimulatedPhone } from '../../simulator/phone.ts'
import { signInPhone } from '../../simulator/sign-in.ts'
import { MovingConsole } from '../servers/moving-console.ts'
import { http, makeHost } from '../servers/server-process.ts'

const PASSWORD = 'a lamp'
/** The user who is muted and unmuted all the time. The others have phones. */
const WRITTEN = 'written'
/** The limit is ten mutes a second per host. */
const WRITE_EVERY_MS = 200

export interface Address {
  port: number
}

/** A host's room in use on several servers at once. */
export class HostedRoom {
  readonly host: { username: string; email: string; password: string; subscription_type: number }
  readonly token: string
  /** The users' ids, by username. */
  readonly ids: Map<string, string>
  /** Keyed by username. */
  readonly phones = new Map<string, SimulatedPhone>()
  /** The ids of the events that each phone received, excluding the initial state of its first stream. */
  readonly received = new Map<string, string[]>()
  readonly #hostId: string
  readonly #roomId: string
  readonly #schedule: Schedule

  /** Loads its live room on this server. */
  static async make(username: string, users: string[], at: Address, schedule: Schedule): Promise<HostedRoom> {
    const host = { username, email: `${username}@example.com`, password: 'correct horse', subscription_type: 12 }
    const made = await makeHost(at, host)
    const { token } = made
    const { room_id } = (await http(at, 'GET', '/host/details', { token })).body
    const logins = [WRITTEN, ...users].map((name, n) => ({
      username: name,
      user_id: `U${n + 100}`,
      password: PASSWORD,
    }))
    await http(at, 'POST', '/host/users/import', { token, body: { users: logins } })
    const listed: { id: string; username: string }[] = (await http(at, 'GET', '/host/users', { token })).body.data.users
    const ids = new Map(listed.map((user) => [user.username, user.id]))
    return new HostedRoom({ host, hostId: made.user_id, token, roomId: room_id, ids, schedule })
  }

  private constructor(
    made: Pick<HostedRoom, 'host' | 'token' | 'ids'> & { hostId: string; roomId: string; schedule: Schedule },
  ) {
    this.host = made.host
    this.token = made.token
    this.ids = made.ids
    this.#hostId = made.hostId
    this.#roomId = made.roomId
    this.#schedule = made.schedule
  }

  async joinByPhone(username: string, { port }: Address): Promise<void> {
    const account = { hostId: this.#hostId, username, password: PASSWORD }
    const phone = await signInPhone({ baseUrl: `http://127.0.0.1:${port}`, ...account, schedule: this.#schedule })
    const ids: string[] = []
    let greeting = ''
    phone.on('event', ({ id, name }) => {
      if (name === 'test') greeting ||= id
      else if (id !== greeting) ids.push(id)
    })
    this.phones.set(username, phone)
    this.received.set(username, ids)
    await phone.openStream()
  }

  async openConsole(at: Address): Promise<MovingConsole> {
    const body = { room_id: this.#roomId }
    const { sseUrl } = (await http(at, 'POST', '/mobile/sse-session', { token: this.token, body })).body
    const console = new MovingConsole(sseUrl)
    await console.openAt(at)
    return console
  }

  actOn(username: string, action: 'mute' | 'unmute', at: Address) {
    return http(at, 'POST', `/host/users/${this.ids.get(username)}/${action}`, { token: this.token })
  }

  /** Polls, mutes and unmutes until it is ended, then returns the status of each call. */
  keepUsing(at: Address) {
    const { token } = this
    const body = { room_id: this.#roomId }
    const statuses: number[] = []
    let isOver = false
    const repeat = async (call: (count: number) => Promise<{ status: number }>, pauseMs: number) => {
      for (let count = 0; !isOver; count++) {
        statuses.push((await call(count)).status)
        await delay(pauseMs)
      }
    }
    const working = Promise.all([
      repeat(() => http(at, 'GET', '/host/online-users', { token }), 20),
      repeat(() => http(at, 'POST', '/mobile/host-mute-all-status', { token, body }), 20),
      repeat((count) => this.actOn(WRITTEN, count % 2 === 0 ? 'mute' : 'unmute', at), WRITE_EVERY_MS),
    ])
    return async () => {
      isOver = true
      await working
      return statuses
    }
  }

  close(): void {
    for (const phone of this.phones.values()) phone.close()
  }
}
