import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RoomUser } from '../../shared/room-users.ts'
import { eventLoopTurns } from '../event-loop-turns.ts'
import { freePort } from '../servers/free-port.ts'
import {
  type DataFolder,
  dataFolder,
  http,
  makeHost,
  type ServerProcess,
  startServerProcess,
} from '../servers/server-process.ts'
import { type OpenStream, openStream } from '../servers/stream.ts'

const PEOPLE = 24
const PHONES = 3
/** KILLS sets more for a longer run. */
const KILLS = Number(process.env.KILLS ?? 3)
const SEED = Math.floor(Math.random() * 2 ** 31)

let folder: DataFolder
let env: Record<string, string>
let server: ServerProcess
let host: { id: string; token: string; room_id: string }

beforeAll(async () => {
  folder = await dataFolder()
  env = {
    ZOOM_CLIENT_ID: 'client',
    ZOOM_CLIENT_SECRET: 'secret',
    DATA_DIR: folder.path,
    PORT: String(await freePort()),
  }
  server = await startServerProcess(env)
  const made = await makeHost(server)
  const { token } = made
  const users = Array.from({ length: PEOPLE }, (_, n) => ({
    username: `u${n}`,
    user_id: `U${n + 100}`,
    password: 'lamp',
  }))
  await http(server, 'POST', '/host/users/import', { token, body: { users } })
  const { room_id } = (await http(server, 'GET', '/host/details', { token })).body
  host = { id: made.user_id, token, room_id }
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await folder.remove()
})

/** Notices, such as that a silent phone is asleep, have no number, and are not repeated. */
const isNumbered = ({ id }: { id: string }) => id !== ''

/** A console or a phone, with the ids of every numbered event that it received. */
class Client {
  token: string
  readonly #received = new Set<string>()
  #lastId: string | undefined
  #stream: OpenStream | null = null

  constructor(token: string) {
    this.token = token
  }

  /** Reconnects with the last id. */
  async listen(): Promise<OpenStream> {
    const { token } = this
    const request = { token, body: { room_id: host.room_id } }
    const { sseUrl } = (await http(server, 'POST', '/mobile/sse-session', request)).body
    this.#stream = await openStream(`http://127.0.0.1:${server.port}${sseUrl}`, this.#lastId)
    await this.#stream.next('test')
    return this.#stream
  }

  /** Returns the flag and the mutes of a new stream's initial state, when the events since are lost. */
  async receiveState(): Promise<{ flag: unknown; muted: Map<unknown, unknown> }> {
    const stream = await this.listen()
    const flag = (await stream.next('host-mute-all')).data.active
    const mutes = stream.received.filter(({ name }) => name === 'user-mute-status')
    await this.stop()
    return { flag, muted: new Map(mutes.map(({ data }) => [data.user_id, data.is_muted])) }
  }

  /** All events of a stream's initial state share one id; later events each have their own. */
  async stop(): Promise<void> {
    if (!this.#stream) return
    this.#stream.close()
    await this.#stream.ended
    const [test, ...others] = this.#stream.received.filter(isNumbered)
    for (const { id } of others.filter((event) => event.id !== test?.id)) {
      expect(this.#received.has(id), `${id} was received before`).toBe(false)
      this.#received.add(id)
    }
    this.#lastId = (others.at(-1) ?? test)?.id
    this.#stream = null
  }

  get events(): number {
    return this.#received.size
  }
}

interface Model {
  flag: boolean
  users: Map<string, { is_muted: boolean; is_active: boolean; isInMeeting: boolean }>
}

type Command = [path: string, apply: (model: Model) => void]

function commandOn(id: string, which: number): Command {
  const one = (
    action: string,
    apply: (user: { is_muted: boolean; is_active: boolean; isInMeeting: boolean }) => void,
  ): Command => [
    `/host/users/${id}/${action}`,
    ({ users }) => {
      const user = users.get(id)
      if (user) apply(user)
    },
  ]
  const all = (active: boolean): Command => [
    `/host/trigger-bulk-mute/${active ? 'mute' : 'unmute'}`,
    (model) => {
      model.flag = active
      for (const user of model.users.values()) user.is_muted = active
    },
  ]
  const commands = [
    () => one('mute', (user) => Object.assign(user, { is_muted: true })),
    () => one('unmute', (user) => Object.assign(user, { is_muted: false })),
    () => all(true),
    () => all(false),
    () => one('deactivate', (user) => Object.assign(user, { is_active: false, isInMeeting: false })),
    () => one('activate', (user) => Object.assign(user, { is_active: true })),
    () => one('switch', (user) => Object.assign(user, { isInMeeting: false })),
    (): Command => [`/host/users/${id}/delete`, ({ users }) => users.delete(id)],
  ]
  return commands[which % commands.length]?.() ?? all(false)
}

function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

const list = async () => {
  const { body } = await http(server, 'GET', '/host/users', { token: host.token })
  const users: RoomUser[] = body.data.users
  return users
}

test(`after a kill clients see the stored state, and receive no event twice (seed ${SEED})`, {
  timeout: 60_000 + KILLS * 60_000,
}, async () => {
  const random = seeded(SEED)
  const console = new Client(host.token)
  const phones = new Map<string, Client>()
  const model: Model = { flag: false, users: new Map() }
  for (const { id } of await list()) model.users.set(id, { is_muted: false, is_active: true, isInMeeting: false })

  for (let round = 0; round < KILLS; round++) {
    await signInPhones(model, phones)
    for (const client of [console, ...phones.values()]) await client.listen()

    let underWay: Command | null = null
    let killed: Promise<void> | undefined
    const last = random(12)
    for (let sent = 0; ; sent++) {
      const ids = [...model.users.keys()]
      underWay = commandOn(ids[random(Math.min(ids.length, PHONES + 2))] ?? '', random(8))
      const sending = http(server, 'POST', underWay[0], { token: host.token }).catch(() => null)
      if (sent === last) killed = eventLoopTurns(random(600)).then(() => server.kill('SIGKILL'))
      const answer = await sending
      if (!answer) break
      expect(answer.status).toBe(200)
      underWay[1](model)
      underWay = null
    }
    await killed
    for (const client of [console, ...phones.values()]) await client.stop()

    server = await startServerProcess(env)
    await expectToBeSeen(model, underWay, console, phones)
  }
  expect(console.events).toBeGreaterThan(KILLS)
})

/** Signs in phones for the first users who may sign in and have none. */
async function signInPhones(model: Model, phones: Map<string, Client>): Promise<void> {
  for (const { id, username } of (await list()).slice(0, PHONES)) {
    const user = model.users.get(id)
    if (!user?.is_active || user.isInMeeting) continue
    const body = { host_id: host.id, username, password: 'lamp', device_id: `phone of ${id}`, platform: 'android' }
    const login = await http(server, 'POST', '/mobile/login', { body })
    expect(login.status).toBe(200)
    const phone = phones.get(id) ?? new Client('')
    phone.token = login.body.data.token
    phones.set(id, phone)
    user.isInMeeting = true
  }
}

/** Checks that acknowledged changes are there, and an interrupted one is there completely or not at all. */
async function expectToBeSeen(model: Model, underWay: Command | null, console: Client, phones: Map<string, Client>) {
  const shown = async (): Promise<Model> => {
    const { body } = await http(server, 'GET', '/host/online-users', { token: host.token })
    const users = new Map<string, { is_muted: boolean; is_active: boolean; isInMeeting: boolean }>()
    for (const { id, is_muted, is_active } of await list()) users.set(id, { is_muted, is_active, isInMeeting: false })
    for (const [id, phone] of phones) {
      const { status, body: answer } = await http(server, 'POST', '/mobile/status', { token: phone.token, body: {} })
      const user = users.get(id)
      if (user) user.isInMeeting = status === 200
      if (status === 200)
        expect(answer.data).toMatchObject({ is_muted: user?.is_muted, host_mute_all_active: body.host_mute_all_active })
      else expect(status).toBe(401)
    }
    return { flag: body.host_mute_all_active, users }
  }
  const seen = await shown()
  const done = structuredClone(model)
  underWay?.[1](done)
  expect([model, done]).toContainEqual(seen)
  Object.assign(model, seen)

  const state = await console.receiveState()
  expect(state.flag).toBe(seen.flag)
  for (const [id, isMuted] of state.muted) expect(isMuted).toBe(seen.users.get(String(id))?.is_muted)
  for (const [id, phone] of phones) {
    const user = seen.users.get(id)
    if (!user?.isInMeeting) phones.delete(id)
    else expect(await phone.receiveState()).toEqual({ flag: seen.flag, muted: new Map([[id, user.is_muted]]) })
  }
}
