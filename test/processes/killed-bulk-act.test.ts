import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventLoopTurns } from '../event-loop-turns.ts'
import { freePort } from '../servers/free-port.ts'
import {
  type DataFolder,
  dataFolder,
  HOST,
  http,
  type ServerProcess,
  signInMaster,
  startServerProcess,
} from '../servers/server-process.ts'

const PEOPLE = 30

let folder: DataFolder
let env: Record<string, string>
let server: ServerProcess

beforeAll(async () => {
  folder = await dataFolder()
  const zoom = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' }
  env = { ...zoom, DATA_DIR: folder.path, PORT: String(await freePort()) }
  server = await startServerProcess(env)
  await http(server, 'POST', '/admin/hosts/integrate', { token: await signInMaster(server), body: HOST })
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await folder.remove()
})

const signIn = async (): Promise<string> =>
  (await http(server, 'POST', '/auth/host/login', { body: HOST })).body.data.token
const people = async (token: string): Promise<{ id: string; is_active: boolean }[]> =>
  (await http(server, 'GET', '/host/users', { token })).body.data.users

test('a bulk action applies to all users or to none when the server is killed', async () => {
  let token = await signIn()
  const users = Array.from({ length: PEOPLE }, (_, n) => ({
    username: `u${n}`,
    user_id: `U${n + 100}`,
    password: 'lamp',
  }))
  expect((await http(server, 'POST', '/host/users/import', { token, body: { users } })).status).toBe(200)
  const userIds = (await people(token)).map(({ id }) => id)
  expect(userIds).toHaveLength(PEOPLE)

  for (const [round, turns] of [100, 600].entries()) {
    const action = round % 2 === 0 ? 'deactivate' : 'activate'
    const acting = http(server, 'POST', `/host/users/bulk/${action}`, { token, body: { userIds } }).catch(() => null)
    await eventLoopTurns(turns)
    await server.kill('SIGKILL')
    const answer = await acting
    server = await startServerProcess(env)
    token = await signIn()
    const states = new Set((await people(token)).map(({ is_active }) => is_active))
    expect(states.size).toBe(1)
    if (answer?.status === 200) expect([...states]).toEqual([action === 'activate'])
  }
})
