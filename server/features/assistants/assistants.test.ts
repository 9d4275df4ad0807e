import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  readAudit,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { addTotp } from '../../../test/factories/second-factor.ts'
import { setup } from '../../../test/servers/setup.ts'

const NEW = 'seven green kettles'
let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setup({ now: () => now })

let host: TestHost
let master: SignedIn
beforeEach(async () => {
  now += 12 * HOUR_MS
  host = await buildHost(server)
  master = await buildMaster(server)
})

const add = (body: object, as: SignedIn = host, headers = {}) =>
  call(server, 'POST', '/host/assistants', { as, body, headers })
const edit = (id: string, body: object, as: SignedIn = host) =>
  call(server, 'PUT', `/host/assistants/${id}`, { as, body })
const invite = (id: string, body?: object, as: SignedIn = host) =>
  call(server, 'POST', `/host/assistants/${id}/invite-link`, { as, body })
const remove = (id: string, as: SignedIn = host) => call(server, 'DELETE', `/host/assistants/${id}`, { as })
const list = async (as: SignedIn = host) => (await call(server, 'GET', '/host/assistants', { as })).body.data.assistants
const useLink = (url: string, password = NEW) =>
  call(server, 'POST', '/auth/links/use', { body: { token: url.split('#')[1], password } })
const login = (username: string, password = NEW) =>
  call(server, 'POST', '/auth/host/login', { body: { username, password } })
const reads = (as: SignedIn) => call(server, 'GET', '/host/online-users', { as })
const numberOfAssistants = async () =>
  (await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })).body.data.assistant_count

describe('an assistant', () => {
  test('is added, sets a password with the link, and signs in', async () => {
    expect(await numberOfAssistants()).toBe(0)
    const added = await add({ name: ' Deputy ', role: 'moderator' })
    expect(added.status).toBe(200)
    expect(added.headers['cache-control']).toBe('no-store')
    const { assistant, url, expires_at } = added.body.data
    const invited_until = new Date(now + 7 * DAY_MS).toISOString()
    expect(expires_at).toBe(invited_until)
    expect(assistant).toEqual({
      id: expect.any(String),
      name: 'Deputy',
      role: 'moderator',
      login_name: `Deputy@${host.username}`,
      is_active: false,
      has_second_factor: false,
      created_at: new Date(now).toISOString(),
      last_active_at: null,
      invited_until,
    })
    expect(await list()).toEqual([assistant])
    const looked = await call(server, 'POST', '/auth/links/look', { body: { token: url.split('#')[1] } })
    expect(looked.body.data).toMatchObject({ purpose: 'assistant_invite', account: assistant.login_name })
    expect((await login(assistant.login_name)).status).toBe(400)
    expect((await useLink(url)).status).toBe(200)
    expect((await useLink(url)).body.code).toBe('link_invalid')

    const { status, body } = await login(assistant.login_name)
    expect({ status, role: body.data.user.role }).toEqual({ status: 200, role: 'moderator' })
    await addTotp(server, body.data)
    const shown = { ...assistant, is_active: true, has_second_factor: true, invited_until: null }
    expect(await list()).toEqual([{ ...shown, last_active_at: new Date(now).toISOString() }])
    expect(await numberOfAssistants()).toBe(1)
  })

  test('is invited until the link expires, not until a job removes it', async () => {
    const { assistant } = (await add({ name: 'Deputy', role: 'moderator' })).body.data
    now += 7 * DAY_MS - 1
    host = { ...host, token: await openSession(server, host.id) }
    expect(await list()).toMatchObject([{ invited_until: assistant.invited_until }])
    now += 1
    expect(await list()).toMatchObject([{ is_active: false, invited_until: null }])
    const renewed = (await invite(assistant.id)).body.data.expires_at
    expect(await list()).toMatchObject([{ invited_until: renewed }])
  })

  test('has a name that is unique in the room, in whatever letters', async () => {
    expect((await add({ name: 'Deputy', role: 'manager' })).status).toBe(200)
    for (const name of ['deputy', 'ＤＥＰＵＴＹ'])
      expect(await add({ name, role: 'manager' })).toMatchObject({
        status: 409,
        body: { code: 'conflict', errors: [{ path: 'name' }] },
      })
    expect((await add({ name: 'Deputy', role: 'manager' }, await buildHost(server))).status).toBe(200)
    const { body } = await add({ name: 'Second', role: 'manager' })
    const { id } = body.data.assistant
    expect((await edit(id, { name: 'DEPUTY' })).status).toBe(409)
    expect((await edit(id, { name: 'SECOND' })).body.data.assistant.login_name).toBe(`SECOND@${host.username}`)
  })

  test.each([
    [{}],
    [{ name: 'Deputy' }],
    [{ name: 'D', role: 'manager' }],
    [{ name: 'x'.repeat(33), role: 'manager' }],
    [{ name: 'a@b', role: 'manager' }],
    [{ name: 'a＠b', role: 'manager' }],
    [{ name: 'zero\u200bwidth', role: 'manager' }],
    [{ name: 7, role: 'manager' }],
    [{ name: 'Deputy', role: 'host' }],
    [{ name: 'Deputy', role: 'master' }],
    [[]],
  ])('is not made of %j', async (body) => {
    expect((await add(body)).status).toBe(422)
    expect(await list()).toEqual([])
  })

  test('is one of twenty', async () => {
    for (let n = 0; n < 20; n++) await buildAssistant(server, host, 'moderator')
    const { body } = await add({ name: 'One more', role: 'moderator' })
    expect(body).toMatchObject({ code: 'conflict' })
    const [first] = await list()
    expect((await remove(first.id)).status).toBe(200)
    expect((await add({ name: 'One more', role: 'moderator' })).status).toBe(200)
  })

  test('and a host never sign in with one name', async () => {
    const { username } = host
    const other = await buildHost(server, { username: `deputy@${username}` })
    const refused = { status: 422, body: { code: 'invalid_input', errors: [{ path: 'name' }] } }
    expect(await add({ name: 'Deputy', role: 'manager' })).toMatchObject(refused)
    const { body } = await add({ name: 'Second', role: 'manager' })
    expect(await edit(body.data.assistant.id, { name: 'deputy' })).toMatchObject(refused)

    const asMaster = (path: string, fields: object, method: 'POST' | 'PUT' = 'PUT') =>
      call(server, method, path, { as: master, body: fields })
    const taken = { status: 422, body: { code: 'invalid_input', errors: [{ path: 'username' }] } }
    const fields = { username: `SECOND@${username}`, email: 'second@example.com', password: PASSWORD }
    expect(await asMaster('/admin/hosts/integrate', fields, 'POST')).toMatchObject(taken)
    expect(await asMaster(`/admin/hosts/${other.id}`, { username: fields.username })).toMatchObject(taken)
    const third = await buildHost(server, { username: `second@x${username}` })
    expect(await asMaster(`/admin/hosts/${host.id}`, { username: `x${username}` })).toMatchObject(taken)
    await call(server, 'DELETE', `/admin/hosts/${third.id}`, { as: master })
    expect((await asMaster(`/admin/hosts/${host.id}`, { username: `x${username}` })).status).toBe(200)
    expect(await call(server, 'POST', `/admin/hosts/${third.id}/restore`, { as: master })).toMatchObject(taken)
  })

  test('and a host that are made at the same moment do not get one name', async () => {
    const fields = { email: `race${now}@example.com`, username: `racer@${host.username}`, password: PASSWORD }
    const made = await Promise.all([
      add({ name: 'Racer', role: 'manager' }),
      call(server, 'POST', '/admin/hosts/integrate', { as: master, body: fields }),
    ])
    expect(made.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

describe('a changed role', () => {
  test('ends the sessions at once, and the rights are those of the new one', async () => {
    const deputy = await buildAssistant(server, host, 'moderator')
    expect((await edit(deputy.id, { name: 'Renamed' })).status).toBe(200)
    expect((await reads(deputy)).status).toBe(200)
    expect((await edit(deputy.id, { role: 'manager' })).body.data.assistant.role).toBe('manager')
    expect(await reads(deputy)).toMatchObject({ status: 401, body: { reason: 'role_changed' } })
    const { body } = await login(`renamed@${host.username}`, PASSWORD)
    expect(body.data.user.role).toBe('manager')
    expect((await call(server, 'GET', '/host/users', { as: body.data })).status).toBe(200)
    const { entries } = await readAudit(server, host, 'action=assistant_edited', '/host/audit')
    expect(entries).toMatchObject([
      { before: { role: 'moderator' }, after: { role: 'manager' } },
      { after: { name: 'Renamed' } },
    ])
  })
})

describe('an invitation', () => {
  test('is replaced by a newer one, which serves for a lost password too', async () => {
    const deputy = await buildAssistant(server, host, 'moderator')
    const first = (await invite(deputy.id)).body.data
    const second = (await invite(deputy.id, { remove_second_factor: true })).body.data
    expect((await useLink(first.url)).body.code).toBe('link_invalid')
    expect((await login(deputy.login_name, PASSWORD)).status).toBe(200)
    expect((await useLink(second.url)).status).toBe(200)
    expect(await reads(deputy)).toMatchObject({ status: 401, body: { reason: 'reset' } })
    expect((await login(deputy.login_name, PASSWORD)).status).toBe(400)
    expect((await login(deputy.login_name)).status).toBe(200)
    expect((await reads(host)).status).toBe(200)
  })

  test('is void once the assistant is removed, has another password, or its host is cancelled', async () => {
    const deputy = await buildAssistant(server, host, 'moderator')
    const link = async () => (await invite(deputy.id)).body.data.url
    const changed = await link()
    const body = { current_password: PASSWORD, new_password: NEW }
    expect((await call(server, 'POST', '/account/password', { as: deputy, body })).status).toBe(200)
    expect((await useLink(changed)).body.code).toBe('link_invalid')
    const removed = await link()
    await remove(deputy.id)
    expect((await useLink(removed)).body.code).toBe('link_invalid')
    const cancelled = (await add({ name: 'Second', role: 'manager' })).body.data.url
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
    expect((await useLink(cancelled)).body.code).toBe('link_invalid')
  })

  test('is made once under one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'one' }
    expect((await add({ name: 'Deputy', role: 'manager' }, host, key)).status).toBe(200)
    expect(await add({ name: 'Deputy', role: 'manager' }, host, key)).toMatchObject({ status: 409 })
    expect(await list()).toHaveLength(1)
    const stored = await server.deps.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(stored.filter(({ response_ciphertext }) => response_ciphertext !== null)).toEqual([])
  })
})

describe('a removed assistant', () => {
  test('is out at once, frees its name, and keeps it in the log', async () => {
    const deputy = await buildAssistant(server, host, 'manager', 'Deputy')
    const { id } = await buildRoomUser(server, host)
    await call(server, 'POST', `/host/users/${id}/mute`, { as: deputy })
    expect((await remove(deputy.id)).status).toBe(200)
    expect(await reads(deputy)).toMatchObject({ status: 401, body: { reason: 'removed' } })
    expect((await login(deputy.login_name, PASSWORD)).status).toBe(400)
    expect(await list()).toEqual([])
    expect(await numberOfAssistants()).toBe(0)
    for (const again of [await remove(deputy.id), await edit(deputy.id, { name: 'Other' }), await invite(deputy.id)])
      expect(again.status).toBe(404)
    expect((await add({ name: 'Deputy', role: 'moderator' })).status).toBe(200)

    const { entries } = await readAudit(server, host, `actor=${deputy.id}`, '/host/audit')
    expect(entries).toMatchObject([
      { action: 'user_mute', actor: { role: 'assistant', id: deputy.id, name: 'Deputy' }, after: { role: 'manager' } },
    ])
    expect((await readAudit(server, master, `actor=${deputy.id}`)).entries).toHaveLength(1)
    const all = await readAudit(server, host, 'actor=assistant', '/host/audit')
    expect(all.entries.length).toBe(1)
    const removal = await readAudit(server, host, 'action=assistant_removed', '/host/audit')
    expect(removal.entries).toMatchObject([{ target: { name: 'Deputy' }, before: { name: 'Deputy', role: 'manager' } }])
  })
})

test("another host's assistants do not exist", async () => {
  const other = await buildHost(server)
  const deputy = await buildAssistant(server, host, 'manager')
  const acts = (id: string) => [edit(id, { role: 'moderator' }, other), invite(id, {}, other), remove(id, other)]
  const absent = (await Promise.all(acts(randomUUID()))).map(({ status, body }) => ({ status, body }))
  expect((await Promise.all(acts(deputy.id))).map(({ status, body }) => ({ status, body }))).toEqual(absent)
  expect(absent.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(await list(other)).toEqual([])
  expect((await reads(deputy)).status).toBe(200)
})

test('each change needs a confirmation', async () => {
  const deputy = await buildAssistant(server, host, 'moderator')
  now += 16 * MINUTE_MS
  const acts = () => [
    add({ name: 'Second', role: 'manager' }),
    edit(deputy.id, { role: 'manager' }),
    invite(deputy.id),
    remove(deputy.id),
  ]
  for (const { status, body } of await Promise.all(acts()))
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'confirm_needed' })
  expect(await list()).toMatchObject([{ id: deputy.id, role: 'moderator', invited_until: null }])
})

test('assistants cannot be seen or changed by an assistant', async () => {
  for (const role of ['manager', 'moderator'] as const) {
    const deputy = await buildAssistant(server, host, role)
    const acts = [add({ name: 'Mine', role: 'manager' }, deputy), edit(deputy.id, { role: 'manager' }, deputy)]
    acts.push(invite(deputy.id, {}, deputy), remove(deputy.id, deputy))
    acts.push(call(server, 'GET', '/host/assistants', { as: deputy }))
    for (const { status, body } of await Promise.all(acts))
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'not_allowed' })
  }
  expect(await list()).toHaveLength(2)
})
