import { once } from 'node:events'
import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../servers/free-port.ts'
import {
  type DataFolder,
  emptyDataFolder,
  forkServer,
  http,
  makeHost,
  runServerToItsEnd,
  type ServerProcess,
  signInMaster,
  startServerProcess,
} from '../servers/server-process.ts'
import { openStream } from '../servers/stream.ts'
import { flipBytes } from './damage.ts'

const ANA = { username: 'ana', email: 'ana@example.com', password: 'correct horse', subscription_type: 12 }

let folder: DataFolder
let server: ServerProcess
let env: Record<string, string>
let token: string

beforeAll(async () => {
  folder = await emptyDataFolder()
  // Without its emulator.
  env = { ZOOM_CLIENT_ID: 'id', ZOOM_CLIENT_SECRET: 'secret', DATA_DIR: folder.path, PORT: String(await freePort()) }
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await folder.remove()
})

test('the next start repairs a first start that was killed', async () => {
  const watcher = watch(folder.path)
  const first = forkServer(env)
  while (!existsSync(join(folder.path, 'pglite.new'))) await once(watcher, 'change')
  first.kill('SIGKILL')
  await once(first, 'exit')
  watcher.close()

  server = await startServerProcess(env)
  expect((await http(server, 'POST', '/auth/verify', { token: await signInMaster(server) })).status).toBe(200)
})

test('stopping ends open streams, takes a snapshot and exits cleanly', async () => {
  token = (await makeHost(server, ANA)).token
  const { room_id } = (await http(server, 'GET', '/host/details', { token })).body
  const { sseUrl } = (await http(server, 'POST', '/mobile/sse-session', { token, body: { room_id } })).body
  const stream = await openStream(`http://127.0.0.1:${server.port}${sseUrl}`)
  await stream.next('test')

  await server.kill('SIGTERM')
  await stream.ended
  expect(server.child.exitCode).toBe(0)
  expect(readdirSync(join(folder.path, 'snapshots'))).toEqual([expect.stringMatching(/^\d{4}-.*\.tar\.zst$/)])
})

test('a start on a damaged database ends with one line that names --restore-snapshot', async () => {
  flipBytes(join(folder.path, 'pglite/global/pg_control'), 64)

  const { code, output } = await runServerToItsEnd(env)
  expect(code).toBe(1)
  const [honest, line, ...more] = output.trim().split('\n')
  expect(more).toEqual([])
  expect(honest).toMatch(/survives a killed process but not lost power/)
  expect(line).toMatch(/cannot be opened \(incorrect checksum in control file\)\. To restore the snapshot of 20/)
  expect(line).toContain('npm start -- --restore-snapshot')
})

test("--restore-snapshot brings back the snapshot's data", async () => {
  server = await startServerProcess(env, ['--restore-snapshot'])
  const { hosts } = (await http(server, 'GET', '/admin/hosts', { token: await signInMaster(server) })).body.data
  expect(hosts.map((host: { username: string }) => host.username)).toEqual(['ana'])
  expect(readdirSync(folder.path)).toContainEqual(expect.stringMatching(/^pglite\.damaged-/))
  expect(server.output()).toMatch(
    /Restored the snapshot of 20.*\n.*recovery codes are those of that time: what was changed, removed or used since is valid again\.\n/,
  )
  expect((await http(server, 'GET', '/host/details', { token })).status).toBe(401) // a restore ends all sessions
})
