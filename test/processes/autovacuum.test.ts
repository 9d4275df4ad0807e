import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Autovacuum } from '../../server/db/autovacuum.ts'
import type { Db } from '../../server/db/client.ts'
import { openFolder } from '../../server/db/embedded.ts'
import { type DataFolder, emptyDataFolder } from '../servers/server-process.ts'

let folder: DataFolder
let db: Db
let autovacuum: Autovacuum

beforeAll(async () => {
  folder = await emptyDataFolder()
  db = await openFolder(join(folder.path, 'pglite'))
  autovacuum = new Autovacuum({ db, log: { error: (problem: unknown) => expect.fail(`${problem}`) } })
  await sql`create table numbers (number int primary key, words text)`.execute(db)
  await sql`create table few (number int primary key)`.execute(db)
})
afterAll(async () => {
  await autovacuum.close()
  await db.destroy()
  await folder.remove()
})

const fill = () =>
  sql`insert into numbers select number, repeat('word ', 50) from generate_series(1, 2000) number`.execute(db)

async function bytesOfNumbers(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size('numbers')::int as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

async function plannedRows(): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select from numbers`.execute(db)
  return Number(rows[0]?.['QUERY PLAN'].match(/rows=(\d+)/)?.[1])
}

test('lets the planner know how many rows a table has', async () => {
  await fill()
  await sql`insert into few values (1)`.execute(db)
  expect(await plannedRows()).not.toBe(2000)
  expect(await autovacuum.run()).toEqual(['numbers'])
  expect(await plannedRows()).toBe(2000)
})

test('leaves a table that has hardly changed', async () => {
  await sql`delete from numbers where number <= 50`.execute(db)
  expect(await autovacuum.run()).toEqual([])
})

test('lets the space of deleted rows be used again', async () => {
  const bytes = await bytesOfNumbers()
  for (let round = 0; round < 3; round++) {
    await sql`delete from numbers`.execute(db)
    expect(await autovacuum.run()).toEqual(['numbers'])
    await fill()
  }
  expect(await bytesOfNumbers()).toBeLessThan(1.5 * bytes)
})
