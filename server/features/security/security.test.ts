import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import { buildHost, buildMaster, call, type SignedIn, type TestHost } from '../../../test/factories/accounts.ts'
import { addTotp } from '../../../test/factories/second-factor.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:10Z')
const server = await setup({ now: () => now })

let host: TestHost
let master: SignedIn & { id: string; email: string }
let other: SignedIn & { id: string; email: string }
beforeEach(async () => {
  now += 48 * HOUR_MS
  await server.deps.requiredFactors.refresh()
  host = await buildHost(server)
  master = await buildMaster(server)
  other = await buildMaster(server)
})

const setRule = (require_second_factor: unknown, as = master) =>
  call(server, 'PUT', '/admin/security', { as, body: { require_second_factor } })
const read = async () => (await call(server, 'GET', '/admin/security', { as: master })).body.data.require_second_factor
const poll = (as: SignedIn) => call(server, 'GET', '/host/online-users', { as })
const list = (as: SignedIn) => call(server, 'GET', '/admin/hosts', { as })
const verify = (as: SignedIn) => call(server, 'POST', '/auth/verify', { as, body: {} })
const REQUIRED = { status: 403, body: { code: 'second_factor_required' } }

describe('a required second factor', () => {
  test('is asked of all who lack one, at their next call, until they have added one', async () => {
    expect(await read()).toBe('nobody')
    await addTotp(server, master)
    expect((await poll(host)).status).toBe(200)
    expect((await list(other)).status).toBe(200)
    expect(await setRule('masters')).toMatchObject({
      status: 200,
      body: { success: true, data: { require_second_factor: 'masters' } },
    })
    expect(await read()).toBe('masters')
    expect(await list(other)).toMatchObject(REQUIRED)
    expect((await list(master)).status).toBe(200)
    expect((await poll(host)).status).toBe(200)
    expect((await verify(host)).body).not.toHaveProperty('must_add_second_factor')

    expect((await setRule('masters_and_hosts')).status).toBe(200)
    expect(await poll(host)).toMatchObject(REQUIRED)
    expect(await call(server, 'POST', '/auth/claim', { as: host })).toMatchObject(REQUIRED)
    expect((await verify(host)).body).toMatchObject({ user: { id: host.id }, must_add_second_factor: true })
    const { second_factor } = (await call(server, 'GET', '/account', { as: host })).body.data
    expect(second_factor).toMatchObject({ totp: false, is_required: true })
    await addTotp(server, host)
    now += 1_000
    expect((await poll(host)).status).toBe(200)
    expect((await verify(host)).body).not.toHaveProperty('must_add_second_factor')
    expect((await call(server, 'POST', '/auth/logout', { as: other })).status).toBe(200)

    expect((await setRule('nobody')).status).toBe(200)
    const changes = await server.deps.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'security_changed')
      .orderBy('seq')
      .execute()
    expect(changes.map(({ actor_id, before, after }) => [actor_id, before, after])).toEqual([
      [master.id, { require_second_factor: 'nobody' }, { require_second_factor: 'masters' }],
      [master.id, { require_second_factor: 'masters' }, { require_second_factor: 'masters_and_hosts' }],
      [master.id, { require_second_factor: 'masters_and_hosts' }, { require_second_factor: 'nobody' }],
    ])
    const { body } = await call(server, 'GET', '/admin/audit?kind=account', { as: master })
    expect(body.data.entries.map(({ action }: { action: string }) => action)).toContain('security_changed')
  })

  test('keeps the last factor of an account', async () => {
    await addTotp(server, master)
    await setRule('masters')
    const remove = () => call(server, 'DELETE', '/account/totp', { as: master })
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await setRule('nobody')
    expect((await remove()).status).toBe(200)
  })

  test('is asked again of an account that has removed it in between', async () => {
    await addTotp(server, master)
    await addTotp(server, other)
    await setRule('masters')
    expect((await list(other)).status).toBe(200)
    await setRule('nobody')
    expect((await call(server, 'DELETE', '/account/totp', { as: other })).status).toBe(200)
    await setRule('masters')
    expect(await list(other)).toMatchObject(REQUIRED)
  })

  test('costs polls no query once it is there', async () => {
    await addTotp(server, master)
    await addTotp(server, host)
    await setRule('masters_and_hosts')
    expect((await poll(host)).status).toBe(200)
    await server.deps.db.deleteFrom('totp_secrets').where('host_id', '=', host.id).execute()
    expect((await poll(host)).status).toBe(200)
  })

  test('is set by a master with a second factor and a fresh confirmation alone', async () => {
    expect(await setRule('masters')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await setRule('masters', host)).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
    await addTotp(server, master)
    for (const value of ['everybody', undefined, null, 7]) expect((await setRule(value)).status).toBe(422)
    now += 15 * MINUTE_MS
    expect(await setRule('masters')).toMatchObject({ status: 403, body: { code: 'confirm_needed' } })
    expect(await read()).toBe('nobody')
  })

  test('is learned from the database, where another server may have changed it', async () => {
    await server.deps.db.insertInto('security_settings').values({ require_second_factor: 'masters' }).execute()
    await server.deps.requiredFactors.refresh()
    expect(await list(other)).toMatchObject(REQUIRED)
  })
})
