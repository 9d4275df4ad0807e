import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../shared/dates.ts'
import {
  buildHost,
  buildMaster,
  call,
  openSession,
  PASSWORD,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setup({ now: () => now })

let master: SignedIn & { id: string; email: string }
let host: TestHost
beforeEach(async () => {
  now += 60 * MINUTE_MS
  master = await buildMaster(server)
  host = await buildHost(server)
})

const confirm = (as: SignedIn, body: object = { password: PASSWORD }) =>
  call(server, 'POST', '/account/confirm', { as, body })
const confirmedUntil = async (as: SignedIn) => (await call(server, 'GET', '/account', { as })).body.data.confirmed_until
const deleteHost = (headers = {}) => call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master, headers })
const editHost = (body: object) => call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body })
const NEEDED = { status: 403, body: { code: 'confirm_needed', confirm: { methods: ['password'] } } }

describe('an act that needs a confirmation', () => {
  test('is done for 15 minutes after the sign-in, then after a confirmation', async () => {
    expect(await confirmedUntil(master)).toBe(new Date(now + 15 * MINUTE_MS).toISOString())
    now += 15 * MINUTE_MS - 1
    expect((await editHost({ password: 'a better one' })).status).toBe(200)
    now += 1
    expect(await confirmedUntil(master)).toBeNull()
    expect(await editHost({ password: 'a third one' })).toMatchObject(NEEDED)
    expect(await deleteHost()).toMatchObject(NEEDED)
    expect(await call(server, 'POST', `/admin/hosts/${host.id}/purge`, { as: master })).toMatchObject(NEEDED)

    const until = new Date(now + 15 * MINUTE_MS).toISOString()
    expect(await confirm(master)).toMatchObject({
      status: 200,
      body: { success: true, data: { confirmed_until: until } },
    })
    expect(await confirmedUntil(master)).toBe(until)
    expect((await deleteHost()).status).toBe(200)
    const actions = await server.deps.db.selectFrom('audit').selectAll().where('action', '=', 'confirmed').execute()
    expect(actions).toMatchObject([{ actor_role: 'master', actor_id: master.id, target: master.id }])
  })

  test('takes effect under the key of its refusal, and once', async () => {
    now += 15 * MINUTE_MS
    const key = { 'idempotency-key': `delete ${host.id}` }
    expect(await deleteHost(key)).toMatchObject(NEEDED)
    await confirm(master)
    const first = await deleteHost(key)
    expect(first.status).toBe(200)
    expect(await deleteHost(key)).toMatchObject({ status: 200, body: first.body })
  })

  test('of a host without a new password needs none', async () => {
    now += 15 * MINUTE_MS
    expect((await editHost({ mobile: '+49 170 1', password: '' })).status).toBe(200)
  })

  test('is not done by a session that was handed over', async () => {
    const { body } = await call(server, 'POST', '/auth/claim', { as: master })
    const claimed = { token: body.token }
    expect(await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: claimed })).toMatchObject(NEEDED)
    expect((await confirm(claimed)).status).toBe(200)
    expect((await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: claimed })).status).toBe(200)
  })

  test('is done though the confirmation happened at another server', async () => {
    now += 15 * MINUTE_MS
    expect(await deleteHost()).toMatchObject(NEEDED)
    const ownSessions = server.deps.db.updateTable('sessions').where('master_id', '=', master.id)
    await ownSessions.set({ confirmed_at: new Date(now) }).execute()
    expect((await deleteHost()).status).toBe(200)
  })
})

describe('a confirmation', () => {
  test('with a wrong password counts as a failed sign-in', async () => {
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await confirm(host, { password: 'a guess' })).toMatchObject({
        status: 400,
        body: { code: 'wrong_credentials', errors: [{ path: 'password' }] },
      })
    expect(await confirm(host)).toMatchObject({ status: 429, body: { code: 'too_many' } })
    const login = { username: host.username, password: PASSWORD }
    expect((await call(server, 'POST', '/auth/host/login', { body: login })).status).toBe(429)
  })

  test('is held up by nobody who types wrong passwords at the sign-in', async () => {
    const login = { username: host.username, password: 'a guess' }
    const guess = (from: string) => call(server, 'POST', '/auth/host/login', { body: login, from })
    for (let n = 0; n < 105; n++) await guess(n < 5 ? '127.0.0.1' : `10.0.${n}.1`)
    expect((await guess('10.1.0.1')).status).toBe(429)
    expect((await confirm(host)).status).toBe(200)
    const elsewhere = { as: host, body: { password: PASSWORD }, from: '10.2.0.1' }
    expect((await call(server, 'POST', '/account/confirm', elsewhere)).status).toBe(200)
    const change = { current_password: PASSWORD, new_password: 'seven green kettles' }
    expect((await call(server, 'POST', '/account/password', { as: host, body: change })).status).toBe(200)
  })

  test('is of one session alone', async () => {
    const other = { token: await openSession(server, host.id) }
    now += 15 * MINUTE_MS
    await confirm(host)
    expect(await confirmedUntil(host)).not.toBeNull()
    expect(await confirmedUntil(other)).toBeNull()
  })

  test.each([[{}], [{ password: '' }], [{ password: 7 }], [{ password: 'x'.repeat(1025) }], [[]]])(
    'needs a password: %j',
    async (body) => {
      expect((await confirm(host, body)).status).toBe(422)
    },
  )

  test('has no passkey to offer yet', async () => {
    const { body } = await call(server, 'POST', '/account/confirm/options', { as: host })
    expect(body).toEqual({ success: true, data: { passkey_options: null } })
  })
})
