import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../server/db/client.ts'
import { openFolder } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { hashPassword } from '../server/features/auth/passwords.ts'
import { signToken } from '../server/features/auth/tokens.ts'
import { type Secrets, secretsFrom } from '../server/lib/secrets.ts'
import { PASSWORD } from '../shared/examples.ts'

export const SECRET_KEY = 'the secret key of the benchmarks alone, of no use elsewhere'
const YEAR_MS = 365 * 86_400_000

/** A room whose users are all signed in on their phones, with its host signed in to the console. */
export interface SeededRoom {
  host_id: string
  username: string
  room_id: string
  token: string
  phones: { id: string; token: string }[]
}

/** Seeds the embedded database of a data folder. */
export async function seedRooms(dataDir: string, roomSizes: number[]): Promise<SeededRoom[]> {
  const db = await openFolder(join(dataDir, 'pglite'))
  const rooms = await seedDatabase(db, roomSizes)
  await seedSignInHosts(db)
  await db.destroy()
  return rooms
}

/** Writes to the database directly, since thousands of sign-ins over HTTP would take minutes of argon2. */
export async function seedDatabase(db: Db, roomSizes: number[]): Promise<SeededRoom[]> {
  await migrate(db)
  const secrets = secretsFrom(SECRET_KEY)
  const password_hash = await hashPassword(PASSWORD)
  const rooms: SeededRoom[] = []
  for (const [index, size] of roomSizes.entries())
    rooms.push(await seedRoom(db, secrets, password_hash, index + 1, size))
  return rooms
}

/** Hosts with empty rooms; many, since successful sign-ins are limited per account. */
export const SIGN_IN_HOSTS = Array.from({ length: 400 }, (_, n) => `signer${n + 1}`)

export async function seedSignInHosts(db: Db): Promise<void> {
  const password_hash = await hashPassword(PASSWORD)
  await sql`
    with signers as (
      insert into hosts (username, username_key, email, email_key, password_hash)
      select name, name, name || '@example.com', name || '@example.com', ${password_hash}
      from jsonb_array_elements_text(${JSON.stringify(SIGN_IN_HOSTS)}::jsonb) as name
      returning id, username
    )
    insert into rooms (host_id, name) select id, username from signers`.execute(db)
}

async function seedRoom(
  db: Db,
  secrets: Secrets,
  password_hash: string,
  number: number,
  size: number,
): Promise<SeededRoom> {
  const username = `host${number}`
  const email = `${username}@example.com`
  const host = await db
    .insertInto('hosts')
    .values({
      username,
      username_key: username,
      email,
      email_key: email,
      password_hash,
      subscription_type: 12,
      subscription_start_date: new Date(),
      subscription_end_date: new Date(Date.now() + YEAR_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const room = await db
    .insertInto('rooms')
    .values({ host_id: host.id, name: `ROOM-${number}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into room_users (room_id, user_id, user_id_key, username, username_key, reference, password_hash,
      password_ciphertext, device_id, device_model, platform, app_version)
    select ${room.id}, 'U' || lpad(n::text, 6, '0'), 'u' || lpad(n::text, 6, '0'), 'Person ' || n, 'person ' || n,
      'Row ' || (n % 40), ${password_hash}, '', gen_random_uuid(), 'Pixel 9', 'android', '1.4.0'
    from generate_series(1, ${size}::int) as n`.execute(db)
  const users = await db
    .selectFrom('room_users')
    .select('id')
    .where('room_id', '=', room.id)
    .orderBy('user_id')
    .execute()

  const expires = new Date(Date.now() + YEAR_MS / 365)
  const sessions = [null, ...users.map((user) => user.id)].map((room_user_id) => ({ sid: randomUUID(), room_user_id }))
  await sql`
    insert into sessions (id, role, host_id, room_user_id, expires_at)
    select sid, case when room_user_id is null then 'host' else 'phone' end, ${host.id}, room_user_id, ${expires}
    from jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as s (sid uuid, room_user_id uuid)`.execute(db)
  const [token = '', ...tokens] = await Promise.all(
    sessions.map(({ sid, room_user_id }) => {
      const role = room_user_id === null ? 'host' : 'phone'
      return signToken(secrets, { sid, role, hostId: host.id }, { from: new Date(), until: expires })
    }),
  )
  const phones = users.map(({ id }, index) => ({ id, token: tokens[index] ?? '' }))
  return { host_id: host.id, username, room_id: room.id, token, phones }
}
