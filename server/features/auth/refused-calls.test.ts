import { beforeEach, describe, expect, test } from 'vitest'
import { parseCsv } from '../../../shared/parse-csv.ts'
import {
  buildHost,
  buildMaster,
  buildRoomUser,
  call,
  PASSWORD,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { addTotp } from '../../../test/factories/second-factor.ts'
import { setup } from '../../../test/servers/setup.ts'
import { RefusedCalls } from './refused-calls.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
  host = await buildHost(server)
  server.deps.refusedCalls = new RefusedCalls(server.deps)
})

const guess = (username: string, from: string) =>
  call(server, 'POST', '/auth/host/login', { body: { username, password: 'a guess' }, from })
const phoneGuess = (username: string, from: string) =>
  call(server, 'POST', '/mobile/login', {
    body: { host_id: host.user_id, username, password: 'a guess', device_id: 'a phone', platform: 'ios' },
    from,
  })
const entries = async () => (await readAudit(server, host, 'kind=sign_ins', '/host/audit')).entries

describe('refused sign-ins', () => {
  test('are one row for each account, address and minute, with how often', async () => {
    const user = await buildRoomUser(server, host)
    await guess(host.username, '127.0.5.1')
    expect(await entries()).toMatchObject([{ action: 'host_login_failed', times: 1 }]) // written at once
    for (let n = 0; n < 3; n++) await guess(host.username, '127.0.5.1')
    await guess(host.username, '127.0.5.2')
    for (let n = 0; n < 2; n++) await phoneGuess(user.username, '127.0.5.1')
    for (let n = 0; n < 3; n++) await phoneGuess(`nobody ${n}`, '127.0.5.1')
    now += 60_000
    await guess(host.username, '127.0.5.1')
    expect(await entries()).toMatchObject([
      { action: 'host_login_failed', ip: '127.0.5.1', times: 1 },
      { action: 'phone_login_failed', target: null, times: 3 },
      { action: 'phone_login_failed', target: { id: user.id }, times: 2 },
      { action: 'host_login_failed', ip: '127.0.5.2', times: 1 },
      { action: 'host_login_failed', ip: '127.0.5.1', times: 4 },
    ])
  })

  test('say in the file how often', async () => {
    for (let n = 0; n < 4; n++) await guess(host.username, '127.0.5.1')
    const { body } = await server.app.inject({
      url: '/api/host/audit?format=csv&kind=sign_ins',
      headers: { host: 'localhost:3000', authorization: `Bearer ${host.token}` },
    })
    const [heads, row] = parseCsv(body).map(({ cells }) => cells)
    expect(row?.[heads?.indexOf('times') ?? -1]).toBe('4')
  })

  test('count together at all servers, also after a restart', async () => {
    const other = new RefusedCalls(server.deps)
    const by = { role: 'nobody' as const, id: null, host_id: null, ip: '127.0.5.1', session_id: null }
    for (const one of [other, server.deps.refusedCalls, other, new RefusedCalls(server.deps)])
      await one.audit(by, { action: 'host_login_failed', host_id: host.id })
    expect(await entries()).toMatchObject([{ times: 4 }])
  })

  const writtenToday = (scope: string, written: number) =>
    server.deps.db
      .insertInto('refused_sign_in_days')
      .values({ day: new Date(now).toISOString().slice(0, 10), scope, written })
      .execute()
  const rows = async (table: 'audit' | 'refused_sign_ins' | 'refused_sign_in_days') =>
    (await server.deps.db.selectFrom(table).selectAll().execute()).length

  test('have 2,000 rows a day of one host, and one that says so', async () => {
    await writtenToday(host.id, 1_999)
    for (let n = 1; n < 6; n++) await guess(host.username, `127.0.6.${n}`)
    expect(await entries()).toMatchObject([
      { action: 'sign_in_refusals_capped', actor: { role: 'system' } },
      { action: 'host_login_failed', ip: '127.0.6.1' },
    ])
    expect(await rows('refused_sign_ins')).toBe(1)
    const other = await buildHost(server)
    await guess(other.username, '127.0.6.9')
    expect((await readAudit(server, other, 'kind=sign_ins', '/host/audit')).entries).toHaveLength(1)
    expect(
      (await call(server, 'POST', '/auth/host/login', { body: { username: host.username, password: PASSWORD } }))
        .status,
    ).toBe(200)
    expect((await entries())[0]).toMatchObject({ action: 'host_login' })
    now += 24 * 3_600_000
    host = {
      ...host,
      token: (await call(server, 'POST', '/auth/host/login', { body: { username: host.username, password: PASSWORD } }))
        .body.data.token,
    }
    await guess(host.username, '127.0.6.1')
    expect((await entries())[0]).toMatchObject({ action: 'host_login_failed', ip: '127.0.6.1' })
  })

  test('have 2,000 rows a day of accounts that no host has', async () => {
    const master = await buildMaster(server)
    await writtenToday('none', 1_999)
    for (let n = 1; n < 6; n++) await guess(`nobody ${n}`, `127.0.6.${n}`)
    const { entries: all } = await readAudit(server, master, 'kind=sign_ins')
    expect(all.map(({ action }) => action)).toEqual(['sign_in_refusals_capped', 'host_login_failed'])
  })

  test('have rows of their own after the right password and in a session, which no stranger uses up', async () => {
    const master = await buildMaster(server)
    await addTotp(server, master)
    for (const scope of ['none', host.id, 'all']) await writtenToday(scope, scope === 'all' ? 10_001 : 2_001)
    await guess('nobody', '127.0.6.1')
    const wrongCode = async (from: string) => {
      const body = { email: master.email, password: PASSWORD }
      const first = await call(server, 'POST', '/auth/master-login', { body, from })
      const { challenge } = first.body.second_factor
      await call(server, 'POST', '/auth/second-factor', { body: { challenge, code: '000000' }, from })
    }
    await wrongCode('127.0.6.2')
    await call(server, 'POST', '/account/confirm', { as: host, body: { password: 'a guess' } })
    const listed = async () =>
      (await readAudit(server, master, 'kind=sign_ins')).entries.map(({ action, target }) => [
        action,
        target?.id ?? null,
      ])
    expect((await listed()).slice(0, 3)).toEqual([
      ['confirm_failed', host.id],
      ['second_factor_failed', master.id],
      ['totp_added', master.id],
    ])

    const written = server.deps.db.updateTable('refused_sign_in_days').set({ written: 2_000 })
    await written.where('scope', '=', `account ${master.id}`).execute()
    for (const from of ['127.0.6.3', '127.0.6.4']) await wrongCode(from)
    expect((await listed()).slice(0, 2)).toEqual([
      ['sign_in_refusals_capped', master.id],
      ['confirm_failed', host.id],
    ])
  })

  test('have 10,000 rows a day of all hosts, and one for each host that says so', async () => {
    await writtenToday('all', 9_999)
    const other = await buildHost(server)
    for (let n = 1; n < 4; n++) {
      await guess(host.username, `127.0.6.${n}`)
      await guess(other.username, `127.0.6.${n}`)
    }
    const actions = (await entries()).map(({ action }) => action)
    expect(actions).toEqual(['sign_in_refusals_capped', 'host_login_failed'])
    const ofOther = (await readAudit(server, other, 'kind=sign_ins', '/host/audit')).entries
    expect(ofOther.map(({ action }) => action)).toEqual(['sign_in_refusals_capped'])
    const before = await Promise.all([rows('audit'), rows('refused_sign_ins'), rows('refused_sign_in_days')])
    for (let n = 10; n < 20; n++) await guess(host.username, `127.0.6.${n}`)
    expect(await Promise.all([rows('audit'), rows('refused_sign_ins'), rows('refused_sign_in_days')])).toEqual(before)
  })
})
