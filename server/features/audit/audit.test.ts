import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../shared/audit.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  readAudit,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let master: Awaited<ReturnType<typeof buildMaster>>
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
  master = await buildMaster(server)
  host = await buildHost(server)
})

const read = (query = '', as: SignedIn = master) => readAudit(server, as, query)

async function only(action: string): Promise<AuditEntry> {
  const { entries } = await read(`action=${action}`)
  expect(entries).toHaveLength(1)
  const [entry] = entries
  if (!entry) throw new Error(`No ${action}`)
  return entry
}

const at = () => new Date(now).toISOString()
const ip = '127.0.0.1'

describe('records', () => {
  test('logins, failed logins and logouts', async () => {
    await call(server, 'POST', '/auth/master-login', { body: { email: master.email, password: 'not this one' } })
    const login = await call(server, 'POST', '/auth/master-login', {
      body: { email: master.email, password: PASSWORD },
    })
    await call(server, 'POST', '/auth/logout', { as: login.body })
    await call(server, 'POST', '/auth/host/login', { body: { username: host.username, password: 'my-other-password' } })
    await call(server, 'POST', '/auth/host/login', { body: { username: 'typed-a-password-here', password: 'lamp' } })
    const signedIn = await call(server, 'POST', '/auth/host/login', {
      body: { username: host.username, password: PASSWORD },
    })
    await call(server, 'POST', '/auth/host/logout', { as: signedIn.body.data })

    const { entries } = await read()
    const own = { id: master.id, name: master.email }
    const hosts = { id: host.id, name: host.username }
    expect(entries.slice(0, 7)).toMatchObject([
      { action: 'host_logout', actor: { role: 'host', ...hosts }, host_id: host.id },
      { action: 'host_login', actor: { role: 'host', ...hosts }, target: hosts, ip, at: at() },
      { action: 'host_login_failed', actor: { role: 'nobody', id: null }, host_id: null, target: null, ip },
      { action: 'host_login_failed', actor: { role: 'nobody', id: null }, host_id: host.id, target: hosts, ip },
      { action: 'master_logout', actor: { role: 'master', ...own } },
      { action: 'master_login', actor: { role: 'master', ...own }, host_id: null, ip, at: at() },
      { action: 'master_login_failed', actor: { role: 'nobody', id: null }, target: own, ip },
    ])
    const everything = JSON.stringify(await server.deps.db.selectFrom('audit').selectAll().execute())
    for (const secret of [PASSWORD, 'not this one', 'my-other-password', 'typed-a-password-here', login.body.token])
      expect(everything).not.toContain(secret)
  })

  test('refused phone logins, with the reason', async () => {
    const user = await buildRoomUser(server, host)
    const phone = await buildPhone(server, host, user)
    await phoneLogin(server, host, user, 'another-phone')
    await call(server, 'POST', `/host/users/${user.id}/deactivate`, { as: host })
    await phoneLogin(server, host, user, phone.device_id)
    await call(server, 'POST', `/host/users/${user.id}/activate`, { as: host })
    await call(server, 'POST', '/host/profile/stop', { as: host })
    await phoneLogin(server, host, user, phone.device_id)
    await phoneLogin(server, host, user, phone.device_id, 'not this one')
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
    await phoneLogin(server, host, user, phone.device_id)
    await call(server, 'POST', '/auth/host/login', { body: { username: host.username, password: PASSWORD } })

    const { entries } = await read('action=phone_login_refused')
    expect(entries.map((entry) => entry.after?.code)).toEqual([
      'subscription_cancelled',
      'room_stopped',
      'user_inactive',
      'device_mismatch',
    ])
    expect(entries.at(-1)).toMatchObject({
      actor: { role: 'phone', id: user.id, name: user.username },
      host_id: host.id,
      target: { id: user.id },
      ip,
      after: { device_id: 'another-phone', device_model: 'Pixel 9' },
    })
    expect(await only('phone_login_failed')).toMatchObject({ actor: { role: 'nobody' }, target: { id: user.id } })
    expect(await only('host_login_refused')).toMatchObject({ after: { code: 'subscription_cancelled' } })
  })

  test('calls that the role may not make, as one row for each account and hour', async () => {
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    for (const as of [host, host, phone]) await call(server, 'GET', '/admin/hosts', { as })
    await call(server, 'GET', '/admin/audit', { as: host })
    const { entries } = await read('action=access_refused')
    expect(entries).toMatchObject([
      {
        actor: { role: 'phone', id: phone.id },
        host_id: host.id,
        after: { route: 'GET /api/admin/hosts' },
        ip,
        times: 1,
      },
      { actor: { role: 'host', id: host.id }, host_id: host.id, after: { route: 'GET /api/admin/hosts' }, times: 2 },
    ])
  })

  test('mutes and bulk actions, with the state before', async () => {
    const first = await buildRoomUser(server, host)
    const second = await buildRoomUser(server, host)
    const act = (path: string, body?: unknown) => call(server, 'POST', path, { as: host, body })
    await act(`/host/users/${first.id}/mute`)
    await act('/host/users/bulk/mute', { userIds: [first.id, second.id] })
    await act('/host/trigger-bulk-mute/mute')
    await act('/host/trigger-bulk-mute/unmute')
    await act('/host/users/bulk/delete', { userIds: [first.id, second.id] })

    const by = { actor: { role: 'host', id: host.id, name: host.username }, host_id: host.id, ip }
    const [bulk, single] = (await read('action=user_mute')).entries
    expect(single).toMatchObject({
      ...by,
      target: { id: first.id, name: null },
      before: { is_muted: false },
      after: { is_muted: true },
    })
    expect(bulk).toMatchObject({
      ...by,
      target: null,
      before: { users: [{ id: second.id, is_muted: false }] },
      after: { is_muted: true, users_unchanged: 1 },
    })
    expect(await only('mute_all')).toMatchObject({
      before: { host_mute_all_active: false },
      after: { host_mute_all_active: true },
    })
    expect(await only('unmute_all')).toMatchObject({ after: { host_mute_all_active: false, users_changed: 2 } })
    expect((await only('user_delete')).before?.users).toEqual(
      expect.arrayContaining([{ id: second.id, user_id: second.user_id, username: second.username, reference: null }]),
    )
  })

  test('edits, with the changed fields only, and never a password', async () => {
    const user = await buildRoomUser(server, host, { username: 'amina', user_id: 'U000001' })
    await call(server, 'PUT', `/host/users/${user.id}`, {
      as: host,
      body: { username: 'amina k', user_id: 'U000001', password: 'a-new-password' },
    })
    await call(server, 'PUT', `/admin/hosts/${host.id}`, {
      as: master,
      body: { username: host.username, email: 'new@example.com', password: 'a-new-password' },
    })
    await call(server, 'PUT', '/host/app-info', {
      as: { token: await reLogin() },
      body: { password: 'a-new-password', message: 'Hello' },
    })

    expect(await only('user_edited')).toMatchObject({ target: { id: user.id, name: 'amina k' } })
    expect((await only('user_edited')).before).toEqual({ username: 'amina', password: null })
    expect((await only('user_edited')).after).toEqual({ username: 'amina k', password: true })
    expect(await only('host_edited')).toMatchObject({
      actor: { role: 'master', name: master.email },
      target: { id: host.id, name: host.username },
      before: { email: host.email, password: null },
      after: { email: 'new@example.com', password: true },
    })
    expect((await only('app_info_edited')).after).toEqual({ message: 'Hello', password: true })
    const everything = JSON.stringify(await server.deps.db.selectFrom('audit').selectAll().execute())
    expect(everything).not.toContain('a-new-password')
    expect(everything).not.toContain('$argon2')
  })

  test('subscriptions before and after, with the IP address', async () => {
    await call(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, {
      as: master,
      body: { additional_months: 1 },
    })
    expect(await only('subscription_extended')).toMatchObject({
      actor: { role: 'master', id: master.id },
      host_id: host.id,
      host_name: host.username,
      ip,
      before: { subscription_end_date: host.subscription_end_date },
      after: { subscription_status: 'active' },
    })
  })
})

test('hides secrets by the names of their fields', async () => {
  const after = { password: 'one', has_password: true, nested: [{ access_token: 'two', passcode: 333 }], name: 'ana' }
  await audit(server.deps, server.deps.db, SYSTEM, { action: 'host_edited', after })
  expect((await only('host_edited')).after).toEqual({
    password: '[hidden]',
    has_password: true,
    nested: [{ access_token: '[hidden]', passcode: '[hidden]' }],
    name: 'ana',
  })
})

async function reLogin(): Promise<string> {
  const login = await call(server, 'POST', '/auth/host/login', {
    body: { username: host.username, password: 'a-new-password' },
  })
  return login.body.data.token
}
