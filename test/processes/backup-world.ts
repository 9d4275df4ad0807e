import { spawn } from 'node:child_process'
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type Db, openPostgres } from '../../server/db/client.ts'
import { openEmbedded } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Tables } from '../../server/db/tables.ts'
import { passwordAad } from '../../server/features/auth/user-password.ts'
import { BACKUP_TABLES } from '../../server/features/backup/backup-tables.ts'
import { joinUrlAad } from '../../server/features/rooms/join-url.ts'
import { passcodeAad } from '../../server/features/rooms/stored-passcode.ts'
import { totpAad } from '../../server/features/second-factor/totp.ts'
import { secretKeyIn, secretsFrom } from '../../server/lib/secrets.ts'
import { linkAad } from '../../server/zoom/tokens.ts'

export const PASSPHRASE = 'six quiet green kettles'
/** Text with all that `COPY` has to escape. */
const ODD = 'tab\t, line\nbreak, back\\slash, \\N, "quote", \r, é 🎧'

/** Runs a command as npm does, with nothing but these settings. */
export async function runCommand(name: string, env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['--liftoff-only', `server/commands/${name}.ts`, ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

/** Opens the database of an installation whose server is stopped, or that is on PostgreSQL. */
export async function inDatabaseOf<T>(env: Record<string, string>, work: (db: Db) => Promise<T>): Promise<T> {
  const { DATABASE_URL, DATA_DIR = '' } = env
  const db = DATABASE_URL
    ? openPostgres(DATABASE_URL)
    : await openEmbedded(DATA_DIR, { restore: false, print: () => {}, onPanic: () => {} })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** The rows of tables, or of every one that a backup has, as text that is the same in each engine. */
export async function contentsOf(
  env: Record<string, string>,
  tables = BACKUP_TABLES,
): Promise<Record<string, string[]>> {
  return inDatabaseOf(env, (db) => rowsIn(db, tables))
}

export async function rowsIn(db: Db, tables = BACKUP_TABLES): Promise<Record<string, string[]>> {
  return db.connection().execute(async (connection) => {
    await sql`set timezone = 'UTC'`.execute(connection)
    const contents: Record<string, string[]> = {}
    for (const table of tables) {
      const query = sql<{ row: string }>`select to_jsonb(one)::text as row from ${sql.table(table)} as one order by 1`
      contents[table] = (await query.execute(connection)).rows.map(({ row }) => row)
    }
    return contents
  })
}

/** Digests of all that an installation has, apart from the empty file of its lock. */
export async function stateOf(env: Record<string, string>): Promise<object> {
  const { DATA_DIR = '', DATABASE_URL } = env
  const files = readdirSync(DATA_DIR, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'server.lock')
    .map(({ parentPath, name }) => join(parentPath, name))
  const digests = Object.fromEntries(files.map((path) => [path, hash('sha256', readFileSync(path))]))
  return {
    digests,
    folders: readdirSync(DATA_DIR).filter((name) => name !== 'server.lock'),
    rows: DATABASE_URL ? await contentsOf(env) : null,
  }
}

export interface World {
  host_id: string
  room_id: string
  user_id: string
  recordings: string[]
}

/** Fills a migrated database, and DATA_DIR, with some of everything. The stays and audit rows are spread over the users. */
export async function fill(env: Record<string, string>, rows = 3, users = 1): Promise<World> {
  const { DATA_DIR = '' } = env
  return inDatabaseOf(env, async (db) => {
    await migrate(db)
    const secrets = secretsFrom(env.SECRET_KEY ?? (await secretKeyIn(DATA_DIR, async () => true)))
    const { id: master_id } = await insert(db, 'masters', {
      email: 'm@x.example',
      email_key: 'm@x.example',
      password_hash: 'h',
    })
    const names = { username: ODD, username_key: ODD, email: 'a@x.example', email_key: 'a@x.example' }
    const { id: host_id } = await insert(db, 'hosts', { ...names, password_hash: 'h', storage_limit_gb: 0.1 + 0.2 })
    const gone = { username: 'gone', username_key: 'gone', email: 'g@x.example', email_key: 'g@x.example' }
    const { id: gone_id } = await insert(db, 'hosts', { ...gone, password_hash: 'h' })
    await db.deleteFrom('hosts').where('id', '=', gone_id).execute() // its number is not given again
    const room = { id: randomUUID(), zoom_meeting_id: '123' }
    const { id: room_id } = await insert(db, 'rooms', {
      ...{ ...room, host_id, name: ODD },
      passcode_ciphertext: secrets.encrypt('7654', passcodeAad(room.id)),
      join_url_ciphertext: secrets.encrypt('https://zoom.example/j/123', joinUrlAad(room, '7654')),
    })
    const user_ids = Array.from({ length: users }, () => randomUUID())
    const [user_id = ''] = user_ids
    for (const [n, id] of user_ids.entries()) {
      const number = String(n + 1).padStart(6, '0')
      const username = n === 0 ? ODD : `${ODD} ${number}`
      await insert(db, 'room_users', {
        ...{ id, room_id, user_id: `U${number}`, user_id_key: `u${number}`, username, username_key: username },
        password_ciphertext: secrets.encrypt('lamp', passwordAad(id)),
      })
    }
    await db
      .insertInto('zoom_links')
      .values({
        ...{ host_id, zoom_user_id: 'z', zoom_account_id: 'a', email: 'a@x.example', warnings: JSON.stringify([]) },
        access_token_ciphertext: secrets.encrypt('access', linkAad(host_id, 'access_token')),
        refresh_token_ciphertext: secrets.encrypt('refresh', linkAad(host_id, 'refresh_token')),
        access_expires_at: new Date('2026-11-28T00:00:00.123Z'),
      })
      .execute()
    const totp = { id: randomUUID(), host_id, created_at: new Date(), confirmed_at: new Date() }
    await db
      .insertInto('totp_secrets')
      .values({ ...totp, secret_ciphertext: secrets.encrypt('JBSWY3DPEHPK3PXP', totpAad(totp.id)) })
      .execute()
    const numbered = sql`'U' || lpad((n % ${users}::int + 1)::text, 6, '0')`
    await db.insertInto('known_devices').values({ hash: 'd', last_seen_at: new Date() }).execute()
    const session = { role: 'master' as const, master_id, expires_at: new Date(Date.now() + 3_600_000) }
    await insert(db, 'sessions', session)
    await db
      .insertInto('sign_in_links')
      .values({ room_user_id: user_id, token_hash: 't', expires_at: new Date(Date.now() + 3_600_000) })
      .execute()
    await sql`
      insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
      select room_id, id, user_id, username, now() - n * interval '1 hour', now() - n * interval '59 minutes'
      from generate_series(1, ${rows}::int) as n join room_users on user_id = ${numbered}`.execute(db)
    await sql`
      insert into speeches (room_id, room_user_id, began_at, ended_at)
      select room_id, room_user_id, joined_at, joined_at + interval '9 seconds' from stays where room_id = ${room_id}`.execute(
      db,
    )
    const sitting = { room_id, meeting_uuid: 's', meeting_id: '1', is_live: false }
    const long_ago = new Date(Date.now() - 86_400_000)
    await db
      .insertInto('sittings')
      .values({ ...sitting, began_at: long_ago, live_reported_at: long_ago })
      .execute()
    await db
      .insertInto('raised_hands')
      .values({ room_id, meeting_uuid: 's', room_user_id: user_id, raised_at: long_ago })
      .execute()
    await sql`
      insert into audit (actor_role, actor_id, host_id, action, target, before, after)
      select 'host', ${host_id}, ${host_id}::uuid, 'user_mute', id::text, jsonb_build_object('n', n, 'odd', username), null
      from generate_series(1, ${rows * 4}::int) as n join room_users on user_id = ${numbered}`.execute(db)
    const recordings: string[] = []
    for (let n = 0; n < Math.min(rows, 12); n++) recordings.push(await addRecording(env, db, host_id, room_id, n))
    const logo = `${randomBytes(16).toString('hex')}.png`
    await addFile(join(DATA_DIR, 'logos', logo), randomBytes(2_000))
    await db
      .insertInto('app_info')
      .values({ host_id, logo_url: `/logos/${logo}` })
      .execute()
    return { host_id, room_id, user_id, recordings }
  })
}

async function addRecording(
  { DATA_DIR = '' }: Record<string, string>,
  db: Db,
  host_id: string,
  room_id: string,
  n: number,
) {
  const id = randomUUID()
  const archived_path = `archive/${host_id}/${id}.m4a`
  const bytes = randomBytes(n === 0 ? 0 : 100_000 + n)
  await addFile(join(DATA_DIR, archived_path), bytes)
  const zoom = { meeting_id: '1', meeting_uuid: `u${n}`, zoom_file_id: `f${n}`, topic: ODD, started_at: new Date() }
  const file = { status: 'completed', file_type: 'M4A', archived_path, archived_bytes: bytes.length }
  await insert(db, 'recordings', { id, room_id, ...zoom, ...file })
  await sql`
    with transcript as (
      insert into transcripts (room_id, meeting_uuid, zoom_file_id, started_at, status, found_by)
      values (${room_id}, ${zoom.meeting_uuid}, ${`t${n}`}, now(), 'read', array_to_tsvector(array[${ODD}])) returning id
    )
    insert into transcript_cues (transcript_id, cue_number, start_ms, end_ms, speaker, words, found_by)
    select id, 0, 0, 1000, ${ODD}, ${ODD}, array_to_tsvector(array[${ODD}]) from transcript`.execute(db)
  return archived_path
}

async function addFile(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}

async function insert(
  db: Db,
  table: 'masters' | 'hosts' | 'rooms' | 'room_users' | 'sessions' | 'recordings',
  row: object,
) {
  const columns = Object.keys(row)
  const values = sql.join(Object.values(row).map((value: unknown) => sql`${value}`))
  const { rows } = await sql<{ id: string }>`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${values}) returning id`.execute(db)
  const [made] = rows
  if (!made) throw new Error('Nothing was inserted')
  return made
}

/** An empty database on a server of PostgreSQL. */
export async function emptyDatabase(urlOf: (name: string) => string): Promise<string> {
  const name = `b_${randomBytes(6).toString('hex')}`
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: urlOf('postgres') }) }),
  })
  await sql`create database ${sql.ref(name)}`.execute(db)
  await db.destroy()
  return urlOf(name)
}
