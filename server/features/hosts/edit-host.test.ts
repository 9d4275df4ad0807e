import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
let now = NOW
let master: SignedIn & { id: string }
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  now = NOW
  master = await buildMaster(server)
  host = await buildHost(server, { subscription_type: 1 })
})

const editHost = (body: object, id = host.id) => call(server, 'PUT', `/admin/hosts/${id}`, { as: master, body })
const extend = (body: object) =>
  call(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, { as: master, body })
const fetchHost = async () => (await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })).body.data

describe('PUT /api/admin/hosts/:id with `expect`', () => {
  test('returns a conflict to the second of two masters, and saves none of its changes', async () => {
    const expected = { updated_at: host.updated_at }
    const first = await editHost({ mobile: '111', expect: expected })
    expect(first.status).toBe(200)
    expect(first.body.data.updated_at > host.updated_at).toBe(true) // on a clock that has not moved

    const second = await editHost({ username: 'other', password: 'a new password', mobile: '222', expect: expected })
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({ success: false, code: 'state_changed' })
    expect(await fetchHost()).toMatchObject({ username: host.username, mobile: '111' })
    expect((await call(server, 'GET', '/host/profile', { as: host })).status).toBe(200) // no password was changed

    expect((await editHost({ mobile: '222', expect: { updated_at: first.body.data.updated_at } })).status).toBe(200)
  })

  test('lets one of many simultaneous edits succeed', async () => {
    const tries = Array.from({ length: 6 }, (_, number) =>
      editHost({ mobile: `55${number}`, expect: { updated_at: host.updated_at } }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409])
  })

  test('treats an extension as a change, and the other way round', async () => {
    expect((await extend({ additional_months: 1 })).status).toBe(200)
    expect((await editHost({ mobile: '1', expect: { updated_at: host.updated_at } })).status).toBe(409)
    const seen = { subscription_end_date: host.subscription_end_date }
    const again = await extend({ additional_months: 1, expect: seen })
    expect(again).toMatchObject({ status: 409, body: { code: 'state_changed' } })
    const { subscription_end_date } = await fetchHost()
    expect(subscription_end_date).toBe('2027-01-21T10:00:00.000Z')
    expect((await extend({ additional_months: 3, expect: { subscription_end_date } })).status).toBe(200)
  })

  test.each([{ updated_at: 'yesterday' }, { updated_at: 7 }, 'x', {}])('refuses %j as `expect`', async (seen) => {
    expect((await editHost({ mobile: '1', expect: seen })).status).toBe(422)
    expect(await fetchHost()).toMatchObject({ mobile: null })
  })

  test('saves an edit without `expect`', async () => {
    await editHost({ mobile: '111' })
    expect((await editHost({ storage_limit_gb: 20 })).body.data).toMatchObject({ mobile: '111', storage_limit_gb: 20 })
  })
})

describe('names taken by another host', () => {
  const USERNAME = { path: 'username', msg: 'This username is already taken' }
  const EMAIL = { path: 'email', msg: 'This email is already in use' }
  const theirs = () => ({ username: host.username.toUpperCase(), email: host.email.toUpperCase() })

  test('are all reported when a host is created, without using up a number', async () => {
    const make = (body: object) =>
      call(server, 'POST', '/admin/hosts/integrate', { as: master, body: { password: PASSWORD, ...body } })
    const both = await make(theirs())
    expect(both).toMatchObject({ status: 409, body: { code: 'conflict', message: USERNAME.msg } })
    expect(both.body.errors).toEqual([USERNAME, EMAIL])
    expect((await make({ ...theirs(), username: 'free' })).body.errors).toEqual([EMAIL])
    expect((await buildHost(server)).numerical_id).toBe(host.numerical_id + 1)
  })

  test('are those that look the same too, where the name is new', async () => {
    const [one, another] = [`${host.username} 😀`, `${host.username} 😀\ufe0f`]
    expect((await editHost({ username: one })).status).toBe(200)
    const other = await buildHost(server)
    expect((await editHost({ username: another }, other.id)).body.errors).toEqual([USERNAME])
    const since = { username: another, username_key: another }
    await server.deps.db.updateTable('hosts').set(since).where('id', '=', other.id).execute()
    expect((await editHost({ username: another, room_name: 'Evening' }, other.id)).status).toBe(200)
  })

  test('are all reported in an edit, where the host’s own names are free', async () => {
    const other = await buildHost(server)
    expect((await editHost(theirs(), other.id)).body.errors).toEqual([USERNAME, EMAIL])
    expect((await editHost({ email: host.email }, other.id)).body.errors).toEqual([EMAIL])
    expect((await editHost(theirs())).body.data).toMatchObject(theirs())
  })
})

describe('new names and passwords', () => {
  test.each([
    ['username', 'an\u200ba', 'This holds a character that cannot be seen (zero width space, U+200B)'],
    ['room_name', 'Room\u202e', 'This holds a character that cannot be seen (right-to-left override, U+202E)'],
    ['password', 'short', 'Password must be at least 6 characters'],
    ['password', 'ANABEL', 'The password must not be the username'],
    ...['123456', 'Password1', 'qwerty', 'hhhhhh', 'abABab'].map((common) => [
      'password',
      common,
      'This password is too common. Choose another.',
    ]),
    ['username', '\u0430nabel', 'This mixes letters of two alphabets in one word, which may look like another name'],
  ] as [string, string, string][])('refuses the %s %j for a new host and in an edit', async (path, value, msg) => {
    const body = { username: 'anabel', email: 'anabel@example.com', password: PASSWORD, [path]: value }
    const refused = { status: 422, body: { errors: [{ path, msg }] } }
    expect(await call(server, 'POST', '/admin/hosts/integrate', { as: master, body })).toMatchObject(refused)
    expect(await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body })).toMatchObject(refused)
    const { username } = (await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })).body.data
    expect(username).toBe(host.username)
  })

  test('refuses the current password as a username', async () => {
    const errors = [{ path: 'username', msg: 'The username must not be the password' }]
    expect(await editHost({ username: PASSWORD })).toMatchObject({ status: 422, body: { errors } })
  })

  test('refuses the current username as a password', async () => {
    const body = { password: host.username.toUpperCase() }
    const errors = [{ path: 'password', msg: 'The password must not be the username' }]
    expect(await editHost(body)).toMatchObject({ status: 422, body: { errors } })
  })
})

describe('editing the subscription', () => {
  beforeEach(() => {
    now += 1000 // later than the creation of the host
  })

  const history = async () =>
    (await call(server, 'GET', `/admin/hosts/${host.id}/subscription-history`, { as: master })).body.data.history

  test.each([
    ['extend', 3, { subscription_end_date: '2027-03-21T10:00:00.000Z', subscription_status: 'active' }, 'extended', 3],
    ['reduce', 1, { subscription_end_date: '2026-11-21T10:00:00.000Z', subscription_status: 'expired' }, 'reduced', 1],
    ['set_date', null, { subscription_end_date: '2026-12-01', subscription_status: 'active' }, 'date_set', 1],
    ['cancel', null, { subscription_status: 'cancelled' }, 'cancelled', 1],
  ])('%s is recorded under its name', async (subscription_action, subscription_months, asked, action, type) => {
    const edited = await editHost({ ...asked, subscription_action, subscription_months })
    expect(edited.body.data).toMatchObject({
      subscription_status: asked.subscription_status,
      subscription_type: type,
    })
    expect((await history())[0]).toMatchObject({ action, months: action === 'cancelled' ? null : subscription_months })
  })

  test('setting a date gives a subscription to a host that had none', async () => {
    const bare = await buildHost(server, { subscription_type: null })
    const edited = await editHost({ subscription_end_date: '2027-01-10', subscription_action: 'set_date' }, bare.id)
    expect(edited.body.data).toMatchObject({ subscription_type: 2, subscription_status: 'active' })
  })

  test.each([
    ['2027-01-31', '2027-01-31T23:59:59.000Z'],
    ['2028-02-29', '2028-02-29T23:59:59.000Z'],
    ['2027-01-31T10:00:00Z', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31T10:00:00.5+05:30', '2027-01-31T04:30:00.500Z'],
    ['', '2026-12-21T10:00:00.000Z'],
    [null, '2026-12-21T10:00:00.000Z'],
  ])('an end of %j is %s', async (given, end) => {
    expect((await editHost({ subscription_end_date: given })).body.data.subscription_end_date).toBe(end)
  })

  test.each([
    ...['2027-02-29', '2027-02-30', '2027-13-01', '2027-1-1', '0000-01-01', '9999-12-31', '+012027-01-01', 'soon'],
    ...['01/31/2027', 'Jan 31 2027', '2027', '2027-01-31T10:00:00', '2027-01-31T25:00:00Z', 1803600000, {}],
  ])('refuses %j as its start or its end', async (given) => {
    for (const field of ['subscription_start_date', 'subscription_end_date']) {
      const { status, body } = await editHost({ [field]: given })
      expect([status, body.errors]).toEqual([422, [{ path: field, msg: 'This is not a date' }]])
    }
  })

  test('records a change without an action as an edit', async () => {
    await editHost({ subscription_end_date: '2027-06-01' })
    expect((await history())[0]).toMatchObject({ action: 'edited', months: null })
  })

  test.each([{ subscription_action: 'double' }, { subscription_action: 'extend', subscription_months: 5 }])(
    'refuses %j',
    async (body) => {
      expect((await editHost({ ...body, subscription_end_date: '2027-06-01' })).status).toBe(422)
      expect(await history()).toHaveLength(1)
    },
  )
})

describe('POST /api/admin/hosts/:id/profile/:action', () => {
  const act = (action: string, id = host.id, as: SignedIn = master) =>
    call(server, 'POST', `/admin/hosts/${id}/profile/${action}`, { as })

  test('S ends the phones of the room, A lets them in again, and the audit names the master', async () => {
    const user = await buildRoomUser(server, host)
    const phone = await buildPhone(server, host, user)
    const stopped = await act('stop')
    expect(stopped.body).toMatchObject({
      message: `The room of "${host.username}" is stopped. Its phones cannot sign in until it is activated.`,
      data: { is_active: false },
    })
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).status).toBe(401)
    expect((await act('activate')).body.data.is_active).toBe(true)
    const { body } = await call(server, 'GET', `/admin/audit?host_id=${host.id}&actor=master`, { as: master })
    const acts = body.data.entries.filter(({ action }: { action: string }) => action.startsWith('profile_'))
    expect(acts).toMatchObject([
      { action: 'profile_activate', actor: { id: master.id }, before: { is_active: false } },
      { action: 'profile_stop', actor: { id: master.id }, before: { is_active: true } },
    ])
  })

  test('returns 404 for a deleted host, an unknown id and an unknown action', async () => {
    await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })
    expect((await act('stop')).status).toBe(404)
    expect((await act('stop', '7d9f8a3e-0000-4000-8000-000000000000')).status).toBe(404)
    expect((await act('explode')).status).toBe(422)
  })

  test('refuses hosts, even for their own room', async () => {
    expect((await act('stop', host.id, host)).status).toBe(403)
    expect((await fetchHost()).is_active).toBe(true)
  })
})
