import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { startRedis, type TestRedis } from '../servers/redis.ts'
import {
  type DataFolder,
  dataFolder,
  HOST,
  http,
  type ServerProcess,
  signInMaster,
  startServerProcess,
} from '../servers/server-process.ts'
import { openStream } from '../servers/stream.ts'

const LAMP = { username: 'amina', user_id: 'U000001', password: 'lamp' }
const preload = new URL('./shifted-date.ts', import.meta.url)

let shared: [TestPostgres, TestRedis, DataFolder]
let right: ServerProcess
let wrong: ServerProcess[]

beforeAll(async () => {
  shared = await Promise.all([startPostgres(), startRedis(), dataFolder()])
  const [postgres, redis, folder] = shared
  const start = (seconds: number) =>
    startServerProcess({
      DATABASE_URL: postgres.urlOf('postgres'),
      REDIS_URL: redis.url,
      SECRET_KEY: 'a secret key for tests alone, 32 bytes or more',
      DATA_DIR: folder.path,
      ZOOM_CLIENT_ID: 'client',
      ZOOM_CLIENT_SECRET: 'secret',
      ...(seconds && { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_SECONDS: String(seconds) }),
    })
  right = await start(0)
  wrong = await Promise.all([start(600), start(-600)])
})
afterAll(async () => {
  await Promise.all([right, ...wrong].map((node) => node.kill('SIGKILL')))
  const [postgres, redis, folder] = shared
  await Promise.all([postgres.stop(), redis.stop(), folder.remove()])
})

test('servers whose clocks are ten minutes wrong accept what the others issue, and say that they are wrong', async () => {
  const nodes = [right, ...wrong]
  const made = await http(right, 'POST', '/admin/hosts/integrate', { token: await signInMaster(right), body: HOST })
  for (const one of nodes) {
    const { token } = (await http(one, 'POST', '/auth/host/login', { body: HOST })).body.data
    const { room_id } = (await http(one, 'GET', '/host/details', { token })).body
    const { sseUrl } = (await http(one, 'POST', '/mobile/sse-session', { token, body: { room_id } })).body
    for (const other of nodes) {
      expect((await http(other, 'GET', '/host/online-users', { token })).status).toBe(200)
      const stream = await openStream(`http://127.0.0.1:${other.port}${sseUrl}`)
      await stream.next('test')
      stream.close()
    }
  }

  const { token } = (await http(right, 'POST', '/auth/host/login', { body: HOST })).body.data
  await http(right, 'POST', '/host/users', { token, body: LAMP })
  const body = { ...LAMP, host_id: made.body.data.user_id, device_id: 'a phone', platform: 'android' }
  const phone = (await http(right, 'POST', '/mobile/login', { body })).body.data.token
  for (const one of nodes) {
    expect((await http(one, 'POST', '/mobile/status', { token: phone, body: {} })).status).toBe(200)
    for (const other of nodes) await eventually(() => expectOnline(other, token))
  }
  await eventually(() => expect(wrong[0]?.output()).toMatch(/clock is \d{3}\.\d s ahead of the database's/))
  await eventually(() => expect(wrong[1]?.output()).toMatch(/clock is \d{3}\.\d s behind the database's/))
})

async function expectOnline(node: ServerProcess, token: string): Promise<void> {
  const { body } = await http(node, 'GET', '/host/online-users', { token })
  expect(body.data.users).toMatchObject([{ username: LAMP.username, is_online: true }])
}
