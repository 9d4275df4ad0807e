import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import {
  buildHost,
  buildMaster,
  call,
  openSession,
  PASSWORD,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { Authenticator } from '../../../test/factories/authenticator.ts'
import { addTotp, totpCode } from '../../../test/factories/second-factor.ts'
import { countLockWaits } from '../../../test/servers/lock-waits.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:10Z')
const server = await setup({ now: () => now })

let host: TestHost
let master: SignedIn & { id: string; email: string }
let key: Authenticator
beforeEach(async () => {
  now += 48 * HOUR_MS
  host = await buildHost(server)
  master = await buildMaster(server)
  key = new Authenticator()
})

const HOST_SITE = { host: 'host.localhost:3000' }
const AT_HOST_SITE = { rpId: 'host.localhost', origin: 'http://host.localhost:3000' }
const begin = async (as: SignedIn, headers = {}) =>
  (await call(server, 'POST', '/account/passkeys/options', { as, headers })).body.data.passkey_options
const add = (as: SignedIn, passkey: object, { name = 'Laptop', headers = {} } = {}) =>
  call(server, 'POST', '/account/passkeys', { as, body: { name, passkey }, headers })
const addKey = async (as: SignedIn, authenticator = key) => add(as, authenticator.register(await begin(as)))
const remove = (as: SignedIn, id: string) => call(server, 'DELETE', `/account/passkeys/${id}`, { as })
const factorOf = async (as: SignedIn, headers = {}) =>
  (await call(server, 'GET', '/account', { as, headers })).body.data.second_factor
const login = (headers = {}) =>
  call(server, 'POST', '/auth/host/login', { body: { username: host.username, password: PASSWORD }, headers })
const show = (body: object, headers = {}) => call(server, 'POST', '/auth/second-factor', { body, headers })
const audited = async (action: string) =>
  server.deps.db.selectFrom('audit').selectAll().where('action', '=', action).execute()
const WRONG = { status: 400, body: { code: 'second_factor_wrong' } }
const EXPIRED = { status: 400, body: { code: 'challenge_expired' } }

describe('a passkey', () => {
  test('is added with a name, gives recovery codes, and signs in', async () => {
    const options = await begin(host)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Parley' },
      user: { name: host.username },
      authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
      excludeCredentials: [],
    })
    const added = await add(host, key.register(options))
    expect(added).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { data: { passkey: { name: 'Laptop', last_used_at: null, usable_here: true } } },
    })
    expect(added.body.data.recovery_codes).toHaveLength(10)
    expect((await factorOf(host)).passkeys).toEqual([added.body.data.passkey])
    expect(await audited('passkey_added')).toMatchObject([{ actor_id: host.id, after: { name: 'Laptop' } }])
    expect((await begin(host)).excludeCredentials).toMatchObject([{ id: key.id }])

    const first = await login()
    const { challenge, methods, passkey_options } = first.body.second_factor
    expect(methods).toEqual(['passkey', 'recovery_code'])
    expect(passkey_options).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [{ id: key.id }],
    })
    const signedIn = await show({ challenge, passkey: key.use(passkey_options) })
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: host.id } } })
    expect((await factorOf(host)).passkeys[0].last_used_at).toBe(new Date(now).toISOString())
  })

  test('is no factor for another account, another challenge or another page', async () => {
    await addKey(host)
    const others = new Authenticator()
    await addKey(master, others)
    const { challenge, passkey_options } = (await login()).body.second_factor
    for (const passkey of [
      others.use(passkey_options),
      key.use({ challenge: 'AAAA' }),
      key.use(passkey_options, { rpId: 'localhost', origin: 'http://evil.example' }),
      key.use(passkey_options, { rpId: 'evil.example', origin: 'http://localhost:3000' }),
      key.use(passkey_options, { rpId: 'localhost', origin: 'http://localhost:3000', isVerified: false }),
    ])
      expect(await show({ challenge, passkey })).toMatchObject(WRONG)
    expect(await show({ challenge, passkey: key.use(passkey_options) })).toMatchObject(EXPIRED)
  })

  test('signs in once for a challenge, and not with an older counter', async () => {
    await addKey(host)
    const { challenge, passkey_options } = (await login()).body.second_factor
    const old = key.use(passkey_options)
    const passkey = key.use(passkey_options)
    const answers = await Promise.all([1, 2].map(() => show({ challenge, passkey })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const again = (await login()).body.second_factor
    expect(await show({ challenge: again.challenge, passkey: old })).toMatchObject(WRONG)
  })

  test('still signs in when the account has no wrong codes left', async () => {
    await addKey(host)
    for (let count = 0; count < 10; count++) {
      const { challenge } = (await login()).body.second_factor
      expect(await show({ challenge, recovery_code: '00-00000-00000' })).toMatchObject(WRONG)
      now += 20_000
    }
    const { challenge, passkey_options } = (await login()).body.second_factor
    expect((await show({ challenge, recovery_code: '00-00000-00000' })).status).toBe(429)
    expect((await show({ challenge, passkey: key.use(passkey_options) })).status).toBe(200)
  })

  test('works at the site where it was made, and waits at others', async () => {
    const { secret } = await addTotp(server, host)
    expect(
      (await add(host, key.register(await begin(host, HOST_SITE), AT_HOST_SITE), { headers: HOST_SITE })).status,
    ).toBe(200)
    expect((await factorOf(host)).passkeys).toMatchObject([{ usable_here: false }])
    expect((await factorOf(host, HOST_SITE)).passkeys).toMatchObject([{ usable_here: true }])
    const here = (await login()).body.second_factor
    expect(here.methods).toEqual(['totp', 'recovery_code'])
    expect(here).not.toHaveProperty('passkey_options')
    expect(await show({ challenge: here.challenge, passkey: key.use({ challenge: 'AAAA' }) })).toMatchObject(WRONG)
    expect((await show({ challenge: here.challenge, code: totpCode(secret, now) })).status).toBe(200)
    const there = (await login(HOST_SITE)).body.second_factor
    expect(there.methods).toEqual(['passkey', 'totp', 'recovery_code'])
    const passkey = key.use(there.passkey_options, AT_HOST_SITE)
    expect((await show({ challenge: there.challenge, passkey }, HOST_SITE)).status).toBe(200)
  })

  test('answers its options once, within five minutes, in the same session and site', async () => {
    const options = await begin(host)
    const other = { token: await openSession(server, host.id) }
    expect(await add(other, key.register(options))).toMatchObject(EXPIRED)
    expect(await add(host, key.register(options), { headers: HOST_SITE })).toMatchObject(EXPIRED)
    expect(await add(host, key.register(options))).toMatchObject(EXPIRED) // that try has used them up
    const late = await begin(host)
    now += 5 * MINUTE_MS
    expect(await add(host, key.register(late))).toMatchObject(EXPIRED)
    const wrong = new Authenticator().register(await begin(host), { rpId: 'localhost', origin: 'http://evil.example' })
    expect(await add(host, wrong)).toMatchObject(WRONG)
    const passkey = key.register(await begin(host))
    const answers = await Promise.all([1, 2].map(() => add(host, passkey)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await addKey(master)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('is one of ten at most, and is removed with the codes if it was the last factor', async () => {
    const added = await addKey(host)
    for (let count = 0; count < 9; count++) {
      now += 5_000
      expect((await addKey(host, new Authenticator())).status).toBe(200)
    }
    const refused = await call(server, 'POST', '/account/passkeys/options', { as: host })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const { id } = added.body.data.passkey
    expect((await remove(master, id)).status).toBe(404)
    expect((await remove(host, 'nothing')).status).toBe(404)
    expect(await remove(host, id)).toMatchObject({ status: 200, body: { message: 'Passkey removed' } })
    expect((await remove(host, id)).status).toBe(404)
    now += MINUTE_MS
    for (const { id } of (await factorOf(host)).passkeys) expect((await remove(host, id)).status).toBe(200)
    expect(await factorOf(host)).toMatchObject({ passkeys: [], recovery_codes_left: 0 })
    expect((await login()).status).toBe(200)
  })

  test('confirms an act, once, in its session', async () => {
    await addKey(master)
    now += 15 * MINUTE_MS
    const act = () => call(server, 'POST', '/account/totp', { as: master })
    expect(await act()).toMatchObject({
      status: 403,
      body: { code: 'confirm_needed', confirm: { methods: ['password', 'passkey'] } },
    })
    const options = (await call(server, 'POST', '/account/confirm/options', { as: master })).body.data.passkey_options
    const confirm = (passkey: object) => call(server, 'POST', '/account/confirm', { as: master, body: { passkey } })
    expect(await confirm(key.use({ challenge: 'AAAA' }))).toMatchObject(WRONG)
    expect(await confirm(key.use(options))).toMatchObject(WRONG) // that try has used them up
    expect(await audited('confirm_failed')).toMatchObject([{ actor_id: master.id }])
    const again = (await call(server, 'POST', '/account/confirm/options', { as: master })).body.data.passkey_options
    const until = new Date(now + 15 * MINUTE_MS).toISOString()
    expect(await confirm(key.use(again))).toMatchObject({ status: 200, body: { data: { confirmed_until: until } } })
    expect((await act()).status).toBe(200)
    expect((await call(server, 'POST', '/account/confirm/options', { as: host })).body.data.passkey_options).toBeNull()
  })

  test('confirms an act where others type wrong passwords', async () => {
    await addKey(master)
    const from = '198.51.100.9'
    for (let n = 0; n < 20; n++)
      await call(server, 'POST', '/auth/host/login', { body: { username: `nobody ${n}`, password: 'a guess' }, from })
    const options = (await call(server, 'POST', '/account/confirm/options', { as: master })).body.data.passkey_options
    const confirm = { as: master, body: { passkey: key.use(options) }, from }
    expect((await call(server, 'POST', '/account/confirm', confirm)).status).toBe(200)
  })

  test('waits for a reset of its account, and confirms nothing after it', async () => {
    await addKey(host)
    const made = await call(server, 'POST', `/admin/hosts/${host.id}/reset-link`, {
      as: master,
      body: { remove_second_factor: true },
    })
    const options = (await call(server, 'POST', '/account/confirm/options', { as: host })).body.data.passkey_options
    const { db } = server.deps
    const { reset, confirmed } = await db.transaction().execute(async (tx) => {
      await sql`lock table totp_secrets in exclusive mode`.execute(tx) // stops the reset when it has ended the sessions
      const body = { token: made.body.data.url.split('#')[1], password: 'seven green kettles' }
      const reset = call(server, 'POST', '/auth/links/use', { body })
      await expect.poll(() => countLockWaits(db)).toBe(1)
      const confirmed = call(server, 'POST', '/account/confirm', { as: host, body: { passkey: key.use(options) } })
      await expect.poll(() => countLockWaits(db)).toBe(2)
      return { reset, confirmed }
    })
    expect((await reset).status).toBe(200)
    expect((await confirmed).status).toBe(401)
  })

  test('is traced to no maker, which would call addresses that its certificates name', async () => {
    await begin(host)
    const { SettingsService } = await import('@simplewebauthn/server')
    for (const identifier of ['android-key', 'android-safetynet', 'apple'] as const)
      expect(SettingsService.getRootCertificates({ identifier })).toEqual([])
  })

  test('and its options need a fresh confirmation', async () => {
    const added = await addKey(host)
    now += 15 * MINUTE_MS
    const needed = { status: 403, body: { code: 'confirm_needed' } }
    expect(await call(server, 'POST', '/account/passkeys/options', { as: host })).toMatchObject(needed)
    expect(await remove(host, added.body.data.passkey.id)).toMatchObject(needed)
  })

  test.each([
    [{ name: '' }],
    [{ name: 'x'.repeat(65) }],
    [{ name: 'Lap\u200btop' }],
    [{ name: 'pot\u202epaL' }],
    [{ name: 7 }],
    [{ passkey: null }],
    [{ passkey: 'text' }],
    [{ passkey: { id: 'a', rawId: 'a', type: 'other', response: {} } }],
    [
      {
        passkey: { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: '!', attestationObject: 'a' } },
      },
    ],
  ])('is not added from %j', async (fields) => {
    const body = { name: 'Laptop', passkey: key.register(await begin(host)), ...fields }
    expect((await call(server, 'POST', '/account/passkeys', { as: host, body })).status).toBe(422)
  })
})
