import { expect, test } from 'vitest'
import { startTestApp } from '../../test/servers/start.ts'

test('/readyz follows the database, and the process answers without it', async () => {
  const cutOff = await startTestApp()
  expect((await cutOff.app.inject('/readyz')).statusCode).toBe(200)
  await cutOff.deps.db.destroy()
  expect((await cutOff.app.inject('/readyz')).statusCode).toBe(503)
  expect((await cutOff.app.inject('/healthz')).statusCode).toBe(200)
  await cutOff.close()
})
