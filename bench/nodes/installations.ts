import { Redis } from 'ioredis'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { type Db, openPostgres } from '../../server/db/client.ts'
import { startPostgres } from '../../test/servers/postgres.ts'
import { startRedis } from '../../test/servers/redis.ts'
import { emptyDataFolder } from '../../test/servers/server-process.ts'
import { Child } from '../child.ts'
import { type Fixture, startProduct } from '../fixtures.ts'
import { Connection, statusCall } from '../load.ts'
import { cpuSeconds } from '../process-stats.ts'
import { type SeededRoom, seedDatabase, seedSignInHosts } from '../seed-rooms.ts'
import { openPhonesAt } from '../streams.ts'

const NODES = 3
const CALLS_AT_ONCE = 20

/** Servers that share a room. */
export interface Installation {
  name: string
  servers: Fixture['product'][]
  first: Fixture['product']
  /** Equals `first` if there is only one server. */
  last: Fixture['product']
  room: SeededRoom
  otherRooms: SeededRoom[]
  db: Db
}

export interface Installations {
  /** Several servers on PostgreSQL and Redis. */
  several: Installation
  /** A single server on the same PostgreSQL, without Redis. */
  one: Installation
  redis: Redis
  clients: Child
}

/** Each installation has a room of this many users, and optionally others. */
export async function withInstallations<T>(
  size: number,
  measure: (both: Installations) => Promise<T>,
  otherSizes: number[] = [],
): Promise<T> {
  const [postgres, redis, folder] = [await startPostgres(), await startRedis(), await emptyDataFolder()]
  const clients = new Child('./stream-clients.ts')
  const running: Fixture['product'][] = []
  const databases: Db[] = []
  const start = async (name: string, count: number, env: Record<string, string>): Promise<Installation> => {
    const DATABASE_URL = postgres.urlOf(name)
    await createDatabase(postgres.urlOf('postgres'), name)
    const db = openPostgres(DATABASE_URL)
    databases.push(db)
    const [room, ...otherRooms] = await seedDatabase(db, [size, ...otherSizes])
    await seedSignInHosts(db)
    if (!room) throw new Error('No room was seeded')
    const startOne = async () => {
      const server = await startProduct(folder.path, { DATABASE_URL, ...env })
      running.push(server)
      return server
    }
    const first = await startOne()
    const others = await Promise.all(Array.from({ length: count - 1 }, startOne))
    return { name, servers: [first, ...others], first, last: others.at(-1) ?? first, room, otherRooms, db }
  }
  const client = new Redis(redis.url)
  try {
    const several = await start('several', NODES, { REDIS_URL: redis.url })
    const one = await start('one', 1, {})
    return await measure({ several, one, redis: client, clients })
  } finally {
    client.disconnect()
    await clients.end()
    await Promise.all(running.map((server) => server.kill('SIGKILL')))
    await Promise.all(databases.map((db) => db.destroy()))
    await Promise.all([postgres.stop(), redis.stop(), folder.remove()])
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const db = openPostgres(url)
  await sql`create database ${sql.id(name)}`.execute(db)
  await db.destroy()
}

/** Phones are distributed round-robin over the servers. */
function phonesOf({ servers, room: { phones } }: Installation, port: number): SeededRoom['phones'] {
  return phones.filter((_, index) => servers[index % servers.length]?.port === port)
}

/** Opens the streams of all phones, distributed over the servers, and keeps the phones online. */
export async function openAllStreams(clients: Child, installation: Installation): Promise<void> {
  const { name, servers, room } = installation
  for (const { port } of servers) {
    const phones = phonesOf(installation, port)
    await bringOnline(port, phones)
    await openPhonesAt(clients, { group: name, port, room_id: room.room_id, phones })
  }
}

/** Sends many calls at a time, since with Redis each waits for its change to come back. */
async function bringOnline(port: number, phones: SeededRoom['phones']): Promise<void> {
  const idle = Array.from({ length: CALLS_AT_ONCE }, () => new Connection(port))
  await pLimit(CALLS_AT_ONCE).map(phones, async ({ token }) => {
    const connection = idle.pop() ?? new Connection(port)
    await connection.send(statusCall(port, token))
    idle.push(connection)
  })
  for (const connection of idle) connection.close()
}

/** Returns the total of all servers. */
export function totalCpuSeconds({ servers }: Installation): number {
  return servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
}
