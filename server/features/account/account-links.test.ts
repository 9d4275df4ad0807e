import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
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
import { addTotp } from '../../../test/factories/second-factor.ts'
import { setup } from '../../../test/servers/setup.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'
import { makeAccountLink } from '../auth/account-links.ts'
import { clearAccountLinks } from '../auth/jobs.ts'

const NEW = 'seven green kettles'

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setup({ now: () => now })

let host: TestHost
let master: SignedIn & { id: string; email: string }
beforeEach(async () => {
  now += 48 * HOUR_MS
  host = await buildHost(server, { username: `evening-${now}` })
  master = await buildMaster(server)
})

const look = (token: string, from?: string) =>
  call(server, 'POST', '/auth/links/look', { body: { token }, ...(from && { from }) })
const use = (token: string, password = NEW, from?: string) =>
  call(server, 'POST', '/auth/links/use', { body: { token, password }, ...(from && { from }) })
const makeLink = (body?: object, as: SignedIn = master, id = host.id) =>
  call(server, 'POST', `/admin/hosts/${id}/reset-link`, { as, ...(body && { body }) })
const tokenIn = (made: Awaited<ReturnType<typeof makeLink>>): string => made.body.data.url.split('#')[1]
const login = (password: string) =>
  call(server, 'POST', '/auth/host/login', { body: { username: host.username, password } })
const loginMaster = (email: string, password: string) =>
  call(server, 'POST', '/auth/master-login', { body: { email, password } })
const audited = async (action: string) =>
  (await server.deps.db.selectFrom('audit').selectAll().orderBy('seq').execute()).filter((row) => row.action === action)
const stored = () => server.deps.db.selectFrom('account_links').selectAll().execute()
const INVALID = { status: 400, body: { code: 'link_invalid' } }

/** Makes a link without a call of its own, and returns its token. */
async function linkFor(link: Parameters<typeof makeAccountLink>[3]): Promise<string> {
  const by = { role: 'master' as const, id: master.id, host_id: null, ip: '127.0.0.1', session_id: null }
  const { url } = await server.deps.db.transaction().execute((tx) => makeAccountLink(server.deps, tx, by, link))
  return url.split('#')[1] ?? ''
}

test('the link of a master is of no use at the host site, which the master site may be guarded from', async () => {
  const token = await linkFor({ purpose: 'master_reset', account: { master_id: master.id } })
  const send = (path: string, host: string) =>
    call(server, 'POST', `/auth/links/${path}`, { body: { token, password: NEW }, headers: { host } })
  for (const path of ['look', 'use']) expect(await send(path, 'host.localhost:3000')).toMatchObject(INVALID)
  expect((await send('look', 'master.localhost:3000')).status).toBe(200)
  const ofHost = tokenIn(await makeLink())
  const headers = { host: 'host.localhost:3000' }
  expect((await call(server, 'POST', '/auth/links/look', { body: { token: ofHost }, headers })).status).toBe(200)
  expect((await send('use', 'master.localhost:3000')).status).toBe(200)
})

describe('the reset link of a host', () => {
  test('is made by a master, valid for 24 hours, and stored as a hash', async () => {
    const made = await makeLink({ remove_second_factor: true, send_mail: true })
    const expires_at = new Date(now + DAY_MS).toISOString()
    expect(made).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        data: {
          url: expect.stringMatching(/^http:\/\/host\.localhost:3000\/link#[\w-]{43}$/),
          expires_at,
          mailed: false,
        },
      },
    })
    expect(await stored()).toMatchObject([
      { purpose: 'host_reset', host_id: host.id, token_hash: sha256(tokenIn(made)) },
    ])
    const rows = await server.deps.db.selectFrom('audit').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(tokenIn(made))
    expect(await audited('reset_link_made')).toMatchObject([
      { actor_id: master.id, host_id: host.id, target: host.id, after: { expires_at, removes_second_factor: true } },
    ])
    expect(await look(tokenIn(made))).toMatchObject({
      status: 200,
      body: { data: { purpose: 'host_reset', account: host.username, removes_second_factor: true, expires_at } },
    })
    expect((await login(PASSWORD)).status).toBe(200)
  })

  test('sets the password, ends the console sessions, and signs nobody in', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    const other = { token: await openSession(server, host.id) }
    const token = tokenIn(await makeLink())
    const used = await use(token)
    expect(used).toMatchObject({ status: 200, body: { success: true, message: 'Password set. Please sign in.' } })
    expect(Object.keys(used.body)).toEqual(['success', 'message'])
    for (const ended of [host, other])
      expect(await call(server, 'GET', '/account', { as: ended })).toMatchObject({
        status: 401,
        body: { reason: 'reset' },
      })
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).status).toBe(200)
    expect((await login(PASSWORD)).status).toBe(400)
    const { token: signedIn } = (await login(NEW)).body.data
    const { password_changed_at } = (await call(server, 'GET', '/account', { as: { token: signedIn } })).body.data
    expect(password_changed_at).toBe(new Date(now).toISOString())
    expect(await audited('password_reset')).toMatchObject([
      { actor_role: 'host', actor_id: host.id, host_id: host.id, target: host.id, after: { sessions_ended: 2 } },
    ])
    expect(await use(token, 'nine blue teapots')).toMatchObject(INVALID)
    expect(await look(token)).toMatchObject(INVALID)
    expect(await stored()).toEqual([])
  })

  test.each([
    ['too short', () => 'short 7', 'at least 8 characters'],
    ['too long', () => 'long '.repeat(205), 'At most 1,024 characters'],
    ['common', () => 'password1', 'too common'],
    ['the username', () => host.username.toUpperCase(), 'must not be the username'],
    ['the email address', () => host.email, 'must not be the username or the email address'],
    ['the same', () => PASSWORD, 'the password that you have'],
  ])('stays valid after a password that is %s', async (_what, password, msg) => {
    const token = tokenIn(await makeLink())
    expect(await use(token, password())).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: [{ path: 'password', msg: expect.stringContaining(msg) }] },
    })
    expect((await call(server, 'GET', '/account', { as: host })).status).toBe(200)
    expect((await use(token)).status).toBe(200)
  })

  test.each([
    [true, 200, 1],
    [false, 403, 0],
  ])('removes the second factor only if its maker said so: %s', async (remove_second_factor, status, resets) => {
    await addTotp(server, host)
    expect((await use(tokenIn(await makeLink({ remove_second_factor })))).status).toBe(200)
    expect((await login(NEW)).status).toBe(status)
    expect(await audited('second_factor_reset')).toHaveLength(resets)
  })

  test('works once, also for two at once', async () => {
    const token = tokenIn(await makeLink())
    const answers = await Promise.all([use(token), use(token, 'nine blue teapots')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await audited('password_reset')).toHaveLength(1)
  })

  test('is void once there is a newer one', async () => {
    const [first, second] = [tokenIn(await makeLink()), tokenIn(await makeLink())]
    expect(await look(first)).toMatchObject(INVALID)
    expect((await look(second)).status).toBe(200)
  })

  test('is one, also if two masters make it at once', async () => {
    const made = await Promise.all([makeLink(), makeLink({}, await buildMaster(server))])
    expect(made.map(({ status }) => status)).toEqual([200, 200])
    const looks = await Promise.all(made.map((one) => look(tokenIn(one))))
    expect(looks.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('runs out', async () => {
    const token = tokenIn(await makeLink())
    now += DAY_MS - 1
    expect((await look(token)).status).toBe(200)
    expect(await clearAccountLinks.run(server.deps)).toBe(0)
    now += 1
    expect(await look(token)).toMatchObject(INVALID)
    expect(await use(token)).toMatchObject(INVALID)
    now += 1
    expect(await clearAccountLinks.run(server.deps)).toBe(1)
    expect(await stored()).toEqual([])
  })

  test.each([
    [
      'its owner changes the password',
      () =>
        call(server, 'POST', '/account/password', {
          as: host,
          body: { current_password: PASSWORD, new_password: NEW },
        }),
    ],
    [
      'a master sets the password',
      () => call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body: { password: NEW } }),
    ],
    [
      'the host is cancelled',
      () => call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master }),
    ],
    [
      'the host is cancelled by an edit',
      () => call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body: { subscription_status: 'cancelled' } }),
    ],
    ['the host is deleted', () => call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })],
  ])('is void once %s', async (_when, act) => {
    const token = tokenIn(await makeLink())
    const others = tokenIn(await makeLink({}, master, (await buildHost(server)).id))
    expect((await act()).status).toBe(200)
    expect(await use(token, 'nine blue teapots')).toMatchObject(INVALID)
    expect((await look(others)).status).toBe(200)
  })

  test('stays valid when a master edits something else', async () => {
    const token = tokenIn(await makeLink())
    await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body: { mobile: '1234' } })
    expect((await look(token)).status).toBe(200)
  })

  test('is not made for an unknown, deleted or cancelled host', async () => {
    expect((await makeLink({}, master, crypto.randomUUID())).status).toBe(404)
    expect((await makeLink({}, master, 'nobody')).status).toBe(404)
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
    expect(await makeLink()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })
    expect((await makeLink()).status).toBe(404)
    expect(await stored()).toEqual([])
  })

  test('is made by masters alone, with flags that are yes or no', async () => {
    expect((await makeLink({}, host)).status).toBe(403)
    expect((await call(server, 'POST', `/admin/hosts/${host.id}/reset-link`)).status).toBe(401)
    for (const body of [{ remove_second_factor: 'yes' }, { send_mail: 1 }])
      expect((await makeLink(body)).status).toBe(422)
    expect(await stored()).toEqual([])
  })

  test('needs a fresh confirmation', async () => {
    now += 16 * MINUTE_MS
    expect(await makeLink()).toMatchObject({ status: 403, body: { code: 'confirm_needed' } })
    expect(await stored()).toEqual([])
    await call(server, 'POST', '/account/confirm', { as: master, body: { password: PASSWORD } })
    expect((await makeLink()).status).toBe(200)
  })

  test('is not kept for a repeat of its call', async () => {
    const headers = { 'idempotency-key': 'the same' }
    const path = `/admin/hosts/${host.id}/reset-link`
    const first = await call(server, 'POST', path, { as: master, headers })
    expect(await call(server, 'POST', path, { as: master, headers })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await look(tokenIn(first))).status).toBe(200)
    const kept = await server.deps.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(kept).toMatchObject([{ response_ciphertext: null }])
  })

  test('is made sixty times a minute', async () => {
    for (let made = 0; made < 60; made++) expect((await makeLink()).status).toBe(200)
    expect(await makeLink()).toMatchObject({ status: 429, body: { code: 'too_many' } })
  })
})

describe('a token', () => {
  test('that is wrong counts as a wrong password of its address', async () => {
    const token = tokenIn(await makeLink())
    for (let guess = 0; guess < 20; guess++)
      expect(await (guess % 2 ? use(randomToken()) : look(randomToken()))).toMatchObject(INVALID)
    expect((await look(randomToken())).status).toBe(429)
    expect((await login('a guess')).status).toBe(429)
    expect((await look(token)).status).toBe(200) // a right one is admitted
    expect((await look(randomToken(), '198.51.100.7')).status).toBe(400)
    now += MINUTE_MS
    expect((await look(randomToken())).status).toBe(400)
  })

  test('is looked at though others at its address look at wrong ones and at theirs', async () => {
    const token = tokenIn(await makeLink())
    const other = await buildHost(server)
    const others = tokenIn(await makeLink({}, master, other.id))
    for (let looked = 0; looked < 61; looked++) await look(others)
    expect((await look(others)).status).toBe(429)
    for (let looked = 0; looked < 61; looked++) await look(randomToken())
    expect((await look(token)).status).toBe(200)
  })

  test('is looked at sixty times by one address, and then once a second', async () => {
    const token = tokenIn(await makeLink())
    for (let looked = 0; looked < 60; looked++) expect((await look(token)).status).toBe(200)
    expect(await look(token)).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect((await look(token, '198.51.100.7')).status).toBe(200)
    now += 1_000
    expect((await look(token)).status).toBe(200)
  })

  test('admits twenty passwords at once, from wherever', async () => {
    const token = tokenIn(await makeLink())
    for (let tried = 0; tried < 20; tried++)
      expect((await use(token, 'password1', `198.51.100.${tried}`)).status).toBe(422)
    expect(await use(token)).toMatchObject({ status: 429, body: { code: 'too_many' } })
    now += MINUTE_MS
    expect((await use(token)).status).toBe(200)
  })

  test.each([{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(129) }, { token: ['x'] }, null])(
    'is refused as %j',
    async (body) => {
      expect((await call(server, 'POST', '/auth/links/look', { body })).status).toBe(422)
      expect((await call(server, 'POST', '/auth/links/use', { body: body && { ...body, password: NEW } })).status).toBe(
        422,
      )
    },
  )

  test('needs a password', async () => {
    const token = tokenIn(await makeLink())
    for (const password of [undefined, null, '', 12345678, ['seven green kettles']])
      expect((await call(server, 'POST', '/auth/links/use', { body: { token, password } })).status).toBe(422)
    expect((await look(token)).status).toBe(200)
  })
})

describe('the link of a master', () => {
  test('sets a new password and ends the sessions', async () => {
    const other = await buildMaster(server)
    const token = await linkFor({ purpose: 'master_reset', account: { master_id: master.id } })
    expect((await look(token)).body.data).toMatchObject({ purpose: 'master_reset', account: master.email })
    expect((await use(token, master.email)).status).toBe(422)
    expect((await use(token, PASSWORD)).status).toBe(422)
    expect((await use(token)).status).toBe(200)
    expect(await call(server, 'GET', '/account', { as: master })).toMatchObject({
      status: 401,
      body: { reason: 'reset' },
    })
    expect((await call(server, 'GET', '/account', { as: other })).status).toBe(200)
    expect((await loginMaster(master.email, NEW)).status).toBe(200)
    expect(await audited('password_reset')).toMatchObject([
      { actor_role: 'master', actor_id: master.id, host_id: null },
    ])
  })

  test('is void once its owner changes the password', async () => {
    const token = await linkFor({ purpose: 'master_reset', account: { master_id: master.id } })
    await call(server, 'POST', '/account/password', {
      as: master,
      body: { current_password: PASSWORD, new_password: NEW },
    })
    expect(await look(token)).toMatchObject(INVALID)
  })

  test('makes a master of who is invited', async () => {
    const email = `Ana-${now}@parley.example`
    const token = await linkFor({ purpose: 'master_invite', account: { email, full_name: 'Ana Lima' } })
    expect((await look(token)).body.data).toMatchObject({
      purpose: 'master_invite',
      account: email,
      expires_at: new Date(now + 7 * DAY_MS).toISOString(),
    })
    expect((await use(token, email.toUpperCase())).status).toBe(422)
    expect((await use(token)).status).toBe(200)
    expect((await loginMaster(email.toLowerCase(), NEW)).body.user).toMatchObject({ email, full_name: 'Ana Lima' })
    const [joined] = await audited('master_joined')
    expect(joined).toMatchObject({ actor_role: 'master', after: { email, full_name: 'Ana Lima' } })
    expect(joined?.target).toBe(joined?.actor_id)
    expect(await use(token)).toMatchObject(INVALID)
  })

  test('makes no second one of an address that has become a master meanwhile', async () => {
    const token = await linkFor({ purpose: 'master_invite', account: { email: master.email, full_name: null } })
    expect(await use(token)).toMatchObject(INVALID)
    expect((await loginMaster(master.email, PASSWORD)).status).toBe(200)
  })
})

describe('the link of an assistant', () => {
  const addAssistant = async () => {
    const assistant = { host_id: host.id, name: 'Deputy', name_key: 'deputy', role: 'moderator' as const }
    return (await server.deps.db.insertInto('assistants').values(assistant).returning('id').executeTakeFirstOrThrow())
      .id
  }

  test('sets the first password, and then another', async () => {
    const assistant_id = await addAssistant()
    const who = { role: 'moderator' as const, master_id: null, host_id: host.id, room_user_id: null, assistant_id }
    const session = await server.deps.sessions.open(server.deps.db, who, '127.0.0.1')
    const link = { purpose: 'assistant_invite' as const, account: { assistant_id } }
    const token = await linkFor(link)
    expect((await look(token)).body.data).toMatchObject({ purpose: link.purpose, account: `Deputy@${host.username}` })
    expect((await use(token, `deputy@${host.username}`)).status).toBe(422)
    expect((await use(token)).status).toBe(200)
    expect(await server.deps.sessions.find(session)).toBeNull()
    expect((await call(server, 'GET', '/account', { as: host })).status).toBe(200)
    expect((await login(PASSWORD)).status).toBe(200)
    expect(await audited('password_reset')).toMatchObject([
      {
        ...{ actor_role: 'assistant', actor_id: assistant_id, host_id: host.id, target: assistant_id },
        after: { role: 'moderator', sessions_ended: 1 },
      },
    ])
    const second = await linkFor(link)
    expect((await use(second)).status).toBe(422) // the password that it has
    expect((await use(second, 'nine blue teapots')).status).toBe(200)
  })

  test.each([
    ['cancelled', () => call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })],
    ['deleted', () => call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })],
  ])('is void once the host is %s', async (_what, act) => {
    const token = await linkFor({ purpose: 'assistant_invite', account: { assistant_id: await addAssistant() } })
    expect((await act()).status).toBe(200)
    expect(await look(token)).toMatchObject(INVALID)
  })

  test("stays valid when the host's password changes", async () => {
    const token = await linkFor({ purpose: 'assistant_invite', account: { assistant_id: await addAssistant() } })
    await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body: { password: NEW } })
    expect((await look(token)).status).toBe(200)
  })
})
