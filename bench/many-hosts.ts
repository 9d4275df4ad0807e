import { join } from 'node:path'
import { sql } from 'kysely'
import { openFolder } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'

/** A data folder with this many hosts, as years of a reseller's work leave them: in all states, with a few people each. */
export async function seedHosts(dataDir: string, count: number): Promise<void> {
  const db = await openFolder(join(dataDir, 'pglite'))
  await migrate(db)
  await sql`
    insert into hosts (username, username_key, email, email_key, mobile, full_name, password_hash, is_active,
      storage_used_bytes, subscription_type, subscription_start_date, subscription_end_date, last_seen)
    select 'host' || n, 'host' || n, 'host' || n || '@example.com', 'host' || n || '@example.com',
      '+91 98' || lpad(n::text, 8, '0'), 'Person ' || n, '', n % 20 > 0, (n % 50) * 1e8, 12,
      now() - interval '1 year', now() + (n % 400 - 30) * interval '1 day', now()
    from generate_series(1, ${count}::int) as n`.execute(db)
  await sql`insert into rooms (host_id, name) select id, 'ROOM-' || numerical_id from hosts`.execute(db)
  await sql`insert into app_info (host_id) select id from hosts`.execute(db)
  await sql`
    insert into room_users (room_id, user_id, user_id_key, username, username_key, password_hash, password_ciphertext)
    select rooms.id, 'U' || n, 'u' || n, 'person' || n, 'person' || n, '', ''
    from rooms, generate_series(1, 5) as n`.execute(db)
  await db.destroy()
}
