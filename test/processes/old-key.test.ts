import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { startRedis, type TestRedis } from '../servers/redis.ts'
import { type DataFolder, emptyDataFolder, runServerToItsEnd, startServerProcess } from '../servers/server-process.ts'
import { contentsOf, emptyDatabase, fill, runCommand } from './backup-world.ts'

const OLD_KEY =
  'SECRET_KEY is not the key of this database any more; set the one that npm run rotate-key printed, or that it was restored with, on every server.\n'

let out: DataFolder
let postgres: TestPostgres
let redis: TestRedis
beforeAll(async () => {
  ;[out, postgres, redis] = await Promise.all([emptyDataFolder(), startPostgres(), startRedis()])
})
afterAll(async () => {
  await Promise.all([out.remove(), postgres.stop(), redis.stop()])
})

async function rotated(env: Record<string, string>): Promise<Record<string, string>> {
  await mkdir(env.DATA_DIR ?? '')
  await fill(env)
  const { out: printed, err } = await runCommand('rotate-key', env, '--yes')
  const [, SECRET_KEY] = /^SECRET_KEY=(.+)$/m.exec(printed) ?? []
  expect(err).toBe('')
  return { ...env, SECRET_KEY: String(SECRET_KEY) }
}

test('a server on the embedded database does not start with its old SECRET_KEY, and changes nothing', async () => {
  const old = { DATA_DIR: join(out.path, 'embedded'), SECRET_KEY: randomBytes(32).toString('base64url') }
  const env = await rotated(old)
  const before = await contentsOf(env)
  const { code, output } = await runServerToItsEnd(old)
  expect(code).toBe(1)
  expect(output).toContain(OLD_KEY)
  expect(await contentsOf(env)).toEqual(before)
})

test('beside a server with the new key, neither another one nor a command works with the old one', async () => {
  const DATABASE_URL = await emptyDatabase(postgres.urlOf)
  const SECRET_KEY = randomBytes(32).toString('base64url')
  const DATA_DIR = join(out.path, 'nodes')
  const old = {
    DATA_DIR,
    DATABASE_URL,
    REDIS_URL: redis.url,
    SECRET_KEY,
    ZOOM_CLIENT_ID: 'id',
    ZOOM_CLIENT_SECRET: 's',
  }
  const env = await rotated(old)
  const before = await contentsOf(env)
  expect(await runServerToItsEnd(old)).toEqual({ code: 1, output: OLD_KEY })
  expect(await contentsOf(env)).toEqual(before)
  expect(readdirSync(DATA_DIR)).not.toContain('console')
  const node = await startServerProcess(env)
  expect(await runServerToItsEnd(old)).toEqual({ code: 1, output: OLD_KEY })
  expect(await runCommand('master', old, 'list')).toEqual({ code: 1, out: '', err: OLD_KEY })
  expect((await runCommand('master', env, 'list')).code).toBe(0)
  await node.kill('SIGTERM')
})
