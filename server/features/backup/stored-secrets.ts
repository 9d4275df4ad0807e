import { sql } from 'kysely'
import type { Db, Tx } from '../../db/client.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { linkAad } from '../../zoom/tokens.ts'
import { bodyAad } from '../../zoom/webhook-inbox.ts'
import { passwordAad } from '../auth/user-password.ts'
import { joinUrlAad } from '../rooms/join-url.ts'
import { passcodeAad } from '../rooms/stored-passcode.ts'
import { totpAad } from '../second-factor/totp.ts'

interface StoredSecret {
  table: string
  key: string
  column: string
  aad(key: string): string
}

const AT_ONCE = 500

/** Every column of encrypted text in a backup, except those of a room, of which one depends on the other. */
export const STORED_SECRETS: StoredSecret[] = [
  { table: 'room_users', key: 'id', column: 'password_ciphertext', aad: passwordAad },
  {
    table: 'zoom_links',
    key: 'host_id',
    column: 'access_token_ciphertext',
    aad: (id) => linkAad(id, 'access_token'),
  },
  {
    table: 'zoom_links',
    key: 'host_id',
    column: 'refresh_token_ciphertext',
    aad: (id) => linkAad(id, 'refresh_token'),
  },
  { table: 'zoom_events', key: 'body_hash', column: 'body_ciphertext', aad: bodyAad },
  { table: 'totp_secrets', key: 'id', column: 'secret_ciphertext', aad: totpAad },
]

interface Count {
  readable: number
  unreadable: number
}

/** Encrypts all stored secrets under another key. Those that the old one does not open stay as they are. */
export async function reencryptSecrets(db: Db | Tx, from: Secrets, to: Secrets): Promise<Count> {
  const count: Count = { readable: 0, unreadable: 0 }
  for (const one of STORED_SECRETS) await reencryptColumn(db, one, from, to, count)
  await reencryptRooms(db, from, to, count)
  return count
}

async function reencryptColumn(db: Db | Tx, one: StoredSecret, from: Secrets, to: Secrets, count: Count) {
  const [table, key, column] = [sql.table(one.table), sql.ref(one.key), sql.ref(one.column)]
  for (let after: string | null = null; ; ) {
    const isLater: ReturnType<typeof sql<boolean>> = after === null ? sql`true` : sql`${key} > ${after}`
    const { rows }: { rows: { key: string; ciphertext: string }[] } = await sql<{ key: string; ciphertext: string }>`
      select ${key} as key, ${column} as ciphertext from ${table}
      where ${column} is not null and ${isLater} order by ${key} limit ${sql.lit(AT_ONCE)}`.execute(db)
    for (const row of rows) {
      const text = decrypted(from, row.ciphertext, one.aad(row.key), count)
      if (text === null) continue
      await sql`update ${table} set ${column} = ${to.encrypt(text, one.aad(row.key))} where ${key} = ${row.key}`.execute(
        db,
      )
    }
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    after = last.key
  }
}

async function reencryptRooms(db: Db | Tx, from: Secrets, to: Secrets, count: Count): Promise<void> {
  const rooms = await db
    .selectFrom('rooms')
    .select(['id', 'zoom_meeting_id', 'passcode_ciphertext', 'join_url_ciphertext'])
    .where((eb) => eb.or([eb('passcode_ciphertext', 'is not', null), eb('join_url_ciphertext', 'is not', null)]))
    .execute()
  for (const { id, zoom_meeting_id, passcode_ciphertext, join_url_ciphertext } of rooms) {
    const passcode = passcode_ciphertext && decrypted(from, passcode_ciphertext, passcodeAad(id), count)
    // A URL of an earlier meeting or passcode opens with neither key. Zoom gives it again.
    const aad = joinUrlAad({ id, zoom_meeting_id: zoom_meeting_id ?? '' }, passcode)
    const url = join_url_ciphertext && decrypted(from, join_url_ciphertext, aad)
    const set = {
      ...(passcode !== null && { passcode_ciphertext: to.encrypt(passcode, passcodeAad(id)) }),
      join_url_ciphertext: url === null ? null : to.encrypt(url, aad),
    }
    await db.updateTable('rooms').set(set).where('id', '=', id).execute()
  }
}

function decrypted(secrets: Secrets, ciphertext: string, aad: string, count?: Count): string | null {
  try {
    const text = secrets.decrypt(ciphertext, aad)
    if (count) count.readable++
    return text
  } catch {
    if (count) count.unreadable++
    return null
  }
}
