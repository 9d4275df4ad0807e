import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { buildMachines, type Machines } from '../faults/machine.ts'
import {
  type DataFolder,
  dataFolder,
  HOST,
  http,
  makeHost,
  PROGRAM,
  type ServerProcess,
  SHORT_LIVED_FLAGS,
  startServerProcess,
} from '../servers/server-process.ts'
import { runCommand } from './backup-world.ts'

const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' } // without its emulator

let folder: DataFolder
let machines: Machines
let server: ServerProcess

beforeAll(async () => {
  folder = await dataFolder()
  machines = await buildMachines()
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await machines.remove()
  await folder.remove()
})

test('a server whose database fails on a full disk ends, and the next one has everything confirmed', async () => {
  const machine = await machines.create('server')
  server = await startServerProcess({ ...zoom, ...machine.env, DATA_DIR: folder.path })
  await makeHost(server)
  await machine.setDiskFull(true)
  const closed = once(server.child, 'close')
  server.child.kill('SIGTERM') // to stop takes a checkpoint, which cannot be written
  await closed
  expect(server.child.exitCode).toBe(1)
  const failed = server.output().match(/^.*"db\.failed".*$/m)?.[0] ?? '{}'
  expect(JSON.parse(failed)).toMatchObject({ level: 60, reason: expect.stringContaining('No space left on device') })

  server = await startServerProcess({ ...zoom, DATA_DIR: folder.path })
  expect((await http(server, 'POST', '/auth/host/login', { body: HOST })).status).toBe(200)
})

test('a command that cannot open the database on a full disk says so in one line', async () => {
  const machine = await machines.create('command')
  await machine.setDiskFull(true)
  await server.kill('SIGKILL')
  const env = { ...machine.env, DATA_DIR: folder.path }
  expect(await runCommand('person', env, 'erase', 'H000001', 'U000001', '--yes')).toEqual({
    ...{ code: 1, out: '' },
    err: expect.stringMatching(
      /^The database in \S+ cannot be opened \(.*No space left on device\)\. Make room on its disk, [^\n]+\n$/,
    ),
  })
})

test('a server goes on without its log on a full disk, counts the lines that it lost, and ends', async () => {
  const machine = await machines.create('log')
  const path = join(machines.folder, 'server.log')
  const stdout = openSync(path, 'a')
  await server.kill('SIGKILL')
  const env = { ...zoom, ...machine.env, DATA_DIR: folder.path, LOG_LEVEL: 'debug' }
  server = await startServerProcess(env, [], PROGRAM, SHORT_LIVED_FLAGS, stdout)
  closeSync(stdout)
  const call = async () => expect((await http(server, 'GET', '/host/profile')).status).toBe(401)
  await call()
  await machine.setDiskFull(true)
  for (let calls = 0; calls < 20; calls++) await call()
  await machine.setDiskFull(false)
  await call()
  await eventually(() => {
    const lines = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const lost = lines.find(({ msg }) => msg === 'log.lines_lost')
    expect(lost?.lines).toBeGreaterThan(0)
    const written = lines.filter(({ msg, route }) => msg === 'request' && route === '/api/host/profile')
    expect(written.length + lost.lines).toBeGreaterThanOrEqual(22) // the last of them may have waited for the room
  })

  await machine.setDiskFull(true)
  const closed = once(server.child, 'close')
  server.child.kill('SIGTERM')
  await closed
  expect(server.child.signalCode).toBe(null)
})
