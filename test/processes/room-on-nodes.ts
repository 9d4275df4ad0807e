import pLimit from 'p-limit'
import { SECRET_KEY, type SeededRoom, seedDatabase } from '../../bench/seed-rooms.ts'
import { NodeProxy } from '../../demo/proxy.ts'
import { type Db, openPostgres } from '../../server/db/client.ts'
import { MobileMeAnswer } from '../../shared/mobile.ts'
import { random } from '../../shared/phone/backoff.ts'
import { call } from '../../shared/phone/call.ts'
import { followEvents } from '../../shared/phone/event-stream.ts'
import { createSchedule } from '../../shared/phone/schedule.ts'
import { parseRoomEvent, type RoomEvent } from '../../shared/room-events.ts'
import { OnlineUsersAnswer, type RoomUser } from '../../shared/room-users.ts'
import { StreamSession } from '../../shared/rooms.ts'
import { SimulatedPhone } from '../../simulator/phone.ts'
import { seededRandom } from '../../simulator/random.ts'
import { freePort } from '../servers/free-port.ts'
import { startPostgres } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import { emptyDataFolder, type ServerProcess, startServerProcess } from '../servers/server-process.ts'

const JOINING_AT_ONCE = 20

export type ReceivedEvent = RoomEvent & { id: string }

/** A room that server processes share, with phones and consoles that reach them through the demo's proxy. */
export interface RoomOnNodes {
  db: Db
  room: SeededRoom
  phones: SimulatedPhone[]
  /** The events that each phone received, in the order of `phones`. */
  received: ReceivedEvent[][]
  /** The events of two consoles, which started on different nodes. */
  consoles: ReceivedEvent[][]
  /** The number of phone streams that were cut. */
  lostStreams(): number
  nodes: ServerProcess[]
  /** Restarts the process of a killed node. */
  restart(node: number): Promise<void>
  muteAll(node: number, action: 'mute' | 'unmute'): Promise<number>
  /** The phones that consider themselves muted or unmuted. */
  obeying(isMuted: boolean): SimulatedPhone[]
  /** The users that are online, obey and have acknowledged it, according to a node. */
  confirmed(node: number, isMuted: boolean): Promise<RoomUser[]>
  close(): Promise<void>
}

export async function startRoomOnNodes(nodeCount: number, people: number): Promise<RoomOnNodes> {
  const [postgres, redis, folder] = [await startPostgres(), await startRedis(), await emptyDataFolder()]
  const DATABASE_URL = postgres.urlOf('postgres')
  const db = openPostgres(DATABASE_URL)
  const [room] = await seedDatabase(db, [people])
  if (!room) throw new Error('No room was seeded')

  const [port, ...ports] = await Promise.all(Array.from({ length: 1 + nodeCount }, freePort))
  if (port === undefined) throw new Error('There is no port')
  const origin = `http://127.0.0.1:${port}`
  const env = {
    ...{
      DATABASE_URL,
      REDIS_URL: redis.url,
      SECRET_KEY,
      DATA_DIR: folder.path,
      PUBLIC_URL: origin,
      TRUST_PROXY: 'true',
    },
    ...{ ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' },
  }
  const start = (own: number) => startServerProcess({ ...env, PORT: String(own) })
  const nodes = await Promise.all(ports.map(start))
  const proxy = new NodeProxy(ports)
  await proxy.listen(port, '127.0.0.1')

  const schedule = createSchedule()
  const closing = new AbortController()
  const consoles = [await followConsole(), await followConsole()]
  const received: ReceivedEvent[][] = []
  let lost = 0
  const phones = await pLimit(JOINING_AT_ONCE).map(room.phones, async ({ token }, index) => {
    const { data } = await call(MobileMeAnswer, 'GET', `${origin}/api/mobile/me`, { token })
    const phone = new SimulatedPhone(origin, { ...data, token }, { random: seededRandom(String(index)), schedule })
    const events: ReceivedEvent[] = []
    received[index] = events
    phone.on('event', (event) => events.push(event))
    phone.on('stream', (what) => {
      if (what === 'lost') lost++
    })
    await phone.openStream()
    return phone
  })

  return {
    ...{ db, room, phones, received, consoles, nodes },
    lostStreams: () => lost,
    async restart(node) {
      nodes[node] = await start(ports[node] ?? 0)
    },
    async muteAll(node, action) {
      const url = `http://127.0.0.1:${ports[node]}/api/host/trigger-bulk-mute/${action}`
      return (await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${room.token}` } })).status
    },
    obeying: (isMuted) =>
      phones.filter(({ state }) => state.is_muted === isMuted && state.host_mute_all_active === isMuted),
    async confirmed(node, isMuted) {
      const url = `http://127.0.0.1:${ports[node]}/api/host/online-users`
      const { data, host_mute_all_active } = await call(OnlineUsersAnswer, 'GET', url, { token: room.token })
      if (host_mute_all_active !== isMuted) return []
      return data.users.filter((user) => user.is_muted === isMuted && !user.pending_command)
    },
    async close() {
      closing.abort()
      for (const phone of phones) phone.close()
      schedule.close()
      proxy.close()
      await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
      await db.destroy()
      await Promise.all([postgres.stop(), redis.stop(), folder.remove()])
    },
  }

  async function followConsole(): Promise<ReceivedEvent[]> {
    const { room_id, token } = { room_id: room?.room_id, token: room?.token ?? '' }
    const url = `${origin}/api/mobile/sse-session`
    const { sseUrl } = await call(StreamSession, 'POST', url, { token, body: { room_id } })
    const events: ReceivedEvent[] = []
    const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>()
    const stream = { url: origin + sseUrl, signal: closing.signal, schedule, random, onOpen }
    void followEvents({
      ...stream,
      onEvent({ id = '', event: name = 'message', data }) {
        const event = parseRoomEvent(name, data)
        if (event) events.push({ ...event, id })
      },
    })
    await opened
    return events
  }
}
