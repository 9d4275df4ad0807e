import fastify from 'fastify'
import { PostgresDialect } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startTestApp, type TestServer } from '../../test/servers/start.ts'
import { openDatabase } from '../db/client.ts'
import { handleErrors } from './error-handler.ts'
import { healthRoutes } from './health.ts'

const get = async ({ app }: Pick<TestServer, 'app'>, url: string) => (await app.inject(url)).statusCode

test('/readyz follows the database, and the process answers without it', async () => {
  const cutOff = await startTestApp()
  expect(await get(cutOff, '/readyz')).toBe(200)
  await cutOff.deps.db.destroy()
  const refused = await cutOff.app.inject('/readyz')
  expect([refused.statusCode, refused.json().message]).toEqual([503, 'The database cannot be reached.'])
  expect(await get(cutOff, '/readyz?redis=optional')).toBe(503)
  expect(await get(cutOff, '/healthz')).toBe(200)
  await cutOff.close()
})

test('/readyz answers without a database that hangs, which all its callers ask once', async () => {
  const connect = vi.fn(() => new Promise<never>(() => {}))
  const db = openDatabase(new PostgresDialect({ pool: { connect, end: async () => {}, options: {} } }))
  const app = fastify()
  handleErrors(app, {})
  await app.register(healthRoutes({ db, redis: null, stopping: new AbortController().signal }))
  expect(await Promise.all([get({ app }, '/readyz'), get({ app }, '/readyz')])).toEqual([503, 503])
  expect(connect).toHaveBeenCalledTimes(1)
})
