import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../servers/free-port.ts'
import {
  type DataFolder,
  dataFolder,
  HOST,
  http,
  runServerToItsEnd,
  type ServerProcess,
  signInMaster,
  startServerProcess,
} from '../servers/server-process.ts'

const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' } // without its emulator

let folder: DataFolder
let server: ServerProcess

beforeAll(async () => {
  folder = await dataFolder()
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await folder.remove()
})

test('a killed server loses no acknowledged change, and restarts on the same folder', async () => {
  const env = { ...zoom, DATA_DIR: folder.path, PORT: String(await freePort()) }
  server = await startServerProcess(env)
  const made = await http(server, 'POST', '/admin/hosts/integrate', { token: await signInMaster(server), body: HOST })
  expect(made.status).toBe(200)

  const acknowledged = new Set<string>()
  const attempted = new Set<string>()
  for (let round = 0; round < 2; round++) {
    const login = await http(server, 'POST', '/auth/host/login', { body: HOST })
    await addUsersUntilKilled(login.body.data.token, round, acknowledged, attempted)
    server = await startServerProcess(env)
  }

  const login = await http(server, 'POST', '/auth/host/login', { body: HOST })
  const { users } = (await http(server, 'GET', '/host/users', { token: login.body.data.token })).body.data
  const names: string[] = users.map((user: { username: string }) => user.username)
  expect(new Set(names).size).toBe(names.length)
  expect(acknowledged.size).toBeGreaterThan(20)
  for (const name of acknowledged) expect(names).toContain(name)
  for (const name of names) expect(attempted).toContain(name)
})

async function addUsersUntilKilled(token: string, round: number, acknowledged: Set<string>, attempted: Set<string>) {
  let isKilled = false
  const add = async (lane: number) => {
    for (let index = 0; !isKilled; index++) {
      const username = `user-${round}-${lane}-${index}`
      attempted.add(username)
      const body = { username, user_id: username, password: 'lamp' }
      const answer = await http(server, 'POST', '/host/users', { token, body }).catch(() => null)
      if (answer?.status === 200) acknowledged.add(username)
      if (acknowledged.size >= (round + 1) * 25 && !isKilled) {
        isKilled = true
        await server.kill('SIGKILL')
      }
    }
  }
  await Promise.all([0, 1, 2, 3].map(add))
}

test('a second server on the same folder is refused in one line, and the first continues', async () => {
  const second = await runServerToItsEnd({ ...zoom, DATA_DIR: folder.path, PORT: String(await freePort()) })
  expect(second.code).toBe(1)
  expect(second.output.trim()).toBe(
    `The data folder ${folder.path} is in use by process ${server.child.pid}. Stop it first.`,
  )
  expect((await fetch(`http://127.0.0.1:${server.port}/readyz`)).status).toBe(200)
})

test('a bad setting stops the start with one line', async () => {
  const { code, output } = await runServerToItsEnd({ ...zoom, DATA_DIR: folder.path, PORT: 'eighty' })
  expect(code).toBe(1)
  expect(output.trim()).toBe('PORT is "eighty"; it must be a port from 0 to 65535.')
})

test('a taken port stops the start with one line, and frees the folder', async () => {
  const other = await dataFolder()
  const taken = await runServerToItsEnd({ ...zoom, DATA_DIR: other.path, PORT: String(server.port) })
  expect(taken).toMatchObject({
    code: 1,
    output: expect.stringContaining(`PORT=${server.port} is already in use on 127.0.0.1.`),
  })
  const started = await startServerProcess({ ...zoom, DATA_DIR: other.path })
  await started.kill('SIGTERM')
  expect(started.child.exitCode).toBe(0)
  await other.remove()
})

test('an exception that nothing catches ends the process and is logged, and the next start has all data', async () => {
  const other = await dataFolder()
  const fault = `process.on('SIGUSR2', () => { throw new Error('nothing catches this') })`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`
  const first = await startServerProcess({ ...zoom, DATA_DIR: other.path, NODE_OPTIONS })
  await http(first, 'POST', '/admin/hosts/integrate', { token: await signInMaster(first), body: HOST })
  const closed = once(first.child, 'close')
  first.child.kill('SIGUSR2')
  await closed
  expect(first.child.exitCode).toBeGreaterThan(0)
  expect(first.output()).toContain('nothing catches this')

  const second = await startServerProcess({ ...zoom, DATA_DIR: other.path })
  expect((await http(second, 'POST', '/auth/host/login', { body: HOST })).status).toBe(200)
  await second.kill('SIGKILL')
  await other.remove()
})
