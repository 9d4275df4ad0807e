import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  phoneLogin,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { clearSignInLinks } from '../auth/jobs.ts'

const DAY = 24 * 3_600_000
let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let user: RoomUser

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
  host = await buildHost(server)
  user = await buildRoomUser(server, host)
})

const make = (id = user.id, as = host) => call(server, 'POST', `/host/users/${id}/sign-in-link`, { as })
const tokenIn = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('link') ?? ''
const linkFor = async (id = user.id): Promise<string> => tokenIn((await make(id)).body.data.url)
const signIn = (link_token: unknown, fields: object = {}, from?: string) => {
  const device = { device_id: 'new', device_secret: null, device_model: 'iPhone 17', platform: 'web' }
  const body = { host_id: host.user_id, link_token, ...device, ...fields }
  return call(server, 'POST', '/mobile/link-login', { body, ...(from && { from }) })
}
const act = (action: string, id = user.id) => call(server, 'POST', `/host/users/${id}/${action}`, { as: host })
const revoke = (id = user.id, as = host) => call(server, 'DELETE', `/host/users/${id}/sign-in-link`, { as })
const listed = async (as = host) => (await call(server, 'GET', '/host/sign-in-links', { as })).body.data.links
const newHostPassword = async () => {
  const body = { password: 'quite another one' }
  return call(server, 'PUT', `/admin/hosts/${host.id}`, { as: await buildMaster(server), body })
}
async function approvePhone() {
  await buildPhone(server, host, user)
  const device = { device_id: 'next', device_model: 'iPhone 17', platform: 'web' }
  const body = { host_id: host.user_id, username: user.username, password: PASSWORD, ...device }
  expect((await call(server, 'POST', '/mobile/phone-requests', { body })).status).toBe(200)
  return call(server, 'POST', `/host/phone-requests/${user.id}/approve`, { as: host })
}
const stored = () => server.deps.db.selectFrom('sign_in_links').selectAll().execute()
const INVALID = {
  status: 400,
  body: {
    code: 'link_invalid',
    message: 'This link has been used or has run out. Please ask your host for a new one.',
  },
}

describe('a one-time link', () => {
  test('signs a phone in without a password, binds it, and is spent', async () => {
    const { status, headers, body } = await make()
    const expires_at = new Date(now + DAY).toISOString()
    expect({ status, expires_at: body.data.expires_at }).toEqual({ status: 200, expires_at })
    expect(headers['cache-control']).toBe('no-store')
    const token = tokenIn(body.data.url)
    expect(body.data.url).toBe(`http://phone.localhost:3000/?host=${host.user_id}#link=${token}`)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)

    const login = await signIn(token)
    const { password: _, ...byPassword } = (await phoneLogin(server, host, user, 'new')).body.data
    expect(login.status).toBe(200)
    expect(login.body.data).toEqual({
      ...byPassword,
      token: expect.any(String),
      device_secret: expect.any(String),
    })
    expect(login.body.data.user).toMatchObject({ id: user.id, is_host: false })
    expect(await phoneLogin(server, host, user, 'another')).toMatchObject({ body: { code: 'device_mismatch' } })
    expect(await signIn(token)).toMatchObject(INVALID)
    expect(await stored()).toEqual([])
  })

  test('opens a session that works, and ends the one before', async () => {
    const phone = await buildPhone(server, host, user)
    const { body } = await signIn(await linkFor(), { device_id: phone.device_id })
    expect((await call(server, 'GET', '/mobile/me', { as: body.data })).status).toBe(200)
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).body.reason).toBe('signed_in_elsewhere')
  })

  test('signs in one of many phones that use it at once', async () => {
    const token = await linkFor()
    const devices = Array.from({ length: 8 }, (_, n) => ({ device_id: `phone ${n}` }))
    const answers = await Promise.all(devices.map((device, n) => signIn(token, device, `127.0.4.${n + 1}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)])
    for (const { status, body } of answers) if (status === 400) expect(body.code).toBe('link_invalid')
  })

  test('is replaced by a later one of the same user, and by none of another', async () => {
    const other = await buildRoomUser(server, host)
    const [first, others, second] = [await linkFor(), await linkFor(other.id), await linkFor()]
    expect(new Set([first, others, second]).size).toBe(3)
    expect(await signIn(first)).toMatchObject(INVALID)
    expect((await signIn(others)).body.data.user.id).toBe(other.id)
    expect((await signIn(second)).body.data.user.id).toBe(user.id)
  })

  test('lasts 24 hours, and is then swept away', async () => {
    const token = await linkFor()
    now += DAY - 1
    expect(await clearSignInLinks.run(server.deps)).toBe(0)
    const late = await buildRoomUser(server, { ...host, token: await openSession(server, host.id) })
    now += 1
    expect(await signIn(token)).toMatchObject(INVALID)
    host.token = await openSession(server, host.id)
    const fresh = await linkFor(late.id)
    now += 1
    expect(await clearSignInLinks.run(server.deps)).toBe(1)
    expect((await signIn(fresh)).status).toBe(200)
  })

  test('is stored as a hash alone', async () => {
    const token = await linkFor()
    expect(JSON.stringify(await stored())).not.toContain(token)
    expect((await signIn(token)).status).toBe(200)
  })

  const makeOnce = () =>
    call(server, 'POST', `/host/users/${user.id}/sign-in-link`, { as: host, headers: { 'idempotency-key': 'one' } })

  test('is made once under an Idempotency-Key, and kept for no repeat', async () => {
    const answers = await Promise.all([makeOnce(), makeOnce(), makeOnce()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const repeat = await makeOnce()
    expect(repeat).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(repeat.body.message).toContain('may have succeeded')
    const { entries } = await readAudit(server, host, 'action=sign_in_link_made', '/host/audit')
    expect(entries).toHaveLength(1)
    const kept = await server.deps.db.selectFrom('idempotency_keys').select(['key', 'response_ciphertext']).execute()
    expect(kept).toEqual([{ key: 'one', response_ciphertext: null }])
    const [made] = answers.flatMap(({ status, body }) => (status === 200 ? [body.data.url] : []))
    expect((await signIn(tokenIn(made))).status).toBe(200)
  })

  test('can be made under a key that was refused before', async () => {
    await act('deactivate')
    expect((await makeOnce()).body.code).toBe('user_inactive')
    await act('activate')
    expect((await makeOnce()).status).toBe(200)
  })
})

describe('a phone whose answer was lost', () => {
  const me = (token: string) => call(server, 'GET', '/mobile/me', { as: { token } })
  const owner = (link_token: string) =>
    call(server, 'POST', '/mobile/link-owner', { body: { host_id: host.user_id, link_token } })

  test('may use the link again until it has used its session, and no other phone may', async () => {
    const token = await linkFor()
    const lost = (await signIn(token)).body.data
    expect(await signIn(token, { device_id: 'another' })).toMatchObject(INVALID)
    expect((await owner(token)).body.data.username).toBe(user.username)
    const second = (await signIn(token)).body.data
    expect(second.device_secret).not.toBe(lost.device_secret)
    expect(await me(lost.token)).toMatchObject({ status: 401, body: { reason: 'signed_in_elsewhere' } })
    expect((await signIn(token)).status).toBe(200)
    const { body } = await signIn(token)
    expect((await me(body.data.token)).status).toBe(200)
    expect(await owner(token)).toMatchObject(INVALID)
    expect(await signIn(token, { device_secret: body.data.device_secret })).toMatchObject(INVALID)
  })

  test('may do so for a quarter of an hour from the first time, however often', async () => {
    const token = await linkFor()
    for (const minutes of [0, 5, 9]) {
      now += minutes * 60_000
      expect((await signIn(token)).status).toBe(200)
    }
    now += 60_000
    expect(await signIn(token)).toMatchObject(INVALID)
  })

  test('may do so twenty times in a row, and then ten times a minute', async () => {
    const token = await linkFor()
    for (let n = 0; n < 21; n++) expect((await signIn(token)).status).toBe(200)
    expect(await signIn(token)).toMatchObject({ status: 429, headers: { 'retry-after': '6' } })
    now += 6_000
    expect((await signIn(token)).status).toBe(200)
  })

  test('proves itself by its secret if it had one before', async () => {
    const { device_secret } = (await phoneLogin(server, host, user, 'new')).body.data
    const token = await linkFor()
    const fields = { device_secret }
    expect((await signIn(token, fields)).status).toBe(200)
    expect(await signIn(token)).toMatchObject({ body: { code: 'device_mismatch' } })
    expect((await signIn(token, fields)).status).toBe(200)
  })

  test.each([
    [
      'for a quarter of an hour',
      async () => {
        now += 15 * 60_000
      },
    ],
    ['unless the host signs it out', () => act('logout')],
    ['unless the host frees the user from it', () => act('switch')],
    ['unless the user gets another session', () => phoneLogin(server, host, user, 'new')],
  ])('%s', async (_, event) => {
    const token = await linkFor()
    expect((await signIn(token)).status).toBe(200)
    await event()
    expect(await signIn(token)).toMatchObject(INVALID)
    expect(await owner(token)).toMatchObject(INVALID)
  })
})

describe('a phone that is refused for another reason leaves the link valid', () => {
  test('where another one is bound', async () => {
    const old = await buildPhone(server, host, user)
    const token = await linkFor()
    for (let n = 0; n < 3; n++)
      expect(await signIn(token)).toMatchObject({ status: 403, body: { code: 'device_mismatch' } })
    expect((await call(server, 'GET', '/mobile/me', { as: old })).status).toBe(200)
    expect((await signIn(token, { device_id: old.device_id })).status).toBe(200)
  })

  test('where the room is stopped', async () => {
    const token = await linkFor()
    await call(server, 'POST', '/host/profile/stop', { as: host })
    expect(await signIn(token)).toMatchObject({ status: 403, body: { code: 'room_stopped' } })
    await call(server, 'POST', '/host/profile/activate', { as: host })
    expect((await signIn(token)).status).toBe(200)
  })

  test('where the subscription has ended or was cancelled', async () => {
    const token = await linkFor()
    const set = (columns: object) =>
      server.deps.db.updateTable('hosts').set(columns).where('id', '=', host.id).execute()
    await set({ subscription_end_date: new Date(now - 1) })
    expect(await signIn(token)).toMatchObject({ status: 403, body: { code: 'subscription_inactive' } })
    await set({ subscription_end_date: new Date(now + DAY), subscription_cancelled_at: new Date(now) })
    expect(await signIn(token)).toMatchObject({ status: 403, body: { code: 'subscription_cancelled' } })
    await set({ subscription_cancelled_at: null })
    expect((await signIn(token)).status).toBe(200)
  })

  test('and may try twenty times in a row', async () => {
    await buildPhone(server, host, user)
    const token = await linkFor()
    for (let n = 0; n < 20; n++) expect((await signIn(token, {}, `127.0.5.${n + 1}`)).status).toBe(403)
    expect(await signIn(token, {}, '127.0.5.99')).toMatchObject({ status: 429, headers: { 'retry-after': '6' } })
  })

  test('and holds up the room no more than that, however many try at once', async () => {
    await buildPhone(server, host, user)
    const token = await linkFor()
    const transactions = vi.spyOn(server.deps.db, 'transaction')
    const answers = await Promise.all(Array.from({ length: 60 }, () => signIn(token)))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([count(403), count(429)]).toEqual([20, 40])
    // One transaction for each attempted sign-in, and one for its row in the audit.
    expect(transactions.mock.calls.length).toBeLessThan(60)
    transactions.mockRestore()
  })
})

describe('a link is void', () => {
  const edit = (password: string) => {
    const body = { username: user.username, user_id: user.user_id, password }
    return call(server, 'PUT', `/host/users/${user.id}`, { as: host, body })
  }

  test.each<[string, () => Promise<unknown>]>([
    ['when the user gets another password', () => edit('another good lamp')],
    ['when the user is deactivated, also once it is active again', () => act('deactivate').then(() => act('activate'))],
    ['when the user is deleted', () => act('delete')],
    ["when the user's phone is signed out", () => act('logout')],
    ["when the user's phone is switched", () => act('switch')],
    ['when the host lets a new phone in', approvePhone],
    ['when a master sets another password for the host', newHostPassword],
    ['when it is revoked', () => revoke()],
    [
      'when many users are deactivated',
      async () => {
        const body = { userIds: [user.id, randomUUID()] }
        for (const action of ['deactivate', 'activate'])
          await call(server, 'POST', `/host/users/bulk/${action}`, { as: host, body })
      },
    ],
    [
      'when the host is deleted, also once it is restored',
      async () => {
        const as = await buildMaster(server)
        await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as })
        expect((await call(server, 'POST', `/admin/hosts/${host.id}/restore`, { as })).status).toBe(200)
      },
    ],
  ])('%s', async (_, event) => {
    const token = await linkFor()
    await event()
    expect(await signIn(token)).toMatchObject(INVALID)
    expect(await stored()).toEqual([])
  })

  test('while its host is deleted', async () => {
    const token = await linkFor()
    await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
    expect(await signIn(token)).toMatchObject(INVALID)
  })

  test('not by an edit that keeps the password, nor by muting, nor with that of another user', async () => {
    const other = await buildRoomUser(server, host)
    const token = await linkFor()
    await edit('')
    for (const action of ['mute', 'unmute', 'activate']) await act(action)
    for (const action of ['logout', 'switch', 'deactivate']) await act(action, other.id)
    expect((await signIn(token)).status).toBe(200)
  })

  test("under another host's id", async () => {
    const stranger = await buildHost(server)
    const token = await linkFor()
    for (const host_id of [stranger.user_id, 'H999999', 'x'])
      expect(await signIn(token, { host_id })).toMatchObject(INVALID)
    expect((await signIn(token, { host_id: host.user_id.toLowerCase() })).status).toBe(200)
  })
})

describe('no link is made', () => {
  test.each([
    ["for another host's user", () => buildHost(server).then((other) => buildRoomUser(server, other))],
    ['for one that does not exist', async () => ({ id: randomUUID() })],
    ['for what is no id', async () => ({ id: 'U000001' })],
    ['for one that was deleted', () => act('delete').then(() => user)],
    ['for the host itself', async () => host],
  ])('%s', async (_, whose) => {
    const { id } = await whose()
    expect(await make(id)).toMatchObject({ status: 404, body: { code: 'not_found', message: 'User not found' } })
    expect(await stored()).toEqual([])
  })

  test('for a user who is not active', async () => {
    await act('deactivate')
    expect(await make()).toMatchObject({ status: 403, body: { code: 'user_inactive' } })
    expect(await stored()).toEqual([])
  })

  test('once its host is deleted, though the call was let in before', async () => {
    await server.deps.db
      .updateTable('hosts')
      .set({ deleted_at: new Date(now) })
      .where('id', '=', host.id)
      .execute()
    expect((await make()).status).toBe(404)
    expect(await stored()).toEqual([])
  })

  test('by a session that has ended, though the call was let in before', async () => {
    await listed() // caches the session
    const ended = { ended_at: new Date(now), end_reason: 'password_changed' }
    await server.deps.db.updateTable('sessions').set(ended).where('host_id', '=', host.id).execute()
    expect(await make()).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
    expect(await stored()).toEqual([])
  })

  test('beyond sixty a minute', async () => {
    for (let n = 0; n < 60; n++) expect((await make()).status).toBe(200)
    expect(await make()).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
  })
})

describe('the open links of a room', () => {
  test('are listed by user until they are used, run out or are void, and in no other room', async () => {
    const [bela, cyra, dora] = [
      await buildRoomUser(server, host),
      await buildRoomUser(server, host),
      await buildRoomUser(server, host),
    ]
    const links = new Map<string, string>()
    for (const { id } of [bela, cyra, dora, user]) {
      links.set(id, await linkFor(id))
      now += 1
    }
    await linkFor(cyra.id)
    const until = (ms: number) => new Date(now + DAY - ms).toISOString()
    expect(await listed()).toEqual([
      { id: bela.id, expires_at: until(4) },
      { id: dora.id, expires_at: until(2) },
      { id: user.id, expires_at: until(1) },
      { id: cyra.id, expires_at: until(0) },
    ])
    expect(await listed(await buildHost(server))).toEqual([])
    await signIn(links.get(bela.id), { device_id: 'one' })
    await act('logout', dora.id)
    expect(await listed()).toMatchObject([{ id: user.id }, { id: cyra.id }])
    now += DAY - 1
    host.token = await openSession(server, host.id)
    expect(await listed()).toMatchObject([{ id: cyra.id }])
  })

  test('can be revoked, each once, by the own host alone', async () => {
    const token = await linkFor()
    const none = { status: 404, body: { code: 'not_found', message: 'This user has no open link any more.' } }
    expect(await revoke(user.id, await buildHost(server))).toMatchObject(none)
    expect(await listed()).toHaveLength(1)
    const both = await Promise.all([revoke(), revoke()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect(await listed()).toEqual([])
    expect(await signIn(token)).toMatchObject(INVALID)
    for (const id of [user.id, randomUUID(), 'U000001']) expect(await revoke(id)).toMatchObject(none)
    const { entries } = await readAudit(server, host, 'action=sign_in_link_revoked', '/host/audit')
    expect(entries).toMatchObject([{ target: { id: user.id }, before: { expires_at: expect.any(String) } }])
  })

  test('are not revoked once they have run out, or were used', async () => {
    await signIn(await linkFor())
    expect((await revoke()).status).toBe(404)
    await linkFor()
    now += DAY
    host.token = await openSession(server, host.id)
    expect((await revoke()).status).toBe(404)
  })
})

describe('POST /mobile/link-login', () => {
  test.each<[string, unknown, object]>([
    ['no link', undefined, {}],
    ['an empty link', '', {}],
    ['a link that is a number', 7, {}],
    ['a link that is a list', ['x'], {}],
    ['a link that is too long', 'x'.repeat(129), {}],
    ['no host', 'x', { host_id: undefined }],
    ['no phone', 'x', { device_id: undefined }],
    ['an unknown platform', 'x', { platform: 'fridge' }],
  ])('refuses %s', async (_, link, fields) => {
    expect((await signIn(link, fields)).status).toBe(422)
  })

  test('and what says whose a link is count wrong links together, and that uses none up', async () => {
    const token = await linkFor()
    const ownerOf = (link_token: string, from?: string, host_id = host.user_id) =>
      call(server, 'POST', '/mobile/link-owner', { body: { host_id, link_token }, ...(from && { from }) })
    for (let n = 0; n < 2; n++)
      expect((await ownerOf(token)).body.data).toEqual({ username: user.username, room_name: host.room_name })
    const stranger = await buildHost(server)
    expect(await ownerOf(token, undefined, stranger.user_id)).toMatchObject(INVALID)
    for (let n = 0; n < 10; n++) {
      expect(await ownerOf(`guess ${n}`, '127.0.7.1')).toMatchObject(INVALID)
      expect(await signIn(`guess ${n}`, {}, '127.0.7.1')).toMatchObject(INVALID)
    }
    expect(await ownerOf('one more', '127.0.7.1')).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect((await ownerOf(token, '127.0.7.1')).status).toBe(200)
    const { body } = await signIn(token)
    expect((await call(server, 'GET', '/mobile/me', { as: body.data })).status).toBe(200)
    expect(await ownerOf(token)).toMatchObject(INVALID)
  })

  test('says whose a link is to one address sixty times at once', async () => {
    const token = await linkFor()
    const body = { host_id: host.user_id, link_token: token }
    const look = () => call(server, 'POST', '/mobile/link-owner', { body, from: '127.0.7.3' })
    const statuses = (await Promise.all(Array.from({ length: 61 }, look))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(60).fill(200), 429])
  })

  test("does not accept a user's password, a session's token or the stored hash as a link", async () => {
    await linkFor()
    const [link] = await stored()
    for (const token of [PASSWORD, host.token.slice(0, 128), link?.token_hash, 'ä'])
      expect(await signIn(token)).toMatchObject(INVALID)
    expect(await stored()).toHaveLength(1)
  })

  test('slows down an address that tries links, but not who has one', async () => {
    const token = await linkFor()
    for (let n = 0; n < 20; n++) expect(await signIn(`guess ${n}`, {}, '127.0.6.1')).toMatchObject(INVALID)
    const refused = await signIn('one more guess', {}, '127.0.6.1')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect(refused.headers['retry-after']).toBeDefined()
    expect((await signIn(token, {}, '127.0.6.1')).status).toBe(200)
  })
})

test('links that were made and used are in the log, without the token', async () => {
  await buildPhone(server, host, user)
  const refusedToken = await linkFor()
  await signIn(refusedToken)
  await act('switch')
  const token = await linkFor()
  await signIn(token)
  await signIn(token, { device_id: 'another' })
  const { entries } = await readAudit(server, host, '', '/host/audit')
  const [failed, login, , , refused, made] = entries
  expect(failed).toMatchObject({ action: 'phone_login_failed', target: null, after: { link: true } })
  expect(login).toMatchObject({ action: 'phone_login', target: { id: user.id }, after: { link: true } })
  expect(refused).toMatchObject({ action: 'phone_login_refused', after: { code: 'device_mismatch', link: true } })
  expect(made).toMatchObject({ action: 'sign_in_link_made', actor: { role: 'host' }, target: { id: user.id } })
  for (const secret of [token, refusedToken]) expect(JSON.stringify(entries)).not.toContain(secret)
})
