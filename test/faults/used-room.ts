import pg from 'pg'
import { createSchedule } from '../../shared/phone/schedule.ts'
import type { SimulatedPhone } from '../../simulator/phone.ts'
import { signInPhone } from '../../simulator/sign-in.ts'
import { HOST, http } from '../servers/server-process.ts'
import { connectHost } from '../zoom/zoom-over-http.ts'
import type { Cluster } from './cluster.ts'

const PHONES = 12

/** A room that all servers share, with its users' phones, which stay online. */
export interface UsedRoom {
  token: string
  roomId: string
  userIds: string[]
  phones: SimulatedPhone[]
  /** Reads the mutes from the database, and the number of mutes and unmutes. */
  readStored(): Promise<{ mutes: Map<string, boolean>; writes: number }>
  close(): void
}

export async function openUsedRoom(cluster: Cluster): Promise<UsedRoom> {
  const { token, user_id } = await connectHost(cluster, cluster.zoom, HOST)
  const logins = Array.from({ length: PHONES }, (_, n) => ({
    username: `u${n}`,
    user_id: `U${n + 100}`,
    password: 'lamp',
  }))
  await http(cluster, 'POST', '/host/users/import', { token, body: { users: logins } })
  const { room_id } = (await http(cluster, 'GET', '/host/details', { token })).body
  const schedule = createSchedule()
  const at = { baseUrl: `http://127.0.0.1:${cluster.port}`, hostId: user_id, schedule }
  const phones = await Promise.all(logins.map(({ username, password }) => signInPhone({ ...at, username, password })))
  await Promise.all(phones.map((phone) => phone.openStream()))
  return {
    ...{ token, roomId: room_id, phones },
    userIds: phones.map(({ user }) => user.id),
    readStored: () => readStored(cluster.postgres.urlOf('postgres'), room_id),
    close() {
      for (const phone of phones) phone.close()
      schedule.close()
    },
  }
}

async function readStored(connectionString: string, roomId: string) {
  const db = new pg.Client({ connectionString })
  await db.connect()
  try {
    const users = await db.query<{ id: string; is_muted: boolean }>(
      `select room_users.id, case when room_users.mute_round = rooms.mute_round
        then is_muted else host_mute_all_active end as is_muted
        from room_users join rooms on rooms.id = room_id where rooms.id = $1`,
      [roomId],
    )
    const writes = await db.query<{ count: string }>(
      `select count(*) from audit join rooms on rooms.host_id = audit.host_id where rooms.id = $1
        and action in ('user_mute', 'user_unmute', 'mute_all', 'unmute_all')`,
      [roomId],
    )
    return {
      mutes: new Map(users.rows.map(({ id, is_muted }) => [id, is_muted])),
      writes: Number(writes.rows[0]?.count),
    }
  } finally {
    await db.end()
  }
}
