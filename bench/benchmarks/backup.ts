import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { type Db, withoutTimeout } from '../../server/db/client.ts'
import { openFolder } from '../../server/db/embedded.ts'
import { startPostgres } from '../../test/servers/postgres.ts'
import { emptyDataFolder, http, MASTER } from '../../test/servers/server-process.ts'
import { type Benchmark, formatMs, type GoalResult, ratioAtMost } from '../benchmark.ts'
import { bringOnline, type Fixture, startProduct } from '../fixtures.ts'
import { measureWaits, requestText, statusCall } from '../load.ts'
import { type SeededRoom, seedDatabase } from '../seed-rooms.ts'
import { interleave, measureMs, median } from '../statistics.ts'

const PEOPLE = 500
/** The calls of a meeting: each phone reports every 5 s. */
const CALLS_PER_SECOND = PEOPLE / 5
const POLLS_PER_SECOND = 100
const AUDIT_ROWS = 100_000
const RECORDINGS = 8
const RECORDING_BYTES = 50_000_000
const MEASURE_MS = 5_000
const ROUNDS = Number(process.env.BENCH_RUNS ?? 6)
const GOAL = 1.2
const LOOK_MS = 20

/** Compares polls in a meeting beside a running backup with those without one. */
export const backup: Benchmark = {
  name: 'backup',
  async run() {
    const [postgres, ...folders] = [await startPostgres(), await emptyDataFolder(), await emptyDataFolder()] as const
    try {
      const [embedded, shared] = folders
      const DATABASE_URL = postgres.urlOf('postgres')
      const rooms = [
        await inFolder(embedded.path, (db) => seed(db, embedded.path)),
        await withoutTimeout(DATABASE_URL, (db) => seed(db, shared.path)),
      ] as const
      return [
        await measure('embedded', rooms[0], embedded.path),
        await measure('PostgreSQL', rooms[1], shared.path, { DATABASE_URL }),
      ]
    } finally {
      await Promise.all([postgres.stop(), ...folders.map((folder) => folder.remove())])
    }
  },
}

async function inFolder<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openFolder(join(dataDir, 'pglite'))
  return work(db).finally(() => db.destroy())
}

async function seed(db: Db, dataDir: string): Promise<SeededRoom> {
  const [room] = await seedDatabase(db, [PEOPLE])
  if (!room) throw new Error('No room was seeded')
  const { host_id, room_id } = room
  await sql`
    insert into audit (actor_role, actor_id, host_id, action, before, after)
    select 'host', ${host_id}, ${host_id}::uuid, 'user_mute', jsonb_build_object('n', n), jsonb_build_object('is_muted', true)
    from generate_series(1, ${AUDIT_ROWS}::int) as n`.execute(db)
  await mkdir(join(dataDir, 'archive', host_id), { recursive: true })
  for (let n = 0; n < RECORDINGS; n++) {
    const archived_path = `archive/${host_id}/${randomUUID()}.m4a`
    await writeFile(join(dataDir, archived_path), randomBytes(RECORDING_BYTES))
    await sql`
      insert into recordings (room_id, meeting_id, meeting_uuid, zoom_file_id, topic, started_at, status, file_type,
        archived_path, archived_bytes)
      values (${room_id}, '1', ${`u${n}`}, ${`f${n}`}, 'Meeting', now(), 'completed', 'M4A', ${archived_path},
        ${RECORDING_BYTES})`.execute(db)
  }
  return room
}

async function measure(name: string, room: SeededRoom, dataDir: string, env = {}): Promise<GoalResult> {
  const BACKUP_TO = join(dataDir, '../', `parley-bench-backups-${name}`)
  await mkdir(BACKUP_TO, { recursive: true })
  const BACKUP_RECIPIENTS = await identityToRecipient(await generateX25519Identity())
  const product = await startProduct(dataDir, { ...env, BACKUP_TO, BACKUP_RECIPIENTS, BACKUP_HOURS: '720' })
  try {
    await untilMade(BACKUP_TO, 0) // the first one begins with the server
    await bringOnline({ product }, room)
    const { token } = (await http(product, 'POST', '/auth/master-login', { body: MASTER })).body
    const [without, beside, times]: number[][] = [[], [], []]
    const poll = () => pollsP99(product, room)
    await poll() // warms it up
    const compared = await interleave(ROUNDS, {
      async limit() {
        const p99 = await poll()
        without?.push(p99)
        return p99
      },
      async product() {
        const before = made(BACKUP_TO).length
        await startBackup(product, token)
        let p99 = 0
        times?.push(
          await measureMs(async () => {
            const ended = untilMade(BACKUP_TO, before)
            p99 = await poll()
            await ended
          }),
        )
        beside?.push(p99)
        return p99
      },
    })
    const spread = (values: number[] = []) => `${formatMs(Math.min(...values))} to ${formatMs(Math.max(...values))}`
    const note = `p99 in ${ROUNDS} rounds of ${MEASURE_MS / 1_000} s: ${spread(without)} without, ${spread(beside)} beside a backup of ${(median(times ?? []) / 1_000).toFixed(1)} s`
    return ratioAtMost(`polls, p99, ${PEOPLE} phones, beside a backup (${name})`, compared, GOAL, formatMs, note)
  } finally {
    await product.kill('SIGTERM')
    await rm(BACKUP_TO, { recursive: true, force: true })
  }
}

/** Waits for the end of the one before, which comes a moment after its file, and for the limit of six a minute. */
async function startBackup(product: Fixture['product'], token: string): Promise<void> {
  let refusal = ''
  for (let tries = 0; tries < 15; tries++) {
    const { status, body } = await http(product, 'POST', '/admin/backups', { token })
    if (status === 200) return
    refusal = `${status} ${body.message}`
    await delay(status === 429 ? 10_000 : 1_000)
  }
  throw new Error(`No backup began: ${refusal}`)
}

const made = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.tar.age'))

async function untilMade(folder: string, before: number): Promise<void> {
  while (made(folder).length <= before) await delay(LOOK_MS)
}

/** Measures the console's polls while the phones make their calls. */
async function pollsP99({ port }: Fixture['product'], { token, phones }: SeededRoom): Promise<number> {
  const calls = phones.map((phone) => statusCall(port, phone.token))
  const poll = requestText('GET', '/api/host/online-users', { port, token, headers: { 'accept-encoding': 'gzip' } })
  const [polls] = await Promise.all([
    measureWaits({ port, requests: [poll], perSecond: POLLS_PER_SECOND, connections: 16, ms: MEASURE_MS }),
    measureWaits({ port, requests: calls, perSecond: CALLS_PER_SECOND, connections: 16, ms: MEASURE_MS }),
  ])
  if (polls.refused > 0) throw new Error(`${polls.refused} polls were refused`)
  return polls.p99
}
