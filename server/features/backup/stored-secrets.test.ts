import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setup } from '../../../test/servers/setup.ts'
import { BACKUP_TABLES } from './backup-tables.ts'
import { STORED_SECRETS } from './stored-secrets.ts'

const server = await setup()

test('every encrypted column of a backup, and of the mails that wait, is encrypted again under another key', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and column_name like '%ciphertext'`.execute(server.deps.db)
  const kept = rows
    .filter(({ table }) => table === 'mails' || BACKUP_TABLES.includes(table))
    .map(({ table, column }) => `${table} ${column}`)
  const ofRooms = ['rooms passcode_ciphertext', 'rooms join_url_ciphertext']
  expect(kept.sort()).toEqual([...ofRooms, ...STORED_SECRETS.map(({ table, column }) => `${table} ${column}`)].sort())
})
