import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type SignedIn,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
})

const claim = (as: SignedIn) => call(server, 'POST', '/auth/claim', { as })
const KEY = 'a-key-that-no-one-can-guess'
const claimUnder = (key: string, as: SignedIn) =>
  call(server, 'POST', '/auth/claim', { as, headers: { 'idempotency-key': key } })
const verify = (as: SignedIn) => call(server, 'POST', '/auth/verify', { as, body: { handed_over: true } })
const REFUSED = { status: 401, body: { success: false, code: 'not_signed_in' } }

describe('POST /api/auth/claim', () => {
  test.each([
    ['host', buildHost, '/host/profile'],
    ['master', buildMaster, '/admin/hosts'],
  ] as const)('exchanges the %s token from an address once; afterwards it is invalid', async (role, anybody, path) => {
    const handedOver = await anybody(server)
    const claimed = await claim(handedOver)
    expect(claimed).toMatchObject({ status: 200, body: { success: true, user: { id: handedOver.id, role } } })
    expect((await call(server, 'GET', path, { as: claimed.body })).status).toBe(200)

    expect(await claim(handedOver)).toMatchObject(REFUSED)
    expect(await verify(handedOver)).toMatchObject(REFUSED)
    expect((await call(server, 'GET', path, { as: handedOver })).status).toBe(401)
    expect((await call(server, 'GET', path, { as: claimed.body })).status).toBe(200)
  })

  test('gives a session to exactly one of many simultaneous claims', async () => {
    const host = await buildHost(server)
    const answers = await Promise.all(Array.from({ length: 8 }, () => claim(host)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
    const open = server.deps.db.selectFrom('sessions').where('host_id', '=', host.id).where('ended_at', 'is', null)
    expect(await open.select('id').execute()).toHaveLength(1)
  })

  test('accepts a token for 60 s after the login', async () => {
    const [early, late] = [await buildHost(server), await buildHost(server)]
    now += 60_000
    expect((await claim(early)).status).toBe(200)
    now += 1
    expect(await verify(late)).toMatchObject(REFUSED)
    expect(await claim(late)).toMatchObject(REFUSED)
    expect((await call(server, 'GET', '/host/profile', { as: late })).status).toBe(200) // its own session is still valid
  })

  test('verifying a token does not use it up', async () => {
    const host = await buildHost(server)
    for (let time = 0; time < 3; time++)
      expect(await verify(host)).toMatchObject({ status: 200, body: { user: { id: host.id } } })
    expect((await claim(host)).status).toBe(200)
  })

  test('claiming extends neither the session nor the hand-over period', async () => {
    const first = await buildHost(server)
    now += 40_000
    const { body: second } = await claim(first)
    now += 40_000
    expect(await claim(second)).toMatchObject(REFUSED)

    for (let hour = 1; hour < 12; hour++) {
      now += 3_600_000
      expect((await call(server, 'GET', '/host/profile', { as: second })).status).toBe(200)
    }
    now += 3_600_000 - 80_000 + 1
    expect((await call(server, 'GET', '/host/profile', { as: second })).status).toBe(401)
  })

  test('returns no token to a repeat with an Idempotency-Key that can be guessed, and keeps no answer', async () => {
    const host = await buildHost(server)
    const headers = { 'idempotency-key': 'the-same' }
    expect((await call(server, 'POST', '/auth/claim', { as: host, headers })).status).toBe(200)
    expect(await call(server, 'POST', '/auth/claim', { as: host, headers })).toMatchObject(REFUSED)
    expect(await server.deps.db.selectFrom('idempotency_keys').select('key').execute()).toEqual([])
  })

  test.each([
    ['host', buildHost, '/host/profile'],
    ['master', buildMaster, '/admin/hosts'],
  ] as const)('leads the %s who repeats it under the same key into the same session', async (_role, anybody, path) => {
    const handedOver = await anybody(server)
    const first = await claimUnder(KEY, handedOver)
    expect(first.status).toBe(200)
    now += 60_000
    const second = await claimUnder(KEY, handedOver)
    expect(second).toMatchObject({ status: 200, body: first.body })
    expect((await call(server, 'GET', path, { as: second.body })).status).toBe(200)
    const audited = server.deps.db.selectFrom('audit').select('id').where('action', 'like', '%_handed_over')
    expect(await audited.execute()).toHaveLength(1)
  })

  test('refuses a repeat under another key, of another token, too late, and after the end of the session', async () => {
    const [host, other] = [await buildHost(server), await buildHost(server)]
    const first = await claimUnder(KEY, host)
    expect(await claimUnder(`${KEY}x`, host)).toMatchObject(REFUSED)
    expect((await claimUnder(KEY, other)).body.token).not.toBe(first.body.token)
    expect(await claimUnder(KEY, { token: `${host.token}x` })).toMatchObject(REFUSED)
    expect((await claimUnder(KEY, host)).status).toBe(200)
    now += 6 * 60_000 + 1
    expect(await claimUnder(KEY, host)).toMatchObject(REFUSED)

    const third = await buildHost(server)
    const { body } = await claimUnder(KEY, third)
    await call(server, 'POST', '/auth/logout', { as: body })
    expect(await claimUnder(KEY, third)).toMatchObject(REFUSED)
  })

  test.each<[string, () => Promise<SignedIn>, number]>([
    ['that is made up', async () => ({ token: 'abc.def.ghi' }), 401],
    ['of a session that was ended', endedHost, 401],
    ['of a host whose subscription was cancelled', cancelledHost, 401],
    ['of a phone', logInPhone, 403],
  ])('refuses a token %s', async (_whose, signedIn, status) => {
    expect((await claim(await signedIn())).status).toBe(status)
  })

  test('audits a hand-over', async () => {
    const host = await buildHost(server)
    await claim(host)
    const rows = await server.deps.db.selectFrom('audit').selectAll().where('action', '=', 'host_handed_over').execute()
    expect(rows).toMatchObject([{ actor_role: 'host', actor_id: host.id, host_id: host.id, ip: '127.0.0.1' }])
  })
})

async function endedHost(): Promise<SignedIn> {
  const host = await buildHost(server)
  await call(server, 'POST', '/auth/host/logout', { as: host })
  return host
}

async function cancelledHost(): Promise<SignedIn> {
  const host = await buildHost(server)
  await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: await buildMaster(server) })
  return host
}

async function logInPhone(): Promise<SignedIn> {
  const host = await buildHost(server)
  return buildPhone(server, host, await buildRoomUser(server, host))
}
