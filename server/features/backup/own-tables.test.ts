import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setup } from '../../../test/servers/setup.ts'
import { dropOwnTables } from './own-tables.ts'

const server = await setup()

test('everything that migrations make is dropped, so that they can run again', async () => {
  class Undone extends Error {}
  const left = await server.deps.db
    .transaction()
    .execute(async (tx) => {
      await dropOwnTables(tx)
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class where relnamespace = current_schema()::regnamespace
        union all select proname from pg_proc where pronamespace = current_schema()::regnamespace`.execute(tx)
      throw Object.assign(new Undone(), { rows })
    })
    .catch((error: unknown) => {
      if (error instanceof Undone && 'rows' in error) return error.rows
      throw error
    })
  expect(left).toEqual([])
})
