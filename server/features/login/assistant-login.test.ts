import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openAssistantSession,
  PASSWORD,
  type SignedIn,
  type TestAssistant,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { addTotp, totpCode } from '../../../test/factories/second-factor.ts'
import { countLockWaits } from '../../../test/servers/lock-waits.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setup({ now: () => now })

let host: TestHost
let deputy: TestAssistant
let master: SignedIn
beforeEach(async () => {
  now += 48 * HOUR_MS
  host = await buildHost(server, { username: `evening-${now}` })
  deputy = await buildAssistant(server, host, 'moderator', 'Deputy')
  master = await buildMaster(server)
})

const login = (username: string, password = PASSWORD, from?: string) =>
  call(server, 'POST', '/auth/host/login', { body: { username, password }, ...(from && { from }) })
const reads = async (as: SignedIn) => (await call(server, 'GET', '/host/online-users', { as })).status
const editHost = (body: object) => call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body })
const audited = (action: string) =>
  server.deps.db
    .selectFrom('audit')
    .selectAll()
    .where('host_id', '=', host.id)
    .where('action', '=', action)
    .orderBy('seq')
    .execute()
const WRONG = { status: 400, body: { code: 'wrong_credentials', message: 'Invalid username or password' } }

test('ten wrong codes in an hour are all that an assistant has, also if the last two come at once', async () => {
  await addTotp(server, deputy)
  const challengeOf = async () => (await login(deputy.login_name)).body.second_factor.challenge
  const guess = (challenge: string) =>
    call(server, 'POST', '/auth/second-factor', { body: { challenge, code: '000000' } })
  for (const tries of [5, 4]) {
    const challenge = await challengeOf()
    for (let count = 0; count < tries; count++) expect((await guess(challenge)).status).toBe(400)
  }
  const challenges = [await challengeOf(), await challengeOf()]
  const { db } = server.deps
  const { answers } = await db.transaction().execute(async (tx) => {
    await sql`lock table second_factor_failures in exclusive mode`.execute(tx) // stops them when they have counted
    const answers = challenges.map(guess)
    await expect.poll(() => countLockWaits(db)).toBe(2)
    return { answers }
  })
  expect((await Promise.all(answers)).map(({ status }) => status).toSorted()).toEqual([400, 429])
})

describe('an assistant signs in by NAME@HOSTNAME', () => {
  test('however it is spelt, and gets its role and its host', async () => {
    for (const name of [
      deputy.login_name,
      deputy.login_name.toUpperCase(),
      `  ${deputy.login_name}`,
      `Deputy＠${host.username}`,
    ]) {
      const { status, body } = await login(name)
      expect({ name, status }).toEqual({ name, status: 200 })
      expect(body.data.user).toEqual({
        id: deputy.id,
        name: 'Deputy',
        username: deputy.login_name,
        role: 'moderator',
        host: { id: host.id, user_id: host.user_id, username: host.username, room_name: host.room_name },
      })
      expect(await reads(body.data)).toBe(200)
    }
    const rows = await audited('assistant_login')
    expect(rows).toHaveLength(4)
    expect(rows[0]).toMatchObject({ actor_role: 'assistant', actor_id: deputy.id, target: deputy.id })
    expect(rows[0]?.after).toEqual({ role: 'moderator' })
    const unchanged = await server.deps.db.selectFrom('hosts').selectAll().where('id', '=', host.id).execute()
    expect(unchanged).toMatchObject([{ login_time: null, last_login_ip: null }])
  })

  test('with nothing else', async () => {
    const { username } = host
    for (const name of [
      'Deputy',
      `@${username}`,
      `Deputy@`,
      `Deputy @${username}`,
      `Deputy@@${username}`,
      `other@${username}`,
    ])
      expect(await login(name), name).toMatchObject(WRONG)
    expect(await login(deputy.login_name, 'not the password')).toMatchObject(WRONG)
    expect(await login(username, PASSWORD)).toMatchObject({ status: 200, body: { data: { user: { role: 'host' } } } })
    expect(await audited('assistant_login_failed')).toMatchObject([{ actor_role: 'nobody', target: deputy.id }])
  })

  test("where no host has exactly that name: it would be that host's sign-in", async () => {
    const { db } = server.deps
    const other = await buildHost(server)
    const names = { username: deputy.login_name, username_key: deputy.login_name.toLowerCase() }
    await db.updateTable('hosts').set(names).where('id', '=', other.id).execute()
    expect(await login(deputy.login_name)).toMatchObject({ status: 200, body: { data: { user: { id: other.id } } } })
  })

  test('never before the invitation is used, nor after the removal', async () => {
    const { db } = server.deps
    const row = db.updateTable('assistants').where('id', '=', deputy.id)
    await row.set({ password_hash: null }).execute()
    expect(await login(deputy.login_name)).toMatchObject(WRONG)
    const again = await buildAssistant(server, host, 'manager', 'Second')
    await db
      .updateTable('assistants')
      .set({ removed_at: new Date(now) })
      .where('id', '=', again.id)
      .execute()
    expect(await login(again.login_name)).toMatchObject(WRONG)
  })

  test('under the new name of a host that was renamed', async () => {
    const username = `renamed-${now}`
    const message = `Host updated successfully. Its assistants sign in as NAME@${username} now.`
    expect(await editHost({ username })).toMatchObject({ status: 200, body: { message } })
    expect((await editHost({ username, mobile: '1' })).body.message).toBe('Host updated successfully')
    expect(await login(deputy.login_name)).toMatchObject(WRONG)
    expect(await login(`deputy@${username}`)).toMatchObject({ status: 200 })
  })

  test('with the guesses of all spellings counted together', async () => {
    const spellings = [deputy.login_name, deputy.login_name.toLowerCase(), `Deputy＠${host.username}`]
    for (let n = 0; n < 5; n++) expect(await login(spellings[n % 3] ?? '', 'a guess')).toMatchObject(WRONG)
    for (const name of spellings) expect(await login(name)).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect((await login(host.username)).status).toBe(200)
    now += MINUTE_MS
    const confirm = (password: string) => call(server, 'POST', '/account/confirm', { as: deputy, body: { password } })
    expect((await confirm(PASSWORD)).status).toBe(200)
    for (let n = 0; n < 5; n++) expect((await confirm('a guess')).status).toBe(400)
    expect(await login(deputy.login_name)).toMatchObject({ status: 429 })
  })
})

test('an assistant with a second factor shows it, and gets its own role', async () => {
  const { secret } = await addTotp(server, deputy)
  const { status, body } = await login(deputy.login_name)
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'second_factor_needed' })
  expect(await audited('assistant_login')).toEqual([])
  const { challenge } = body.second_factor
  const show = (code: string) => call(server, 'POST', '/auth/second-factor', { body: { challenge, code } })
  expect(await show('000000')).toMatchObject({ status: 400, body: { code: 'second_factor_wrong' } })
  const shown = await show(totpCode(secret, now))
  expect(shown).toMatchObject({
    status: 200,
    body: { user: { id: deputy.id, role: 'moderator', host: { id: host.id } } },
  })
  expect(await reads(shown.body)).toBe(200)
  expect((await call(server, 'GET', '/host/users', { as: shown.body })).status).toBe(403)
  expect(await audited('assistant_login')).toMatchObject([
    { actor_role: 'assistant', actor_id: deputy.id, after: { second_factor: 'totp', role: 'moderator' } },
  ])
  expect(await audited('second_factor_failed')).toMatchObject([{ target: deputy.id }])
  expect((await login(host.username)).status).toBe(200)
})

describe('the sessions of an assistant', () => {
  test("end with the host's cancellation, and none begins after it", async () => {
    expect(await reads(deputy)).toBe(200)
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
    expect(await call(server, 'GET', '/host/online-users', { as: deputy })).toMatchObject({
      status: 401,
      body: { reason: 'cancelled' },
    })
    expect(await login(deputy.login_name, 'a guess')).toMatchObject(WRONG)
    expect(await login(deputy.login_name)).toMatchObject({ status: 403, body: { code: 'subscription_cancelled' } })
    expect(await audited('assistant_login')).toEqual([])
    const refused = await audited('assistant_login_failed')
    expect(refused).toMatchObject([
      { after: null },
      { actor_id: deputy.id, after: { code: 'subscription_cancelled', role: 'moderator' } },
    ])
  })

  test("end with the host's deletion, and begin again after its restoration", async () => {
    await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })
    expect(await reads(deputy)).toBe(401)
    expect(await login(deputy.login_name)).toMatchObject(WRONG)
    await call(server, 'POST', `/admin/hosts/${host.id}/restore`, { as: master })
    expect(await reads(deputy)).toBe(401)
    expect(await login(deputy.login_name)).toMatchObject({ status: 200 })
  })

  test("go on when the host's password changes, and are no concern of the host's list", async () => {
    expect((await editHost({ password: 'six copper kettles' })).status).toBe(200)
    expect(await reads(host)).toBe(401)
    expect(await reads(deputy)).toBe(200)
    const own = await login(host.username, 'six copper kettles')
    const as = own.body.data
    const listed = await call(server, 'GET', '/account/sessions', { as })
    expect(listed.body.data.sessions).toHaveLength(1)
    const { body } = await call(server, 'POST', '/account/sessions/end-others', { as })
    expect(body.data.ended).toBe(0)
    const new_password = 'seven green kettles'
    const changed = await call(server, 'POST', '/account/password', {
      as,
      body: { current_password: 'six copper kettles', new_password },
    })
    expect(changed.status).toBe(200)
    expect(await reads(deputy)).toBe(200)
  })

  test('are at most twenty of each account', async () => {
    const tokens = [deputy]
    for (let n = 0; n < 20; n++) {
      now += MINUTE_MS
      tokens.push((await login(deputy.login_name)).body.data)
    }
    expect(await Promise.all(tokens.map(reads))).toEqual([401, ...Array(20).fill(200)])
    expect(await reads(host)).toBe(200)
  })
})

describe('the own account of an assistant', () => {
  const account = async (as: SignedIn) => (await call(server, 'GET', '/account', { as })).body.data
  const change = (new_password: string, current_password = PASSWORD) =>
    call(server, 'POST', '/account/password', { as: deputy, body: { current_password, new_password } })

  test('is its own, not that of its host', async () => {
    expect(await account(deputy)).toMatchObject({
      user: { id: deputy.id, role: 'moderator' },
      password_changed_at: null,
    })
    const { body } = await call(server, 'POST', '/auth/verify', { as: deputy })
    expect(body.user).toMatchObject({ id: deputy.id, host: { id: host.id } })
  })

  test("has a password of its own, whose change ends no session of the host's", async () => {
    const second = { token: await openAssistantSession(server, { id: deputy.id, role: 'moderator', host_id: host.id }) }
    const colleague = await buildAssistant(server, host, 'moderator')
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    for (const name of [deputy.login_name, 'DEPUTY']) expect((await change(name)).status).toBe(422)
    expect(await change('seven green kettles', 'a guess')).toMatchObject({ status: 400 })
    expect(await change('seven green kettles')).toMatchObject({
      status: 200,
      body: { message: 'Password changed. 1 other session was ended.' },
    })
    expect(await reads(second)).toBe(401)
    expect(await Promise.all([deputy, colleague, host].map(reads))).toEqual([200, 200, 200])
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).status).toBe(200)
    expect(await login(deputy.login_name)).toMatchObject(WRONG)
    expect(await login(deputy.login_name, 'seven green kettles')).toMatchObject({ status: 200 })
    expect(await login(host.username)).toMatchObject({ status: 200 })
    expect((await account(deputy)).password_changed_at).toBe(new Date(now).toISOString())
    expect(await audited('password_changed')).toMatchObject([{ actor_role: 'assistant', actor_id: deputy.id }])
  })

  test('lists and ends its own sessions alone', async () => {
    const { body } = await login(host.username)
    const listed = await call(server, 'GET', '/account/sessions', { as: deputy })
    expect(listed.body.data.sessions).toMatchObject([{ is_current: true }])
    const session = await server.deps.sessions.find(body.data.token)
    const end = (id?: string) => call(server, 'DELETE', `/account/sessions/${id}`, { as: deputy })
    expect((await end(session?.id)).status).toBe(404)
    const second = await login(deputy.login_name)
    const own = await server.deps.sessions.find(second.body.data.token)
    expect((await end(own?.id)).status).toBe(200)
    expect(await reads(second.body.data)).toBe(401)
    expect(await reads(body.data)).toBe(200)
  })

  test('is handed over and signed out under its own name', async () => {
    const { body } = await call(server, 'POST', '/auth/claim', { as: deputy })
    expect(body.user).toMatchObject({ id: deputy.id, role: 'moderator' })
    expect(await reads(deputy)).toBe(401)
    expect((await account(body)).confirmed_until).toBeNull()
    expect((await call(server, 'POST', '/auth/logout', { as: body })).status).toBe(200)
    expect(await reads(body)).toBe(401)
    const rows = [...(await audited('assistant_handed_over')), ...(await audited('assistant_logout'))]
    expect(rows).toMatchObject(Array(2).fill({ actor_id: deputy.id, after: { role: 'moderator' } }))
  })
})

test("a moderator's answers hold no passcode, and a manager's do", async () => {
  const manager = await buildAssistant(server, host, 'manager')
  const room = async (as: SignedIn) => (await call(server, 'GET', '/host/room', { as })).body.data.room
  expect(await room(manager)).toEqual({ ...(await room(host)), server_time: expect.any(String) })
  expect(Object.keys(await room(manager))).toContain('password')
  expect(Object.keys(await room(deputy))).not.toContain('password')
})

test.each(['activate', 'deactivate', 'delete', 'switch', 'nonsense'])(
  'a moderator may not %s many users, whatever the body holds',
  async (action) => {
    const { id } = await buildRoomUser(server, host)
    const act = (as: SignedIn, body: object) => call(server, 'POST', `/host/users/bulk/${action}`, { as, body })
    expect(await act(deputy, { userIds: [id] })).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
    expect(await act(deputy, {})).toMatchObject({ status: 403 })
    const user = await call(server, 'GET', `/host/users/${id}`, { as: host })
    expect(user.body.data.user).toMatchObject({ is_active: true })
    expect(await audited('access_refused')).toMatchObject([{ actor_role: 'assistant', actor_id: deputy.id }])
  },
)
