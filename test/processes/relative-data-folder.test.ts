import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { dataFolder, http, MASTER, startServerProcess } from '../servers/server-process.ts'

test('a server starts, serves and stops on a folder that is named from where it starts, as the default one is', async () => {
  const folder = await dataFolder()
  const server = await startServerProcess({ DATA_DIR: relative(process.cwd(), folder.path) })
  const page = await fetch(`http://127.0.0.1:${server.port}/robots.txt`)
  expect([page.status, (await page.text()).length > 0]).toEqual([200, true])
  expect((await http(server, 'POST', '/auth/master-login', { body: MASTER })).status).toBe(200)
  await server.kill('SIGTERM')
  expect(server.child.exitCode).toBe(0)
  expect(existsSync(join(folder.path, 'pglite/PG_VERSION'))).toBe(true)
  await folder.remove()
})
