import { sql } from 'kysely'
import type { Db, Tx } from '../../db/client.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { linkAad } from '../../zoom/tokens.ts'
import { bodyAad } from '../../zoom/webhook-inbox.ts'
import { passwordAad } from '../auth/user-password.ts'
import { mailAad } from '../mail/mail-queue.ts'
import { joinUrlAad } from '../rooms/join-url.ts'
import { passcodeAad } from '../rooms/stored-passcode.ts'
import { totpAad } from '../second-factor/totp.ts'
import { RowDigest } from './table-lines.ts'

interface StoredSecret {
  table: string
  key: string
  column: string
  aad(key: string): string
}

const AT_ONCE = 500

/** Every column of encrypted text in a backup, and of the mails that wait, except those of a room, of which one depends on the other. */
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
  { table: 'mails', key: 'id', column: 'content_ciphertext', aad: mailAad },
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

interface FoundSecrets {
  readable: number
  unreadable: number
  /** The same for the same texts, whichever key they are under. */
  digest: string
}

/** Decrypts all stored secrets. */
export async function readSecrets(db: Db | Tx, secrets: Secrets): Promise<FoundSecrets> {
  const count: Count = { readable: 0, unreadable: 0 }
  const digest = new RowDigest()
  const add = (aad: string, text: string | null) => {
    if (text !== null) digest.add(Buffer.from(`${JSON.stringify([aad, text])}\n`))
  }
  for (const one of STORED_SECRETS) {
    for await (const { key, ciphertext } of readColumn(db, one)) {
      const aad = one.aad(key)
      add(aad, decrypted(secrets, ciphertext, aad, count))
    }
  }
  for (const room of await listRooms(db)) {
    const { passcode, url, aad } = decryptRoom(room, secrets, count)
    add(passcodeAad(room.id), passcode)
    add(aad, url)
  }
  return { ...count, readable: digest.rows, digest: String(digest) }
}

async function reencryptColumn(db: Db | Tx, one: StoredSecret, from: Secrets, to: Secrets, count: Count) {
  const [table, keyColumn, column] = [sql.table(one.table), sql.ref(one.key), sql.ref(one.column)]
  for await (const { key, ciphertext } of readColumn(db, one)) {
    const aad = one.aad(key)
    const text = decrypted(from, ciphertext, aad, count)
    if (text === null) continue
    await sql`update ${table} set ${column} = ${to.encrypt(text, aad)} where ${keyColumn} = ${key}`.execute(db)
  }
}

interface StoredText {
  key: string
  ciphertext: string
}

/** Rows may be changed while they are read. */
async function* readColumn(db: Db | Tx, one: StoredSecret): AsyncGenerator<StoredText> {
  const [table, key, column] = [sql.table(one.table), sql.ref(one.key), sql.ref(one.column)]
  for (let after: string | null = null; ; ) {
    const isLater: ReturnType<typeof sql<boolean>> = after === null ? sql`true` : sql`${key} > ${after}`
    const { rows }: { rows: StoredText[] } = await sql<StoredText>`
      select ${key} as key, ${column} as ciphertext from ${table}
      where ${column} is not null and ${isLater} order by ${key} limit ${sql.lit(AT_ONCE)}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    after = last.key
  }
}

async function reencryptRooms(db: Db | Tx, from: Secrets, to: Secrets, count: Count): Promise<void> {
  for (const room of await listRooms(db)) {
    const { passcode, url, aad } = decryptRoom(room, from, count)
    const set = {
      ...(passcode !== null && { passcode_ciphertext: to.encrypt(passcode, passcodeAad(room.id)) }),
      join_url_ciphertext: url === null ? null : to.encrypt(url, aad),
    }
    await db.updateTable('rooms').set(set).where('id', '=', room.id).execute()
  }
}

const listRooms = (db: Db | Tx) =>
  db
    .selectFrom('rooms')
    .select(['id', 'zoom_meeting_id', 'passcode_ciphertext', 'join_url_ciphertext'])
    .where((eb) => eb.or([eb('passcode_ciphertext', 'is not', null), eb('join_url_ciphertext', 'is not', null)]))
    .execute()

/** A URL of an earlier meeting or passcode opens with no key, and is not counted. Zoom gives it again. */
function decryptRoom(room: Awaited<ReturnType<typeof listRooms>>[number], secrets: Secrets, count: Count) {
  const { id, zoom_meeting_id, passcode_ciphertext, join_url_ciphertext } = room
  const passcode = passcode_ciphertext && decrypted(secrets, passcode_ciphertext, passcodeAad(id), count)
  const aad = joinUrlAad({ id, zoom_meeting_id: zoom_meeting_id ?? '' }, passcode)
  return { passcode, aad, url: join_url_ciphertext && decrypted(secrets, join_url_ciphertext, aad) }
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
