import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../test/servers/postgres.ts'
import { countServers, lockDatabase } from './advisory-lock.ts'
import { openPostgres } from './client.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

test('counts the servers that share a database, and none that has gone', async () => {
  const url = postgres.urlOf('postgres')
  const db = openPostgres(url)
  const unexpected = () => expect.fail('No server is alone')
  const locks = [await lockDatabase(url, 'shared', unexpected), await lockDatabase(url, 'shared', unexpected)]
  expect(await countServers(db)).toBe(2)
  await locks[0]?.()
  await expect.poll(() => countServers(db)).toBe(1)
  await locks[1]?.()
  await expect.poll(() => countServers(db)).toBe(0)
  await db.destroy()
})
