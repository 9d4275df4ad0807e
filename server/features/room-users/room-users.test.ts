import { beforeEach, describe, expect, test } from 'vitest'
import { RoomUsersAnswer } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { hashPassword } from '../auth/passwords.ts'

let host: TestHost

const server = await setup()
beforeEach(async () => {
  host = await buildHost(server)
})

const listUsers = async () => RoomUsersAnswer.parse((await call(server, 'GET', '/host/users', { as: host })).body).data

describe('new names and passwords', () => {
  const own = { username: 'amina', user_id: 'U000001', password: 'lamp', reference: null }
  const cases = [
    ['username', 'am\u200bina', 'This holds a character that cannot be seen (zero width space, U+200B)'],
    ['username', 'anima\u202e', 'This holds a character that cannot be seen (right-to-left override, U+202E)'],
    ['user_id', 'U0000\u00ad01', 'This holds a character that cannot be seen (soft hyphen, U+00AD)'],
    ['reference', 'Row\u2066 3', 'This holds a character that cannot be seen (left-to-right isolate, U+2066)'],
    ['password', 'lam', 'Password must be at least 4 characters'],
    ['password', 'AMINA', 'The password must not be the username'],
  ] as const

  test.each(cases)('refuses the %s %j in an addition, an edit and an import', async (path, value, msg) => {
    const user = await buildRoomUser(server, host, own)
    const before = await listUsers()
    const body = { ...own, [path]: value }
    const refused = { status: 422, body: { errors: [{ path, msg }] } }
    expect(await call(server, 'POST', '/host/users', { as: host, body })).toMatchObject(refused)
    expect(await call(server, 'PUT', `/host/users/${user.id}`, { as: host, body })).toMatchObject(refused)
    const imported = await call(server, 'POST', '/host/users/import', { as: host, body: { users: [body] } })
    expect(imported).toMatchObject({ status: 422, body: { errors: [{ msg }] } })
    expect(await listUsers()).toEqual(before)
  })

  test('an older, shorter password keeps working, and survives an edit without one', async () => {
    const user = await buildRoomUser(server, host, own)
    const password_hash = await hashPassword('abc')
    await server.deps.db.updateTable('room_users').set({ password_hash }).where('id', '=', user.id).execute()
    const body = { ...own, username: 'amina b', password: '' }
    expect((await call(server, 'PUT', `/host/users/${user.id}`, { as: host, body })).status).toBe(200)
    expect((await phoneLogin(server, host, body, 'her-phone', 'abc')).status).toBe(200)
  })

  test('refuses a new name that equals the password', async () => {
    const user = await buildRoomUser(server, host, own)
    const body = { ...own, username: 'Lamp', password: '' }
    const refused = await call(server, 'PUT', `/host/users/${user.id}`, { as: host, body })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'username' }] } })
  })
})

describe('POST /api/host/users', () => {
  test('adds the user without showing its password, and suggests the next number', async () => {
    expect((await listUsers()).next_user_id).toBe('U000001')
    const added = await call(server, 'POST', '/host/users', {
      as: host,
      body: { username: 'amina', user_id: 'U000007', password: 'secret-of-amina', reference: 'Row 3' },
    })
    expect(added).toMatchObject({ status: 200, body: { message: 'User created successfully' } })

    const answer = await call(server, 'GET', '/host/users', { as: host })
    expect(JSON.stringify(answer.body)).not.toContain('secret-of-amina')
    expect(await listUsers()).toMatchObject({
      users: [{ username: 'amina', user_id: 'U000007', reference: 'Row 3', status: 'Active', is_online: false }],
      next_user_id: 'U000008',
    })
  })

  test.each([
    ['username', { user_id: 'U000009', username: 'AMINA' }],
    ['username', { user_id: 'U000009', username: 'ａmina' }],
    ['user_id', { user_id: 'u000001', username: 'other' }],
  ])('refuses a taken %s, whatever its case and Unicode form', async (path, fields) => {
    await buildRoomUser(server, host, { username: 'amina', user_id: 'U000001' })
    const refused = await call(server, 'POST', '/host/users', { as: host, body: { password: 'lamp', ...fields } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', errors: [{ path }] } })
    expect((await listUsers()).users).toHaveLength(1)
  })

  test.each([
    ['مح\u200dمد', 'محمد'],
    ['sun 😀', 'sun 😀\ufe0f'],
    ['anna c', 'Anna  c'],
    ['anna  c', 'anna c'],
  ])('refuses a name that looks like a taken one: %j, then %j', async (username, alike) => {
    await buildRoomUser(server, host, { username, user_id: username })
    const other = await buildRoomUser(server, host, { username: 'other', user_id: 'ID2' })
    const path = `/host/users/${other.id}`
    const errors = [{ path: 'username' }, { path: 'user_id' }]
    const names = { username: alike, user_id: alike }
    const added = await call(server, 'POST', '/host/users', { as: host, body: { ...names, password: 'lamp' } })
    expect(added).toMatchObject({ status: 409, body: { errors } })
    expect(await call(server, 'PUT', path, { as: host, body: names })).toMatchObject({ status: 409, body: { errors } })
    const users = [
      { ...names, password: 'lamp' },
      { username: 'bela  b', user_id: 'ID3', password: 'lamp' },
      { username: 'bela b', user_id: 'ID4', password: 'lamp' },
    ]
    const imported = await call(server, 'POST', '/host/users/import', { as: host, body: { users } })
    expect(imported.body.data.failed).toMatchObject([{ index: 0 }, { index: 2 }])
  })

  test('lets a user keep a name that looked like another one before this was refused', async () => {
    await buildRoomUser(server, host, { username: 'anna c', user_id: 'ID1' })
    const user = await buildRoomUser(server, host, { username: 'bela', user_id: 'ID2', password: 'evening-7' })
    const former = { username: 'Anna  c', username_key: 'anna  c' }
    await server.deps.db.updateTable('room_users').set(former).where('id', '=', user.id).execute()
    expect((await phoneLogin(server, host, { username: 'anna  c' }, 'd', 'evening-7')).status).toBe(200)
    const edit = (username: string) =>
      call(server, 'PUT', `/host/users/${user.id}`, {
        as: host,
        body: { username, user_id: 'ID2', reference: 'Row 3' },
      })
    expect((await edit('anna  c')).status).toBe(200)
    expect((await edit('anna   c')).status).toBe(409)
    expect((await edit('anna d')).status).toBe(200)
  })

  test('allows the same names to another host', async () => {
    const other = await buildHost(server)
    await buildRoomUser(server, host, { username: 'amina', user_id: 'U000001' })
    const user = await buildRoomUser(server, other, { username: 'amina', user_id: 'U000001' })
    expect(user.username).toBe('amina')
  })

  test.each([
    [{ user_id: 'U000001', password: 'lamp' }, 'username'],
    [{ username: 'amina', password: 'lamp' }, 'user_id'],
    [{ username: 'amina', user_id: 'U1', password: 'lamp' }, 'user_id'],
    [{ username: 'amina', user_id: 'U000001' }, 'password'],
    [{ username: ['amina'], user_id: 'U000001', password: 'lamp' }, 'username'],
  ])('refuses %j, naming %s', async (body, path) => {
    const refused = await call(server, 'POST', '/host/users', { as: host, body })
    expect(refused.status).toBe(422)
    expect(refused.body.errors.map((error: { path: string }) => error.path)).toContain(path)
  })
})

test('copying credentials reveals the password for that call only, and audits it', async () => {
  const user = await buildRoomUser(server, host, { password: 'secret-of-amina' })
  const copied = await call(server, 'POST', `/host/users/${user.id}/credentials`, { as: host })
  expect(copied.body.data).toEqual({
    host_id: host.user_id,
    user_id: user.user_id,
    username: user.username,
    password: 'secret-of-amina',
  })
  const rows = await server.deps.db
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'user_credentials_revealed')
    .execute()
  expect(rows).toMatchObject([{ actor_id: host.id, target: user.id, ip: '127.0.0.1' }])
  const everything = JSON.stringify(await server.deps.db.selectFrom('room_users').selectAll().execute())
  expect(everything).not.toContain('secret-of-amina')
})

test('a new password replaces the old one and signs the phone out; a blank one keeps it', async () => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  const edit = (password: string) =>
    call(server, 'PUT', `/host/users/${user.id}`, {
      as: host,
      body: { username: user.username, user_id: user.user_id, password },
    })
  expect((await edit('')).status).toBe(200)
  expect((await call(server, 'POST', '/mobile/status', { as: phone })).status).toBe(200)
  expect((await edit('a new one')).status).toBe(200)
  expect((await call(server, 'POST', '/mobile/status', { as: phone })).status).toBe(401)
  expect((await phoneLogin(server, host, user, phone.device_id)).status).toBe(400)
  expect((await phoneLogin(server, host, user, phone.device_id, 'a new one')).status).toBe(200)
})

test.each(['activate', 'deactivate', 'delete', 'logout', 'mute', 'unmute', 'switch', 'credentials'])(
  "another host cannot %s this host's user, and gets the same answer as for an unknown one",
  async (action) => {
    const user = await buildRoomUser(server, host)
    const other = await buildHost(server)
    const foreign = await call(server, 'POST', `/host/users/${user.id}/${action}`, { as: other })
    const absent = await call(server, 'POST', `/host/users/00000000-0000-4000-8000-000000000000/${action}`, {
      as: other,
    })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(absent.body)
    expect((await listUsers()).users).toMatchObject([{ id: user.id, is_active: true, is_muted: false }])
  },
)

test('a bulk Switch leaves a phone alone that took the place of the one that was seen', async () => {
  const [amina, bela] = [await buildRoomUser(server, host), await buildRoomUser(server, host)]
  for (const user of [amina, bela]) await buildPhone(server, host, user)
  const seen = Object.fromEntries((await listUsers()).users.map(({ id, device_id }) => [id, { device_id }]))
  await call(server, 'POST', `/host/users/${bela.id}/switch`, { as: host })
  const { token } = await buildPhone(server, host, bela)
  const bulk = (expect: unknown) =>
    call(server, 'POST', '/host/users/bulk/switch', { as: host, body: { userIds: [amina.id, bela.id], expect } })
  expect((await bulk(seen)).body).toMatchObject({
    message: '1 done, 1 failed',
    data: {
      succeeded: [amina.id],
      failed: [{ id: bela.id, code: 'state_changed', message: 'This has changed in the meantime. Please look again.' }],
    },
  })
  expect((await call(server, 'GET', '/mobile/me', { as: { token } })).status).toBe(200)
  for (const wrong of [{ [bela.id]: { device_id: 5 } }, { [bela.id]: 'all' }, 'all', [seen]])
    expect((await bulk(wrong)).status).toBe(422)
  expect((await bulk({})).body).toMatchObject({ data: { failed: [] } })
})

test("a bulk action changes the host's own users and reports the others, without revealing whether they exist", async () => {
  const mine = await buildRoomUser(server, host)
  const foreign = await buildRoomUser(server, await buildHost(server))
  const absent = '00000000-0000-4000-8000-000000000000'
  const answer = await call(server, 'POST', '/host/users/bulk/deactivate', {
    as: host,
    body: { userIds: [mine.id, foreign.id, absent, mine.id, 'U000001'] },
  })
  expect(answer.status).toBe(200)
  expect(answer.body.data.succeeded).toEqual([mine.id])
  expect(answer.body.data.failed).toEqual([
    { id: foreign.id, code: 'not_found', message: 'User not found' },
    { id: absent, code: 'not_found', message: 'User not found' },
    { id: 'U000001', code: 'not_found', message: 'User not found' },
  ])
  expect((await listUsers()).users).toMatchObject([{ status: 'S' }])
})

test('an edit keeps names from before their rules, and refuses others like them', async () => {
  const { id, user_id } = await buildRoomUser(server, host)
  const old = { username: 'am\u200dina', reference: 'Row\u200e 3' }
  await server.deps.db.updateTable('room_users').set(old).where('id', '=', id).execute()
  const edit = (body: object) => call(server, 'PUT', `/host/users/${id}`, { as: host, body })
  const edited = await edit({ ...old, user_id, password: 'a new one' })
  expect(edited).toMatchObject({ status: 200, body: { data: { user: old } } })
  expect((await edit({ ...old, user_id: 'U000779' })).body.data.user).toMatchObject({ ...old, user_id: 'U000779' })

  const refused = await edit({ username: 'am\u200dira', user_id: 'U000\u200e7', reference: 'Row\u200e 3' })
  expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_input' } })
  expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(['username', 'user_id'])
  expect((await edit({ username: 'amina', user_id, reference: null })).status).toBe(200)
})

test.each([
  [undefined, 'Please select users first'],
  [{ userIds: [] }, 'Please select users first'],
  [{ userIds: Array.from({ length: 501 }, () => 'x') }, 'At most 500 users at a time'],
])('refuses a bulk action of %j', async (body, message) => {
  const refused = await call(server, 'POST', '/host/users/bulk/mute', { as: host, body })
  expect(refused).toMatchObject({ status: 422, body: { message, errors: [{ path: 'userIds', msg: message }] } })
})

test('refuses the name by which the host’s own phone logs in', async () => {
  const user = await buildRoomUser(server, host)
  const named = { username: host.user_id.toLowerCase(), user_id: 'U000777', password: 'secret' }
  const errors = [{ path: 'username', msg: 'This username is already in use' }]
  const add = await call(server, 'POST', '/host/users', { as: host, body: named })
  expect(add).toMatchObject({ status: 409, body: { code: 'conflict', errors } })
  const edit = await call(server, 'PUT', `/host/users/${user.id}`, { as: host, body: named })
  expect(edit).toMatchObject({ status: 409, body: { code: 'conflict', errors } })
  const body = { users: [named] }
  const added = await call(server, 'POST', '/host/users/import', { as: host, body })
  expect(added.body.data).toEqual({ added: [], failed: [{ index: 0, path: 'username', message: errors[0]?.msg }] })
})

test.each(['nobody', 'x'.repeat(200)])('returns 404 for the id %j', async (id) => {
  expect((await call(server, 'POST', `/host/users/${id}/mute`, { as: host })).status).toBe(404)
  expect(
    (await call(server, 'PUT', `/host/users/${id}`, { as: host, body: { username: 'ana', user_id: 'U000001' } }))
      .status,
  ).toBe(404)
})

test('reports one error for each field', async () => {
  const add = async (body?: object) => (await call(server, 'POST', '/host/users', { as: host, body })).body.errors
  const required = [
    { path: 'username', msg: 'Username is required' },
    { path: 'user_id', msg: 'User ID is required' },
    { path: 'password', msg: 'Password is required' },
  ]
  expect(await add()).toEqual(required)
  expect(await add({ username: ' ', user_id: ' ', password: '' })).toEqual(required)
  expect(await add({ username: 'x'.repeat(65), user_id: 'ab', password: 'lamp'.repeat(257) })).toEqual([
    { path: 'username', msg: 'At most 64 characters' },
    { path: 'user_id', msg: 'User ID must be 3 to 32 characters' },
    { path: 'password', msg: 'At most 256 characters' },
  ])
})

describe('one phone at a time', () => {
  test('refuses a second phone until the host switches', async () => {
    const user = await buildRoomUser(server, host)
    const phone = await buildPhone(server, host, user)
    const second = await phoneLogin(server, host, user, 'another-phone')
    expect(second).toMatchObject({
      status: 403,
      body: {
        code: 'device_mismatch',
        message: 'This account is linked to another phone. Ask your host to switch it.',
      },
    })

    expect((await call(server, 'POST', `/host/users/${user.id}/switch`, { as: host })).status).toBe(200)
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).status).toBe(401)
    expect((await listUsers()).users).toMatchObject([{ status: 'C', is_online: false }])
    expect((await phoneLogin(server, host, user, 'another-phone')).status).toBe(200)
    expect((await listUsers()).users).toMatchObject([{ status: 'Active', device_id: 'another-phone' }])
  })

  test('binds exactly one of twenty phones that log in at once', async () => {
    const user = await buildRoomUser(server, host)
    const logins = await Promise.all(
      Array.from({ length: 20 }, (_, index) => phoneLogin(server, host, user, `phone-${index}`)),
    )
    expect(logins.filter((login) => login.status === 200)).toHaveLength(1)
    expect(logins.filter((login) => login.body.code === 'device_mismatch')).toHaveLength(19)
  })

  test('a new login on the same phone ends the older session', async () => {
    const user = await buildRoomUser(server, host)
    const first = await buildPhone(server, host, user)
    const again = await phoneLogin(server, host, user, first.device_id)
    expect((await call(server, 'GET', '/mobile/me', { as: first })).status).toBe(401)
    expect((await call(server, 'GET', '/mobile/me', { as: again.body.data })).status).toBe(200)
  })
})

test('nobody is added by a session that has ended, though the call was let in before', async () => {
  const user = await buildRoomUser(server, host)
  await listUsers() // from then on the session is cached
  const ended = { ended_at: new Date(), end_reason: 'password_changed' }
  await server.deps.db.updateTable('sessions').set(ended).where('host_id', '=', host.id).execute()
  const body = { username: 'thief', user_id: 'U000002', password: 'a lamp' }
  for (const [method, path, sent] of [
    ['POST', '/host/users', body],
    ['POST', '/host/users/import', { users: [body] }],
    ['PUT', `/host/users/${user.id}`, body],
  ] as const)
    expect(await call(server, method, path, { as: host, body: sent })).toMatchObject({ status: 401 })
  const stored = await server.deps.db.selectFrom('room_users').select('username').execute()
  expect(stored).toEqual([{ username: user.username }])
})

test('refuses a stopped user, and accepts it once activated', async () => {
  const user = await buildRoomUser(server, host)
  await call(server, 'POST', `/host/users/${user.id}/deactivate`, { as: host })
  expect((await phoneLogin(server, host, user)).body.code).toBe('user_inactive')
  expect((await phoneLogin(server, host, user, 'd', 'wrong')).body.code).toBe('wrong_credentials')
  await call(server, 'POST', `/host/users/${user.id}/activate`, { as: host })
  expect((await phoneLogin(server, host, user)).status).toBe(200)
})

test('a deleted user disappears at once, and its phone is signed out', async () => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  expect((await call(server, 'POST', `/host/users/${user.id}/delete`, { as: host })).status).toBe(200)
  expect((await call(server, 'GET', '/mobile/me', { as: phone })).status).toBe(401)
  expect((await listUsers()).users).toEqual([])
})

test('refuses phones of a room without a running subscription', async () => {
  const unsold = await buildHost(server, { subscription_type: null })
  const user = await buildRoomUser(server, unsold)
  expect(await phoneLogin(server, unsold, user)).toMatchObject({ status: 403, body: { code: 'subscription_inactive' } })
  expect((await phoneLogin(server, unsold, user, 'd', `not ${PASSWORD}`)).body.code).toBe('wrong_credentials')
})
