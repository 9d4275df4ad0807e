import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { countLockWaits } from '../../../test/servers/lock-waits.ts'
import { setup } from '../../../test/servers/setup.ts'

const NEW = 'seven green kettles'
const FIREFOX = {
  'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0 ${'x'.repeat(300)}`,
}

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setup({ now: () => now })

let host: TestHost
let master: SignedIn & { id: string; email: string }
beforeEach(async () => {
  now += 48 * HOUR_MS
  host = await buildHost(server, { username: `evening-${now}` })
  master = await buildMaster(server)
})

const ask = (as: SignedIn, path = '/account') => call(server, 'GET', path, { as })
const change = (as: SignedIn, current_password: string, new_password: string) =>
  call(server, 'POST', '/account/password', { as, body: { current_password, new_password } })
const login = (password: string) =>
  call(server, 'POST', '/auth/host/login', { body: { username: host.username, password }, headers: FIREFOX })
const listed = async (as: SignedIn) => (await ask(as, '/account/sessions')).body.data.sessions
const audited = async (action: string) =>
  (await server.deps.db.selectFrom('audit').selectAll().orderBy('seq').execute()).filter((row) => row.action === action)

describe('the own password', () => {
  test.each(['host', 'master'] as const)(
    'of a %s is changed by the current one, and other sessions end',
    async (role) => {
      const as = role === 'host' ? host : master
      const { db, sessions } = server.deps
      const who = { role, master_id: role === 'master' ? as.id : null, host_id: role === 'host' ? as.id : null }
      const other = { token: await sessions.open(db, { ...who, room_user_id: null }, '127.0.0.1') }
      const phone = await buildPhone(server, host, await buildRoomUser(server, host))
      expect((await ask(as)).body.data).toMatchObject({ user: { id: as.id, role }, password_changed_at: null })

      expect(await change(as, PASSWORD, NEW)).toMatchObject({
        status: 200,
        body: { success: true, message: 'Password changed. 1 other session was ended.' },
      })
      expect((await ask(as)).body.data.password_changed_at).toBe(new Date(now).toISOString())
      expect(await ask(other)).toMatchObject({ status: 401, body: { reason: 'password_changed' } })
      expect((await ask(phone, '/mobile/me')).status).toBe(200)
      const path = role === 'host' ? '/auth/host/login' : '/auth/master-login'
      const name = role === 'host' ? { username: host.username } : { email: master.email }
      const signIn = (password: string) => call(server, 'POST', path, { body: { ...name, password } })
      expect((await signIn(PASSWORD)).status).toBe(400)
      expect((await signIn(NEW)).status).toBe(200)
      const { host_id } = who
      expect(await audited('password_changed')).toMatchObject([
        { actor_role: role, actor_id: as.id, host_id, target: as.id, after: { sessions_ended: 1 } },
      ])
    },
  )

  test('stays with a wrong current one, which counts as a failed sign-in', async () => {
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await change(host, 'a guess', NEW)).toMatchObject({
        status: 400,
        body: { code: 'wrong_credentials', errors: [{ path: 'current_password' }] },
      })
    expect(await change(host, PASSWORD, NEW)).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect((await login(PASSWORD)).status).toBe(429)
    expect(await audited('confirm_failed')).toMatchObject([{ actor_id: host.id, target: host.id }])
    now += 15 * MINUTE_MS
    expect((await login(PASSWORD)).status).toBe(200)
  })

  test.each([
    ['too short', () => 'short 7', 'The password must have at least 8 characters'],
    ['too long', () => 'long '.repeat(205), 'At most 1,024 characters'],
    ['common', () => 'password1', 'This password is too common. Choose another.'],
    ['the username', () => host.username.toUpperCase(), 'The password must not be the username or the email address'],
    ['the email address', () => host.email, 'The password must not be the username or the email address'],
    ['the same', () => PASSWORD, 'This is the password that you have. Choose another.'],
  ])('is refused if it is %s', async (_what, chosen, msg) => {
    expect(await change(host, PASSWORD, chosen())).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: [{ path: 'new_password', msg: expect.stringContaining(msg) }] },
    })
    expect((await login(PASSWORD)).status).toBe(200)
  })

  test('cannot be changed twice from the same one at once', async () => {
    const answers = await Promise.all([change(host, PASSWORD, NEW), change(host, PASSWORD, 'nine blue teapots')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect((await change(host, PASSWORD, 'two red spoons')).status).toBe(400)
  })

  test('is nowhere in an answer, the audit or the log', async () => {
    const { body } = await change(host, PASSWORD, NEW)
    const rows = await server.deps.db.selectFrom('audit').selectAll().execute()
    const kept = await server.deps.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify([body, rows, kept])).not.toMatch(new RegExp(`${PASSWORD}|${NEW}`))
  })
})

describe('the own sessions', () => {
  test('are listed with device and address, the newest first, without ended ones and those of others', async () => {
    await openSession(server, host.id)
    await buildHost(server)
    await buildPhone(server, host, await buildRoomUser(server, host))
    now += 90 * MINUTE_MS
    const { token } = (await login(PASSWORD)).body.data
    expect(await listed({ token })).toMatchObject([
      {
        device: 'Firefox on Linux',
        ip: '127.0.0.1',
        signed_in_at: new Date(now).toISOString(),
        last_active_at: new Date(now).toISOString(),
        expires_at: new Date(now + 12 * HOUR_MS).toISOString(),
        is_current: true,
      },
      { device: null, is_current: false },
      { device: null, is_current: false },
    ])
    const { user_agent } = await server.deps.db
      .selectFrom('sessions')
      .select('user_agent')
      .where('user_agent', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(user_agent).toHaveLength(200)
    now += 31 * MINUTE_MS
    expect(await listed({ token })).toHaveLength(1) // the others are idle, though no job has ended them
  })

  test('keep the browser that takes one over by a link', async () => {
    const { body } = await call(server, 'POST', '/auth/claim', { as: host, headers: FIREFOX })
    expect(await listed(body)).toMatchObject([{ device: 'Firefox on Linux', is_current: true }])
  })

  test('end one by one, but the current one', async () => {
    const other = { token: await openSession(server, host.id) }
    const [{ id }, current] = await listed(host).then((all) =>
      all.toSorted((one: { is_current: boolean }) => (one.is_current ? 1 : -1)),
    )
    const end = (id: string, as: SignedIn = host) => call(server, 'DELETE', `/account/sessions/${id}`, { as })
    expect((await end(id, await buildHost(server))).status).toBe(404)
    expect((await end(id, master)).status).toBe(404)
    const message = 'This is the session that you are using. Use Log out to end it.'
    expect(await end(current.id)).toMatchObject({ status: 409, body: { code: 'conflict', message } })
    expect((await end('nothing')).status).toBe(404)
    expect((await ask(other)).status).toBe(200)
    expect(await end(id)).toMatchObject({ status: 200, body: { success: true, message: 'Session ended' } })
    expect(await ask(other)).toMatchObject({ status: 401, body: { reason: 'ended' } })
    expect((await end(id)).status).toBe(404)
    expect(await listed(host)).toHaveLength(1)
    expect(await audited('session_ended')).toMatchObject([{ actor_id: host.id, target: id }])
  })

  test('end all but the current one', async () => {
    const others = [{ token: await openSession(server, host.id) }, { token: await openSession(server, host.id) }]
    const endOthers = () => call(server, 'POST', '/account/sessions/end-others', { as: host })
    expect(await endOthers()).toMatchObject({ status: 200, body: { data: { ended: 2 } } })
    for (const other of others) expect(await ask(other)).toMatchObject({ status: 401, body: { reason: 'ended' } })
    expect(await endOthers()).toMatchObject({ status: 200, body: { data: { ended: 0 } } })
    expect((await ask(host)).status).toBe(200)
    expect(await audited('sessions_ended')).toMatchObject([{ after: { sessions_ended: 2 } }])
  })

  test.each([
    ['host', 'all others end', (as: SignedIn) => call(server, 'POST', '/account/sessions/end-others', { as })],
    ['master', 'all others end', (as: SignedIn) => call(server, 'POST', '/account/sessions/end-others', { as })],
    ['master', 'the password is changed', (as: SignedIn) => change(as, PASSWORD, NEW)],
  ] as const)('of a %s also end if one is handed over while %s', async (role, _what, endOthers) => {
    const as = role === 'host' ? host : master
    const { db, sessions } = server.deps
    const who = { role, master_id: role === 'master' ? as.id : null, host_id: role === 'host' ? as.id : null }
    const other = { token: await sessions.open(db, { ...who, room_user_id: null }, '127.0.0.1') }
    const answers = await db.transaction().execute(async (tx) => {
      await sql`lock table audit in exclusive mode`.execute(tx) // stops the hand-over when it has replaced the session
      const handedOver = call(server, 'POST', '/auth/claim', { as: other })
      await expect.poll(() => countLockWaits(db)).toBe(1)
      const ended = endOthers(as)
      await expect.poll(() => countLockWaits(db)).toBe(2)
      return { handedOver, ended }
    })
    const { token } = (await answers.handedOver).body
    expect((await answers.ended).status).toBe(200)
    expect((await ask({ token })).status).toBe(401)
    expect((await ask(as)).status).toBe(200)
  })
})
