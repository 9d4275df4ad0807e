import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aHost, aRoomUser, call, type TestHost } from '../test/build.ts'
import { startTestApp, type TestServer } from '../test/start.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let server: TestServer
let host: TestHost

beforeAll(async () => {
  server = await startTestApp({ now: () => now })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.truncate()
  host = await aHost(server)
})

test.each([
  [300, 'POST', '/host/users/bulk/mute', { userIds: ['00000000-0000-4000-8000-000000000000'] }],
  [120, 'POST', '/host/cleanup-stale-users', {}],
  [60, 'POST', '/host/users/import', { users: [{ username: 'amina', user_id: 'U000001', password: 'x' }] }],
  [120, 'GET', '/recordings?fetch_live=true', undefined],
] as const)(
  'SEC-84 after %i in a minute, %s %s is refused for the rest of it, to this host alone',
  async (count, method, path, body) => {
    const ask = (as = host) => call(server, method, path, { as, body })
    for (let n = 0; n < count; n++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused).toMatchObject({ status: 429, body: { success: false, code: 'too_many' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask(await aHost(server))).status).toBe(200)
    now += 60_001
    expect((await ask()).status).toBe(200)
  },
)

test('SEC-84 three tabs that poll for minutes are never told to wait', async () => {
  await aRoomUser(server, host)
  for (let n = 0; n < 1_500; n++) {
    now += 80
    const path = n % 2 === 0 ? '/host/users' : '/host/online-users'
    expect((await call(server, 'GET', path, { as: host })).status).toBe(200)
  }
})
