import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const HANG_ON_SIGNAL = new URL('hang-on-signal.ts', import.meta.url).href
const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' } // without its emulator

let folder: DataFolder
let server: ServerProcess

const start = () => {
  const env = { ...zoom, DATA_DIR: folder.path }
  return startServerProcess(env, [], PROGRAM, [...SHORT_LIVED_FLAGS, '--import', HANG_ON_SIGNAL])
}

beforeAll(async () => {
  folder = await dataFolder()
  server = await start()
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await folder.remove()
})

test('a server that hangs ends itself with one line, and the next one has everything confirmed', async () => {
  await makeHost(server)
  const closed = once(server.child, 'close')
  server.child.kill('SIGUSR2')
  await closed
  expect(server.child.signalCode).toBe('SIGKILL')
  expect(server.output()).toContain('The server has not moved for two minutes, and ends itself.')

  server = await start()
  expect((await http(server, 'POST', '/auth/host/login', { body: HOST })).status).toBe(200)
})
