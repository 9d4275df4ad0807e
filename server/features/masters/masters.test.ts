import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import { buildHost, buildMaster, call, PASSWORD, readAudit, type SignedIn } from '../../../test/factories/accounts.ts'
import { addTotp } from '../../../test/factories/second-factor.ts'
import { countLockWaits } from '../../../test/servers/lock-waits.ts'
import { setup } from '../../../test/servers/setup.ts'

const NEW = 'seven green kettles'

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setup({ now: () => now })

let master: SignedIn & { id: string; email: string }
beforeEach(async () => {
  now += 48 * HOUR_MS
  master = await buildMaster(server)
})

const list = async (as: SignedIn = master) => (await call(server, 'GET', '/admin/masters', { as })).body.data
const invite = (body: object, as: SignedIn = master) => call(server, 'POST', '/admin/masters/invitations', { as, body })
const cancel = (id: string, as: SignedIn = master) => call(server, 'DELETE', `/admin/masters/invitations/${id}`, { as })
const remove = (id: string, as: SignedIn = master) => call(server, 'DELETE', `/admin/masters/${id}`, { as })
const tokenIn = (made: Awaited<ReturnType<typeof invite>>): string => made.body.data.url.split('#')[1]
const look = (token: string) => call(server, 'POST', '/auth/links/look', { body: { token } })
const use = (token: string, password = NEW) => call(server, 'POST', '/auth/links/use', { body: { token, password } })
const login = (email: string, password: string) =>
  call(server, 'POST', '/auth/master-login', { body: { email, password } })
const audited = async (action: string) =>
  (await server.deps.db.selectFrom('audit').selectAll().orderBy('seq').execute()).filter((row) => row.action === action)
const INVALID = { status: 400, body: { code: 'link_invalid' } }
const email = 'ana@parley.example'
const CONSENT = new URLSearchParams({ email, return_url: 'http://master.localhost:3000/oauth-success' })

test('the masters are listed, the oldest first, with when each was active', async () => {
  now += HOUR_MS
  const other = await buildMaster(server)
  const created_at = expect.any(String)
  const facts = { full_name: null, created_at, has_second_factor: false }
  expect(await list()).toEqual({
    masters: [
      { id: master.id, email: master.email, ...facts, last_active_at: expect.any(String), is_you: true },
      { id: other.id, email: other.email, ...facts, last_active_at: new Date(now).toISOString(), is_you: false },
    ],
    invitations: [],
  })
  await server.deps.db.deleteFrom('sessions').where('master_id', '=', other.id).execute()
  expect((await list()).masters).toMatchObject([{}, { last_active_at: null }])
})

test('the list tells who has a second factor', async () => {
  const other = await buildMaster(server)
  await addTotp(server, other)
  const { masters } = await list()
  const withFactor = masters.filter((one: { has_second_factor: boolean }) => one.has_second_factor)
  expect(withFactor).toMatchObject([{ id: other.id }])
})

test('hosts have no access', async () => {
  const host = await buildHost(server)
  expect((await call(server, 'GET', '/admin/masters', { as: host })).status).toBe(403)
  expect((await invite({ email }, host)).status).toBe(403)
  expect((await remove(master.id, host)).status).toBe(403)
  expect((await cancel(master.id, host)).status).toBe(403)
})

describe('an invitation', () => {
  test('makes a master of who uses its link', async () => {
    const made = await invite({ email: ` ${email} `, full_name: ' Ana Lima ', send_mail: true })
    const expires_at = new Date(now + 7 * DAY_MS).toISOString()
    const invitation = {
      id: expect.any(String),
      email,
      made_by: master.email,
      created_at: new Date(now).toISOString(),
      expires_at,
    }
    expect(made).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        data: {
          invitation,
          url: expect.stringMatching(/^http:\/\/master\.localhost:3000\/link#[\w-]{43}$/),
          mailed: false,
        },
      },
    })
    expect((await list()).invitations).toEqual([invitation])
    expect(await audited('master_invited')).toMatchObject([
      {
        actor_id: master.id,
        target: made.body.data.invitation.id,
        after: { email, full_name: 'Ana Lima', expires_at },
      },
    ])
    const rows = await server.deps.db.selectFrom('audit').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(tokenIn(made))

    now += MINUTE_MS
    expect((await use(tokenIn(made))).status).toBe(200)
    const { masters, invitations } = await list()
    expect(masters).toMatchObject([{ id: master.id }, { email, full_name: 'Ana Lima', last_active_at: null }])
    expect(invitations).toEqual([])
    expect((await list((await login(email, NEW)).body)).masters).toHaveLength(2)
  })

  test.each([
    [{}, 'email'],
    [{ email: '' }, 'email'],
    [{ email: 'ana' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: `${'x'.repeat(320)}@parley.example` }, 'email'],
    [{ email, full_name: 'x'.repeat(101) }, 'full_name'],
    [{ email, full_name: 7 }, 'full_name'],
    [{ email, full_name: 'Ana \u202eamiL' }, 'full_name'],
    [{ email, full_name: 'Ana\u200b Lima' }, 'full_name'],
    [{ email, send_mail: 'yes' }, 'send_mail'],
  ])('is refused for %j', async (body, path) => {
    expect(await invite(body)).toMatchObject({ status: 422, body: { errors: [{ path }] } })
    expect((await list()).invitations).toEqual([])
  })

  test('is refused for the address of a master, in any case', async () => {
    expect(await invite({ email: master.email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { code: 'conflict', errors: [{ path: 'email' }] },
    })
  })

  test('needs a fresh confirmation, as do its end and a removal', async () => {
    const other = await buildMaster(server)
    const { id } = (await invite({ email })).body.data.invitation
    now += 16 * MINUTE_MS
    for (const refused of [await invite({ email: 'b@parley.example' }), await cancel(id), await remove(other.id)])
      expect(refused).toMatchObject({ status: 403, body: { code: 'confirm_needed' } })
    expect(await list()).toMatchObject({ masters: [{}, {}], invitations: [{ id }] })
  })

  test('replaces an earlier one of the same address', async () => {
    const first = await invite({ email })
    const second = await invite({ email: email.toUpperCase() }, await buildMaster(server))
    expect(await look(tokenIn(first))).toMatchObject(INVALID)
    expect((await look(tokenIn(second))).status).toBe(200)
    expect((await list()).invitations).toHaveLength(1)
  })

  test('is one, also if two masters make it at once', async () => {
    const made = await Promise.all([invite({ email }), invite({ email }, await buildMaster(server))])
    expect(made.map(({ status }) => status)).toEqual([200, 200])
    expect((await list()).invitations).toHaveLength(1)
  })

  test('can be cancelled, once', async () => {
    const made = await invite({ email })
    const { id } = made.body.data.invitation
    expect((await cancel('nothing')).status).toBe(404)
    expect((await cancel(crypto.randomUUID())).status).toBe(404)
    expect((await cancel(id)).status).toBe(200)
    expect(await look(tokenIn(made))).toMatchObject(INVALID)
    expect((await cancel(id)).status).toBe(404)
    expect(await audited('master_invitation_cancelled')).toMatchObject([{ target: id, before: { email } }])
  })

  test('is no reset link, which the list of invitations cannot cancel', async () => {
    const host = await buildHost(server)
    await call(server, 'POST', `/admin/hosts/${host.id}/reset-link`, { as: master })
    const { id } = await server.deps.db.selectFrom('account_links').select('id').executeTakeFirstOrThrow()
    expect((await cancel(id)).status).toBe(404)
  })

  test('runs out after seven days, and does not count then', async () => {
    const made = await invite({ email })
    now += 7 * DAY_MS
    const later = await buildMaster(server)
    expect(await look(tokenIn(made))).toMatchObject(INVALID)
    expect((await list(later)).invitations).toEqual([])
    expect((await cancel(made.body.data.invitation.id, later)).status).toBe(404)
  })

  test('is one of twenty at most', async () => {
    for (let made = 0; made < 20; made++) expect((await invite({ email: `m${made}@parley.example` })).status).toBe(200)
    expect(await invite({ email })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await invite({ email: 'm0@parley.example' })).status).toBe(200) // replaces
    await cancel((await list()).invitations[0].id)
    expect((await invite({ email })).status).toBe(200)
  })

  test('is refused if all would be more than fifty masters', async () => {
    const values = Array.from({ length: 48 }, (_, place) => `many${place}@parley.example`).map((email) => ({
      email,
      email_key: email,
      password_hash: 'x',
    }))
    await server.deps.db.insertInto('masters').values(values).execute()
    expect((await invite({ email })).status).toBe(200)
    expect(await invite({ email: 'b@parley.example' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('is not kept for a repeat of its call', async () => {
    const headers = { 'idempotency-key': 'the same' }
    const send = () => call(server, 'POST', '/admin/masters/invitations', { as: master, body: { email }, headers })
    const first = await send()
    expect(await send()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await look(tokenIn(first))).status).toBe(200)
  })
})

describe('a removed master', () => {
  test('is signed out at once, and cannot sign in', async () => {
    const other = await buildMaster(server)
    expect((await remove(other.id)).status).toBe(200)
    expect(await call(server, 'GET', '/admin/masters', { as: other })).toMatchObject({
      status: 401,
      body: { reason: 'removed' },
    })
    expect(await login(other.email, PASSWORD)).toMatchObject({ status: 400, body: { code: 'wrong_credentials' } })
    expect((await list()).masters).toMatchObject([{ id: master.id }])
    expect((await remove(other.id)).status).toBe(404)
    expect((await remove('nobody')).status).toBe(404)
  })

  test('keeps its name in the audit', async () => {
    const other = await buildMaster(server)
    await call(server, 'POST', '/auth/logout', { as: other })
    await remove(other.id)
    const { entries } = await readAudit(server, master)
    expect(entries.find(({ action }) => action === 'master_logout')?.actor.name).toBe(other.email)
    expect(entries.find(({ action }) => action === 'master_removed')).toMatchObject({
      actor: { id: master.id },
      target: { id: other.id, name: other.email },
      before: { email: other.email },
    })
  })

  test('can be invited again, as another account', async () => {
    const other = await buildMaster(server)
    await remove(other.id)
    const made = await invite({ email: other.email })
    expect((await use(tokenIn(made))).status).toBe(200)
    const { user } = (await login(other.email, NEW)).body
    expect(user).toMatchObject({ email: other.email })
    expect(user.id).not.toBe(other.id)
  })

  test('takes its invitations, reset links and open consents with it', async () => {
    const other = await buildMaster(server)
    const host = await buildHost(server)
    const invited = await invite({ email }, other)
    const reset = await call(server, 'POST', `/admin/hosts/${host.id}/reset-link`, { as: other })
    const kept = await invite({ email: 'kept@parley.example' })
    const { db } = server.deps
    const consent = { master_id: other.id, email: host.email, expires_at: new Date(now + HOUR_MS) }
    await db
      .insertInto('oauth_states')
      .values({ ...consent, state_hash: 'x', return_url: '/', verifier_ciphertext: 'x' })
      .execute()
    await remove(other.id)
    for (const void_ of [invited, reset]) expect(await use(tokenIn(void_))).toMatchObject(INVALID)
    expect((await look(tokenIn(kept))).status).toBe(200)
    expect(await db.selectFrom('oauth_states').selectAll().execute()).toEqual([])
  })

  test.each([
    [
      'reset link',
      'oauth_states',
      (id: string) => ({ method: 'POST', path: `/admin/hosts/${id}/reset-link` }) as const,
    ],
    ['consent', 'oauth_results', () => ({ method: 'GET', path: `/oauth/url?${CONSENT}` }) as const],
  ] as const)('takes a %s with it that is begun meanwhile', async (_what, later, callOf) => {
    const [other, host] = [await buildMaster(server), await buildHost(server)]
    const { method, path } = callOf(host.id)
    const { db } = server.deps
    const { removed, made } = await db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(later)} in exclusive mode`.execute(tx) // stops the removal when it has deleted those
      const removed = remove(other.id)
      await expect.poll(() => countLockWaits(db)).toBe(1)
      let isMade = false
      const made = call(server, method, path, { as: other }).finally(() => {
        isMade = true
      })
      await expect.poll(async () => isMade || (await countLockWaits(db)) === 2).toBe(true)
      return { removed, made }
    })
    expect((await removed).status).toBe(200)
    expect((await made).status).toBe(401)
    const rows = await sql`select id from account_links union all select master_id from oauth_states`.execute(db)
    expect(rows.rows).toEqual([])
  })

  test('may be oneself, but not the last one', async () => {
    expect(await remove(master.id)).toMatchObject({ status: 409, body: { code: 'last_master' } })
    await invite({ email })
    expect(await remove(master.id)).toMatchObject({ status: 409, body: { code: 'last_master' } })
    const other = await buildMaster(server)
    expect((await remove(master.id)).status).toBe(200)
    expect((await call(server, 'GET', '/admin/masters', { as: master })).status).toBe(401)
    expect(await remove(other.id, other)).toMatchObject({ status: 409, body: { code: 'last_master' } })
  })

  test('is one, if two remove each other at once', async () => {
    const other = await buildMaster(server)
    const { db } = server.deps
    const removing = await db.transaction().execute(async (tx) => {
      await sql`select from masters for no key update`.execute(tx) // both wait, let in by their sessions
      const both = [remove(other.id), remove(master.id, other)]
      await expect.poll(() => countLockWaits(db)).toBe(2)
      return both
    })
    const answers = await Promise.all(removing)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('last_master')
    const left = await db.selectFrom('masters').select('id').where('removed_at', 'is', null).execute()
    expect(left).toHaveLength(1)
  })

  test('does nothing more, though its call was let in before', async () => {
    const [one, two] = [await buildMaster(server), await buildMaster(server)]
    const answers = await Promise.all([remove(two.id, one), remove(one.id, two)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })
})
