import { TOTP, URI } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import {
  buildHost,
  buildMaster,
  call,
  openSession,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { addTotp, totpCode } from '../../../test/factories/second-factor.ts'
import { setup } from '../../../test/servers/setup.ts'
import { removeSecondFactors } from '../second-factor/remove-second-factors.ts'

let now = Date.parse('2026-11-21T10:00:10Z')
const server = await setup({ now: () => now })

let host: TestHost
let master: SignedIn & { id: string; email: string }
beforeEach(async () => {
  now += 48 * HOUR_MS
  host = await buildHost(server)
  master = await buildMaster(server)
})

const begin = (as: SignedIn) => call(server, 'POST', '/account/totp', { as })
const confirmCode = (as: SignedIn, code: unknown) =>
  call(server, 'POST', '/account/totp/confirm', { as, body: { code } })
const remove = (as: SignedIn) => call(server, 'DELETE', '/account/totp', { as })
const makeCodes = (as: SignedIn) => call(server, 'POST', '/account/recovery-codes', { as })
const factorOf = async (as: SignedIn) => (await call(server, 'GET', '/account', { as })).body.data.second_factor
const audited = async (action: string) =>
  server.deps.db.selectFrom('audit').selectAll().where('action', '=', action).execute()

const CODE = /^[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/

describe('an app that shows codes', () => {
  test.each(['host', 'master'] as const)(
    'is set up by a %s with a first code, and gives ten recovery codes',
    async (role) => {
      const as = role === 'host' ? host : master
      expect(await factorOf(as)).toEqual({ totp: false, recovery_codes_left: 0, passkeys: [], is_required: false })
      const begun = await begin(as)
      expect(begun).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      const { secret, uri } = begun.body.data
      const app = URI.parse(uri)
      if (!(app instanceof TOTP)) throw new Error('The address is not one of an app with time steps')
      expect({ ...app, secret: app.secret.base32 }).toMatchObject({
        issuer: 'Parley',
        label: role === 'host' ? host.username : master.email,
        secret,
        algorithm: 'SHA1',
        digits: 6,
        period: 30,
      })
      expect((await factorOf(as)).totp).toBe(false)

      const on = await confirmCode(as, app.generate({ timestamp: now }))
      expect(on).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      const codes = on.body.data.recovery_codes
      expect(codes).toHaveLength(10)
      for (const code of codes) expect(code).toMatch(CODE)
      expect(new Set(codes.map((code: string) => code.slice(0, 2))).size).toBe(10)
      expect(await factorOf(as)).toEqual({ totp: true, recovery_codes_left: 10, passkeys: [], is_required: false })
      expect(await audited('totp_added')).toMatchObject([{ actor_role: role, actor_id: as.id, target: as.id }])
      expect(await begin(as)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    },
  )

  test('accepts codes of the step before and after, with a space, and no others', async () => {
    const { secret } = (await begin(host)).body.data
    for (const wrong of [totpCode(secret, now - 60_000), totpCode(secret, now + 60_000), '12345', 'abcdef', '-'])
      expect(await confirmCode(host, wrong)).toMatchObject({ status: 400, body: { code: 'second_factor_wrong' } })
    const code = totpCode(secret, now + 30_000)
    expect((await confirmCode(host, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
  })

  test('has to be confirmed within ten minutes, and only the latest set-up can be', async () => {
    const first = (await begin(host)).body.data.secret
    const second = (await begin(host)).body.data.secret
    expect(second).not.toBe(first)
    expect((await confirmCode(host, totpCode(first, now))).status).toBe(400)
    now += 10 * MINUTE_MS
    expect(await confirmCode(host, totpCode(second, now))).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const third = (await begin(host)).body.data.secret
    const answers = await Promise.all([1, 2].map(() => confirmCode(host, totpCode(third, now))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await confirmCode(master, totpCode(third, now))).status).toBe(409)
  })

  test('goes with the recovery codes when it is removed', async () => {
    await addTotp(server, host)
    await addTotp(server, master)
    expect(await remove(host)).toMatchObject({ status: 200, body: { success: true, message: 'App removed' } })
    expect(await factorOf(host)).toMatchObject({ totp: false, recovery_codes_left: 0 })
    expect(await factorOf(master)).toMatchObject({ totp: true, recovery_codes_left: 10 })
    expect(await remove(host)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await audited('totp_removed')).toMatchObject([{ actor_id: host.id, host_id: host.id, target: host.id }])
  })

  test('is changed twenty times a minute', async () => {
    for (let time = 0; time < 20; time++) expect((await begin(host)).status).toBe(200)
    expect((await begin(host)).status).toBe(429)
    expect((await begin(master)).status).toBe(200)
  })

  test.each([[undefined], [null], [7], [''], ['x'.repeat(65)], [{}]])('takes no code such as %j', async (code) => {
    await begin(host)
    expect((await confirmCode(host, code)).status).toBe(422)
  })
})

describe('recovery codes', () => {
  test('are made again, and replace the old ones', async () => {
    expect(await makeCodes(host)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const { recovery_codes } = await addTotp(server, host)
    const again = await makeCodes(host)
    expect(again).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(again.body.data.recovery_codes).toHaveLength(10)
    expect(again.body.data.recovery_codes).not.toEqual(expect.arrayContaining(recovery_codes.slice(0, 1)))
    expect((await factorOf(host)).recovery_codes_left).toBe(10)
    expect(await audited('recovery_codes_made')).toHaveLength(1)
  })

  test('and secrets are stored so that nobody can read them, and replayed to nobody', async () => {
    const headers = { 'idempotency-key': 'once' }
    const begun = await call(server, 'POST', '/account/totp', { as: host, headers })
    const again = await call(server, 'POST', '/account/totp', { as: host, headers })
    const { secret } = again.body.data
    expect(secret).not.toBe(begun.body.data.secret)
    const on = await confirmCode(host, totpCode(secret, now))
    const { db } = server.deps
    const stored = JSON.stringify([
      await db.selectFrom('totp_secrets').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
      await db.selectFrom('idempotency_keys').selectAll().execute(),
    ])
    expect(stored).not.toContain(secret)
    for (const code of on.body.data.recovery_codes) expect(stored).not.toContain(code.replaceAll('-', ''))
  })
})

describe('the factors of an account', () => {
  test('change only with a fresh confirmation', async () => {
    await addTotp(server, master)
    now += 15 * MINUTE_MS
    for (const act of [begin, remove, makeCodes])
      expect(await act(master)).toMatchObject({ status: 403, body: { code: 'confirm_needed' } })
    expect((await factorOf(master)).totp).toBe(true)
  })

  test('are not changed by a session that has ended', async () => {
    const other = { token: await openSession(server, host.id) }
    const { secret } = (await begin(other)).body.data
    await call(server, 'POST', '/account/sessions/end-others', { as: host })
    for (const act of [begin, remove, makeCodes]) expect((await act(other)).status).toBe(401)
    expect((await confirmCode(other, totpCode(secret, now))).status).toBe(401)
  })

  test('are all removed at once for an account that has lost them', async () => {
    await addTotp(server, host)
    await addTotp(server, master)
    const { db } = server.deps
    const removeAll = () => db.transaction().execute((tx) => removeSecondFactors(tx, { role: 'host', id: host.id }))
    expect(await removeAll()).toBe(true)
    expect(await factorOf(host)).toMatchObject({ totp: false, recovery_codes_left: 0 })
    expect((await factorOf(master)).totp).toBe(true)
    expect(await removeAll()).toBe(false)
  })
})
