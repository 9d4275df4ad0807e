import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DataFolder, dataFolder, http, type ServerProcess, startServerProcess } from '../servers/server-process.ts'

const env = { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'canary-zoom-client-secret', LOG_LEVEL: 'trace' }
let folder: DataFolder
let server: ServerProcess
let master: { email: string; password: string }
const canaries: string[] = [env.ZOOM_CLIENT_SECRET]

beforeAll(async () => {
  folder = await dataFolder()
  server = await startServerProcess({ ...env, DATA_DIR: folder.path, MASTER_EMAIL: '', MASTER_PASSWORD: '' })
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await folder.remove()
})

function canary(name: string): string {
  const text = `canary-${name}-${Math.random().toString(36).slice(2)}`
  canaries.push(text)
  return text
}

const post = (path: string, body: unknown, token?: string) =>
  http(server, 'POST', path, { body, ...(token !== undefined && { token }) })

async function readFirstMaster() {
  await expect.poll(() => server.output()).toMatch(/The first master was created/)
  const [email = '', password = ''] = (await readFile(join(folder.path, 'first-master'), 'utf8')).split('\n')
  return { email, password }
}

test("generates the first master's password, which its owner alone can read, until it is used", async () => {
  master = await readFirstMaster()
  canaries.push(master.password)
  expect(master.password.length).toBeGreaterThanOrEqual(16)
  expect((await stat(join(folder.path, 'first-master'))).mode & 0o777).toBe(0o600)
  expect(server.output()).not.toContain(master.password)
  for (const guess of ['admin', 'password', 'parley-demo-master'])
    expect((await post('/auth/master-login', { ...master, password: `${guess}12345` })).status).toBe(400)
  expect((await stat(join(folder.path, 'first-master'))).size).toBeGreaterThan(0)
  expect((await post('/auth/master-login', master)).status).toBe(200)
  await expect(stat(join(folder.path, 'first-master'))).rejects.toThrow('ENOENT')
})

test('no log contains a password, token or ticket, and no file a readable one', async () => {
  const { token: masterToken } = (await post('/auth/master-login', master)).body
  const hostPassword = canary('host')
  const host = { username: 'ana', email: 'ana@example.com', password: hostPassword, subscription_type: 12 }
  const made = await post('/admin/hosts/integrate', host, masterToken)
  const token = (await post('/auth/host/login', host)).body.data.token
  await post('/auth/host/login', { username: 'ana', password: canary('guess') })
  await post('/auth/host/login', { username: canary('typed-in-the-wrong-field'), password: 'lamp' })
  await post('/auth/host/login', { username: 'a\r\n{"level":60,"msg":"forged"}\u001b[31m', password: 'lamp' })

  const user = { username: 'bo', user_id: 'U000001', password: canary('user') }
  const { id } = (await post('/host/users', user, token)).body.data.user
  expect((await post(`/host/users/${id}/credentials`, {}, token)).body.data.password).toBe(user.password)
  await http(server, 'PUT', '/host/app-info', { token, body: { password: canary('app') } })
  const phone = await post('/mobile/login', {
    host_id: made.body.data.user_id,
    username: 'bo',
    password: user.password,
    device_id: 'one',
    device_secret: canary('device'),
    platform: 'android',
  })
  const { url } = (await post(`/host/users/${id}/sign-in-link`, {}, token)).body.data
  const byLink = (link_token: string) => {
    const device = { device_id: 'one', device_secret: phone.body.data.device_secret, platform: 'web' }
    return post('/mobile/link-login', { host_id: made.body.data.user_id, link_token, ...device })
  }
  expect((await byLink(canary('link'))).status).toBe(400)
  const linkToken = url.split('#link=')[1]
  const linked = await byLink(linkToken)
  const { room_id } = (await http(server, 'GET', '/host/details', { token })).body
  const ticket = (await post('/mobile/sse-session', { room_id }, token)).body
  await fetch(`http://127.0.0.1:${server.port}${ticket.sseUrl}`).then((answer) => answer.body?.cancel())
  await fetch(`http://127.0.0.1:${server.port}/host/dashboard?auth_token=${canary('handed-over')}`)
  canaries.push(
    linkToken,
    linked.body.data.token,
    masterToken,
    token,
    phone.body.data.token,
    phone.body.data.device_secret,
    ticket.sessionId,
  )

  await server.kill('SIGTERM')
  const log = server.output()
  for (const text of canaries) expect(log, text.slice(0, 24)).not.toContain(text)
  const lines = log.split('\n').filter((line) => line.startsWith('{'))
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  expect(lines.filter((line) => JSON.parse(line).msg === 'forged')).toEqual([])

  for (const path of await filesIn(folder.path)) {
    const bytes = await readFile(path)
    for (const text of canaries) expect(bytes.includes(text), `${path} ${text.slice(0, 24)}`).toBe(false)
  }
})

async function filesIn(path: string): Promise<string[]> {
  const names = await readdir(path, { recursive: true })
  const paths = names.map((name) => join(path, name))
  const kinds = await Promise.all(paths.map((one) => stat(one)))
  return paths.filter((_, index) => kinds[index]?.isFile())
}
