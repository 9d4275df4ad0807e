import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, PASSWORD } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
})

const hostLogin = (username: unknown, password: unknown) =>
  call(server, 'POST', '/auth/host/login', { body: { username, password } })

describe('POST /api/auth/host/login', () => {
  test('returns a valid token, whatever the case of the username', async () => {
    const host = await buildHost(server)
    const login = await hostLogin(host.username.toUpperCase(), PASSWORD)
    expect(login).toMatchObject({ status: 200, body: { success: true, data: { user: { id: host.id, role: 'host' } } } })

    const verified = await call(server, 'POST', '/auth/verify', { as: login.body.data })
    expect(verified).toMatchObject({ status: 200, body: { success: true, user: { id: host.id } } })
  })

  test('refuses a wrong password and an unknown username in the same way', async () => {
    const host = await buildHost(server)
    const wrong = await hostLogin(host.username, 'not this')
    const unknown = await hostLogin('nobody', 'not this')
    expect(wrong.status).toBe(400)
    expect(wrong.body).toEqual(unknown.body)
    expect(wrong.body).toMatchObject({ success: false, code: 'wrong_credentials' })
  })

  test.each([
    ['', 'x', 'username', 'Username is required'],
    ['ana', '', 'password', 'Password is required'],
    [undefined, 'x', 'username', 'Username is required'],
    [7, 'x', 'username', 'Username is required'],
  ])('names the missing field of %j and %j', async (username, password, path, msg) => {
    const refused = await hostLogin(username, password)
    expect(refused).toMatchObject({ status: 422, body: { success: false, errors: [{ path, msg }] } })
  })

  test('reports a cancelled subscription only after the right password', async () => {
    const host = await buildHost(server)
    const master = await buildMaster(server)
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
    expect((await hostLogin(host.username, 'not this')).body.code).toBe('wrong_credentials')
    expect(await hostLogin(host.username, PASSWORD)).toMatchObject({
      status: 403,
      body: { code: 'subscription_cancelled' },
    })
  })

  test('slows down after a few failures, without revealing whether the account exists', async () => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push((await hostLogin('nobody', 'guess')).status)
    expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400])
    expect(statuses.slice(5)).toContain(429)
    const refused = await hostLogin('nobody', 'guess')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('POST /api/auth/master-login', () => {
  test('returns a token that carries adminId and the role', async () => {
    const master = await buildMaster(server)
    const login = await call(server, 'POST', '/auth/master-login', {
      body: { email: master.email, password: PASSWORD },
    })
    expect(login).toMatchObject({ status: 200, body: { success: true, user: { role: 'master', email: master.email } } })
    const payload = JSON.parse(Buffer.from(login.body.token.split('.')[1], 'base64url').toString())
    expect(payload).toMatchObject({ adminId: master.id, role: 'master' })
  })

  test('requires something that looks like an e-mail address', async () => {
    const refused = await call(server, 'POST', '/auth/master-login', { body: { email: 'ana', password: PASSWORD } })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'email', msg: 'Invalid email address' }] } })
  })
})

describe('a session', () => {
  test('ends at logout, and its token is refused', async () => {
    const host = await buildHost(server)
    expect((await call(server, 'POST', '/auth/host/logout', { as: host })).status).toBe(200)
    expect(await call(server, 'GET', '/host/users', { as: host })).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    })
  })

  test('ends when the master changes the password, deletes the host or cancels its subscription', async () => {
    const master = await buildMaster(server)
    const acts = [
      (id: string) => call(server, 'PUT', `/admin/hosts/${id}`, { as: master, body: { password: 'another one' } }),
      (id: string) => call(server, 'DELETE', `/admin/hosts/${id}`, { as: master }),
      (id: string) => call(server, 'POST', `/admin/hosts/${id}/cancel-subscription`, { as: master }),
    ]
    for (const act of acts) {
      const host = await buildHost(server)
      expect((await call(server, 'GET', '/host/profile', { as: host })).status).toBe(200)
      expect((await act(host.id)).status).toBe(200)
      expect((await call(server, 'GET', '/host/profile', { as: host })).status).toBe(401)
    }
  })

  test('ends after two hours with only polls, and after twelve hours in any case', async () => {
    const idle = await buildHost(server)
    for (let minute = 0; minute < 120; minute += 10) {
      now += 10 * 60_000
      expect((await call(server, 'GET', '/host/online-users', { as: idle })).status).toBe(200)
    }
    now += 60_000
    expect((await call(server, 'GET', '/host/online-users', { as: idle })).status).toBe(401)

    const busy = await buildHost(server)
    for (let hour = 0; hour < 11; hour++) {
      now += 3_600_000
      expect((await call(server, 'GET', '/host/profile', { as: busy })).status).toBe(200)
    }
    now += 3_600_000 + 1
    expect((await call(server, 'GET', '/host/profile', { as: busy })).status).toBe(401)
  })

  test('is stored as used once a minute', async () => {
    const used = await buildHost(server)
    const lastUsed = () =>
      server.deps.db.selectFrom('sessions').select('last_active_at').where('host_id', '=', used.id).executeTakeFirst()
    const first = await lastUsed()
    now += 59_000
    expect((await call(server, 'GET', '/host/profile', { as: used })).status).toBe(200)
    expect(await lastUsed()).toEqual(first)
    now += 1_000
    expect((await call(server, 'GET', '/host/profile', { as: used })).status).toBe(200)
    await expect.poll(lastUsed).toEqual({ last_active_at: new Date(now) })
  })

  test.each([
    ['no token', ''],
    ['a made-up one', 'Bearer abc.def.ghi'],
    ['an unsigned one', `Bearer ${unsigned({ adminId: 'x', role: 'master', sid: 'x' })}`],
  ])("gives no access to a master's routes with %s", async (_name, authorization) => {
    const refused = await call(server, 'GET', '/admin/hosts', { headers: { authorization } })
    expect(refused).toMatchObject({ status: 401, body: { success: false, code: 'not_signed_in' } })
  })

  test('is refused when one byte of its token differs', async () => {
    const { token } = await buildMaster(server)
    const changed = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`
    expect((await call(server, 'GET', '/admin/hosts', { as: { token: changed } })).status).toBe(401)
  })
})

test("hosts and masters cannot use each other's routes", async () => {
  const host = await buildHost(server)
  const master = await buildMaster(server)
  expect((await call(server, 'GET', '/admin/hosts', { as: host })).status).toBe(403)
  expect((await call(server, 'GET', '/host/users', { as: master })).status).toBe(403)
})

function unsigned(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`
}
