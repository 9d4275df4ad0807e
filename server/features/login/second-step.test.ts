import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import {
  buildHost,
  buildMaster,
  call,
  PASSWORD,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { addTotp, totpCode } from '../../../test/factories/second-factor.ts'
import { setup } from '../../../test/servers/setup.ts'
import { secondFactorJobs } from '../second-factor/jobs.ts'

let now = Date.parse('2026-11-21T10:00:10Z')
const server = await setup({ now: () => now })

let host: TestHost
let master: SignedIn & { id: string; email: string }
beforeEach(async () => {
  now += 48 * HOUR_MS
  host = await buildHost(server)
  master = await buildMaster(server)
})

const loginHost = (password = PASSWORD, from?: string) =>
  call(server, 'POST', '/auth/host/login', { body: { username: host.username, password }, ...(from && { from }) })
const loginMaster = () =>
  call(server, 'POST', '/auth/master-login', { body: { email: master.email, password: PASSWORD } })
const show = (body: object, from?: string) =>
  call(server, 'POST', '/auth/second-factor', { body, ...(from && { from }) })
const challengeOf = async (login = loginHost) => (await login()).body.second_factor.challenge
const audited = async (action: string) =>
  server.deps.db.selectFrom('audit').selectAll().where('action', '=', action).orderBy('seq').execute()
const countSessions = async () =>
  (await server.deps.db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute()).length
const WRONG = (attempts_left: number) => ({ status: 400, body: { code: 'second_factor_wrong', attempts_left } })
const EXPIRED = { status: 400, body: { code: 'challenge_expired' } }

describe('a sign-in with the right password', () => {
  test.each(['host', 'master'] as const)(
    'of a %s waits for the second factor, and opens no session before',
    async (role) => {
      const as = role === 'host' ? host : master
      const login = role === 'host' ? loginHost : loginMaster
      expect((await login()).status).toBe(200)
      const { secret } = await addTotp(server, as)
      const before = await countSessions()
      const { db } = server.deps
      const loginTime = async () =>
        (await db.selectFrom('hosts').select('login_time').where('id', '=', host.id).executeTakeFirstOrThrow())
          .login_time
      const loginTimeBefore = await loginTime()
      now += MINUTE_MS

      const first = await login()
      expect(first).toMatchObject({
        status: 403,
        body: {
          success: false,
          code: 'second_factor_needed',
          second_factor: {
            methods: ['totp', 'recovery_code'],
            expires_at: new Date(now + 5 * MINUTE_MS).toISOString(),
          },
        },
      })
      expect(first.headers['cache-control']).toBe('no-store')
      expect(Object.keys(first.body).sort()).toEqual(['code', 'message', 'second_factor', 'success'])
      expect(await countSessions()).toBe(before)
      expect(await loginTime()).toEqual(loginTimeBefore)
      expect(await audited(`${role}_login`)).toHaveLength(1)
      const { challenge } = first.body.second_factor
      const stored = await db.selectFrom('sign_in_challenges').selectAll().execute()
      expect(JSON.stringify(stored)).not.toContain(challenge)

      const second = await show({ challenge, code: totpCode(secret, now) })
      expect(second).toMatchObject({ status: 200, body: { success: true, user: { id: as.id, role } } })
      expect(second.body).not.toHaveProperty('recovery_codes_left')
      const account = await call(server, 'GET', '/account', { as: second.body })
      expect(account.body.data.confirmed_until).toBe(new Date(now + 15 * MINUTE_MS).toISOString())
      const [, login2] = await audited(`${role}_login`)
      expect(login2).toMatchObject({ actor_role: role, actor_id: as.id, after: { second_factor: 'totp' } })
      if (role === 'host') expect(await loginTime()).toEqual(new Date(now))
      const { second_factor_at } = await db
        .selectFrom('sessions')
        .select('second_factor_at')
        .where('second_factor_at', 'is not', null)
        .executeTakeFirstOrThrow()
      expect(second_factor_at).toEqual(new Date(now))
      expect(await show({ challenge, code: totpCode(secret, now + 30_000) })).toMatchObject(EXPIRED)
    },
  )

  test('says nothing of the factor after a wrong one', async () => {
    await addTotp(server, host)
    expect((await loginHost('a wrong one')).body).toEqual({
      success: false,
      code: 'wrong_credentials',
      message: 'Invalid username or password',
    })
  })

  test('of a cancelled host is refused at once, and one that is cancelled in between at the second step', async () => {
    const { secret } = await addTotp(server, host)
    const challenge = await challengeOf()
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
    const cancelled = { status: 403, body: { code: 'subscription_cancelled' } }
    expect(await show({ challenge, code: totpCode(secret, now) })).toMatchObject(cancelled)
    expect(await loginHost()).toMatchObject(cancelled)
  })

  test('keeps twenty challenges of an account, and clears those that are over', async () => {
    const { secret } = await addTotp(server, host)
    const challenges: string[] = []
    for (let count = 0; count < 22; count++) {
      now += 11_000
      challenges.push(await challengeOf())
    }
    const stored = () => server.deps.db.selectFrom('sign_in_challenges').select('token_hash').execute()
    expect(await stored()).toHaveLength(20)
    const [oldest = '', , third = ''] = challenges
    expect(await show({ challenge: oldest, code: totpCode(secret, now) })).toMatchObject(EXPIRED)
    expect((await show({ challenge: third, code: totpCode(secret, now) })).status).toBe(200)
    now += HOUR_MS + 1
    for (const job of secondFactorJobs) await job.run(server.deps)
    expect(await stored()).toEqual([])
    expect(await server.deps.db.selectFrom('second_factor_failures').select('id').execute()).toEqual([])
  })
})

describe('the second step', () => {
  test('takes each code of an app once, also of two that come at once', async () => {
    const { secret } = await addTotp(server, host)
    const code = totpCode(secret, now)
    const [one, two] = [await challengeOf(), await challengeOf()]
    const answers = await Promise.all([show({ challenge: one, code }), show({ challenge: two, code })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await show({ challenge: await challengeOf(), code })).toMatchObject(WRONG(4))
    now += 30_000 // the code of the step before would be right
    expect(await show({ challenge: await challengeOf(), code })).toMatchObject(WRONG(4))
    expect((await show({ challenge: await challengeOf(), code: totpCode(secret, now) })).status).toBe(200)
  })

  test('takes the code with which the app was set up no more', async () => {
    const begun = await call(server, 'POST', '/account/totp', { as: host })
    const code = totpCode(begun.body.data.secret, now)
    expect((await call(server, 'POST', '/account/totp/confirm', { as: host, body: { code } })).status).toBe(200)
    expect(await show({ challenge: await challengeOf(), code })).toMatchObject(WRONG(4))
  })

  test('takes a recovery code once, as it may be typed, and says how many are left', async () => {
    const [first = '', second = ''] = (await addTotp(server, host)).recovery_codes
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ')} `.replaceAll('0', 'o').replaceAll('1', 'l')
    const used = await show({ challenge: await challengeOf(), recovery_code: typed })
    expect(used).toMatchObject({ status: 200, body: { user: { id: host.id }, recovery_codes_left: 9 } })
    expect(await show({ challenge: await challengeOf(), recovery_code: first })).toMatchObject(WRONG(4))
    const challenge = await challengeOf()
    const answers = await Promise.all([1, 2].map(() => show({ challenge, recovery_code: second })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await audited('recovery_code_used')).toMatchObject([{ actor_id: host.id }, { actor_id: host.id }])
  })

  test('takes no code of another account', async () => {
    await addTotp(server, host)
    const others = await addTotp(server, master)
    const challenge = await challengeOf()
    expect(await show({ challenge, code: totpCode(others.secret, now) })).toMatchObject(WRONG(4))
    expect(await show({ challenge, recovery_code: others.recovery_codes[0] })).toMatchObject(WRONG(3))
  })

  test('ends with the fifth wrong code of a challenge, also of many at once', async () => {
    const { secret } = await addTotp(server, host)
    const challenge = await challengeOf()
    for (const left of [4, 3, 2, 1, 0]) expect(await show({ challenge, code: '000000' })).toMatchObject(WRONG(left))
    expect(await show({ challenge, code: totpCode(secret, now) })).toMatchObject(EXPIRED)
    const another = await challengeOf()
    const answers = await Promise.all(Array.from({ length: 8 }, () => show({ challenge: another, code: '000000' })))
    expect(answers.map(({ body }) => body.code).toSorted()).toEqual([
      ...Array(3).fill('challenge_expired'),
      ...Array(5).fill('second_factor_wrong'),
    ])
    expect(await audited('second_factor_failed')).toMatchObject([
      { actor_role: 'nobody', target: host.id, host_id: host.id },
    ])
  })

  test('takes ten wrong codes of an account in an hour, from any address, and then none', async () => {
    const { secret, recovery_codes } = await addTotp(server, host)
    for (let count = 0; count < 10; count++) {
      const from = `203.0.113.${count}`
      expect((await show({ challenge: await challengeOf(), code: '000000' }, from)).status).toBe(400)
    }
    const refused = { status: 429, body: { code: 'too_many' } }
    const challenge = await challengeOf()
    expect(await show({ challenge, code: totpCode(secret, now) })).toMatchObject(refused)
    expect(await show({ challenge, recovery_code: recovery_codes[0] })).toMatchObject(refused)
    const other = await addTotp(server, master)
    expect((await show({ challenge: await challengeOf(loginMaster), code: totpCode(other.secret, now) })).status).toBe(
      200,
    )
    now += HOUR_MS
    expect((await show({ challenge: await challengeOf(), code: totpCode(secret, now) })).status).toBe(200)
  })

  test('counts wrong ones for their address as wrong passwords', async () => {
    const from = '198.51.100.7'
    await addTotp(server, host)
    await addTotp(server, master)
    const challenges = await Promise.all([
      challengeOf(),
      challengeOf(),
      challengeOf(loginMaster),
      challengeOf(loginMaster),
    ])
    for (const challenge of challenges)
      for (let count = 0; count < 5; count++) expect((await show({ challenge, code: '000000' }, from)).status).toBe(400)
    expect(await loginHost('a wrong one', from)).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect(await show({ challenge: 'unknown', code: '000000' }, from)).toMatchObject({ status: 429 })
  })

  test('lasts five minutes', async () => {
    const { secret } = await addTotp(server, host)
    const challenge = await challengeOf()
    now += 5 * MINUTE_MS
    expect(await show({ challenge, code: totpCode(secret, now) })).toMatchObject(EXPIRED)
  })

  test('is void once the password has changed', async () => {
    const { secret } = await addTotp(server, host)
    const challenge = await challengeOf()
    const body = { current_password: PASSWORD, new_password: 'seven green kettles' }
    expect((await call(server, 'POST', '/account/password', { as: host, body })).status).toBe(200)
    expect(await show({ challenge, code: totpCode(secret, now) })).toMatchObject(EXPIRED)
  })

  test.each(['host', 'master'] as const)(
    'of a %s counts a right code of a void challenge as no wrong one',
    async (role) => {
      const as = role === 'host' ? host : master
      const login = role === 'host' ? loginHost : loginMaster
      const { secret, recovery_codes } = await addTotp(server, as)
      for (let count = 0; count < 9; count++)
        await show({ challenge: await challengeOf(login), code: '000000' }, `203.0.113.${count}`)
      const challenge = await challengeOf(login)
      const { db } = server.deps
      const table = role === 'host' ? 'hosts' : 'masters'
      const { password_hash } = await db
        .selectFrom(table)
        .select('password_hash')
        .where('id', '=', as.id)
        .executeTakeFirstOrThrow()
      const setHash = (hash: string) =>
        db.updateTable(table).set({ password_hash: hash }).where('id', '=', as.id).execute()
      await setHash('another')
      expect(await show({ challenge, recovery_code: recovery_codes[0] })).toMatchObject(EXPIRED)
      expect(await show({ challenge, code: totpCode(secret, now) })).toMatchObject(EXPIRED)
      await setHash(password_hash)
      expect((await show({ challenge, recovery_code: recovery_codes[0] })).status).toBe(200)
    },
  )

  test('happens at the site of the first', async () => {
    const { secret } = await addTotp(server, host)
    const body = { challenge: await challengeOf(), code: totpCode(secret, now) }
    const elsewhere = { body, headers: { host: 'host.localhost:3000' } }
    expect(await call(server, 'POST', '/auth/second-factor', elsewhere)).toMatchObject(EXPIRED)
    expect((await show(body)).status).toBe(200)
  })

  test.each([
    [{}],
    [{ challenge: 'c' }],
    [{ code: '123456' }],
    [{ challenge: 'c', code: '' }],
    [{ challenge: 'c', code: 123456 }],
    [{ challenge: 'c', code: 'x'.repeat(65) }],
    [{ challenge: 'c'.repeat(201), code: '123456' }],
    [{ challenge: 7, code: '123456' }],
    [{ challenge: 'c', code: '123456', recovery_code: '7K-4F2M9-QX1RT' }],
    [{ challenge: 'c', passkey: 7 }],
    [[]],
  ])('needs a challenge and one factor: %j', async (body) => {
    expect((await show(body)).status).toBe(422)
  })
})

test('a sign-in that began before the factor was added waits for it too', async () => {
  const { passwords } = server.deps
  const isRight = passwords.isRight.bind(passwords)
  for (const [as, login] of [[host, loginHost] as const, [master, loginMaster] as const]) {
    passwords.isRight = async (...args) => {
      passwords.isRight = isRight
      const right = await isRight(...args)
      await addTotp(server, as)
      return right
    }
    expect(await login()).toMatchObject({ status: 403, body: { code: 'second_factor_needed' } })
  }
})
