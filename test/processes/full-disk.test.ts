import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildMachines, type Machines } from '../faults/machine.ts'
import {
  type DataFolder,
  dataFolder,
  HOST,
  http,
  makeHost,
  type ServerProcess,
  startServerProcess,
} from '../servers/server-process.ts'

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
