import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ImportAnswer } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { ROOM_USERS_MAX } from './room-users.ts'

let host: TestHost

const server = await setup()
beforeEach(async () => {
  host = await buildHost(server)
})

const person = (username: string, user_id: string, more: object = {}) => ({
  username,
  user_id,
  password: PASSWORD,
  ...more,
})
const send = (users: unknown, headers = {}) =>
  call(server, 'POST', '/host/users/import', { as: host, body: { users }, headers })
const listUsers = async (as = host) => (await call(server, 'GET', '/host/users', { as })).body.data.users

async function imported(users: unknown) {
  const { status, body } = await send(users)
  expect(status).toBe(200)
  return ImportAnswer.parse(body).data
}

describe('POST /api/host/users/import', () => {
  test('limits a room to ten thousand users, and reports it', async () => {
    const room = server.deps.db.selectFrom('rooms').select('id').where('host_id', '=', host.id)
    const count = ROOM_USERS_MAX - 1
    await sql`
    insert into room_users (room_id, user_id, user_id_key, username, username_key, password_hash, password_ciphertext)
    select ${room}, n, n, n, n, '', '' from (select 'p' || generate_series(1, ${count}::int) as n) as numbers
  `.execute(server.deps.db)
    const { added, failed } = await imported([person('Zoe', 'U000010'), person('amina', 'U000011')])
    expect(added).toMatchObject([{ index: 0 }])
    const message = 'A room has at most 10,000 users. Please delete some first.'
    expect(failed).toEqual([{ index: 1, path: 'username', message }])
    const refused = await call(server, 'POST', '/host/users', { as: host, body: person('Bela', 'U000012') })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', message } })
    expect(await listUsers()).toHaveLength(ROOM_USERS_MAX)
  })

  test('adds a list of people in order, all of whom can log in', async () => {
    const people = ['Zoe', 'amina', 'Bela'].map((name, index) => person(name, `U00001${index}`))
    const { added, failed } = await imported(people)
    expect(failed).toEqual([])
    expect(added.map(({ index, user_id }) => [index, user_id])).toEqual([
      [0, 'U000010'],
      [1, 'U000011'],
      [2, 'U000012'],
    ])
    const users = await listUsers()
    expect(users.map((user: { username: string }) => user.username)).toEqual(['Zoe', 'amina', 'Bela'])
    expect(users.map((user: { id: string }) => user.id)).toEqual(added.map(({ id }) => id))
    expect((await phoneLogin(server, host, { username: 'bela' })).status).toBe(200)
  })

  test('reports taken names by position, and adds the others', async () => {
    await buildRoomUser(server, host, { username: 'Amina', user_id: 'U000001' })
    const { added, failed } = await imported([
      person('ＡＭＩＮＡ', 'U000002'), // the same name in wide letters
      person('bela', 'u000001'),
      person('chika', 'U000003'),
      person('Chika', 'U000004'),
      person('dora', 'U000003'),
      person('emeka', 'U000002'), // free, because the first was not added
    ])
    expect(added.map(({ index }) => index)).toEqual([2, 5])
    const username = 'This username is already in use'
    const userId = 'This User ID is already in use'
    expect(failed).toEqual([
      { index: 0, path: 'username', message: username },
      { index: 1, path: 'user_id', message: userId },
      { index: 3, path: 'username', message: username },
      { index: 4, path: 'user_id', message: userId },
    ])
  })

  test('adds no one when all names are taken', async () => {
    await buildRoomUser(server, host, { username: 'amina', user_id: 'U000001' })
    expect((await imported([person('amina', 'X-1')])).added).toEqual([])
    expect(await listUsers()).toHaveLength(1)
  })

  test('allows the same names in another room', async () => {
    const other = await buildHost(server)
    await buildRoomUser(server, other, { username: 'amina', user_id: 'U000001' })
    expect((await imported([person('amina', 'U000001')])).added).toHaveLength(1)
    expect(await listUsers(other)).toHaveLength(1)
  })

  test('adds new users as muted to a muted room', async () => {
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    await imported([person('amina', 'U000001')])
    expect(await listUsers()).toMatchObject([{ is_muted: true }])
  })

  test('a repeat with the same key has no second effect', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const users = [person('amina', 'U000001')]
    const first = await send(users, headers)
    expect((await send(users, headers)).body).toEqual(first.body)
    expect(first.body.data.failed).toEqual([])
    expect((await send([person('bela', 'U000002')], headers)).body.code).toBe('idempotency_key_reused')
  })

  test('audits each new user, without the password', async () => {
    await imported([person('amina', 'U000001', { reference: 'Row 3' })])
    const { body } = await call(server, 'GET', '/host/audit?action=user_created', { as: host })
    expect(body.data.entries).toMatchObject([
      { after: { username: 'amina', user_id: 'U000001', reference: 'Row 3' }, before: null },
    ])
    expect(JSON.stringify(body)).not.toContain(PASSWORD)
  })

  test('audits a list in one entry, which each of its users finds', async () => {
    const import_id = crypto.randomUUID()
    const users = [person('amina', 'U000001', { reference: 'Row 3' }), person('bela', 'U000002')]
    const { body } = await call(server, 'POST', '/host/users/import', { as: host, body: { users, import_id } })
    const [, bela] = body.data.added
    const { entries } = await readAudit(server, host, `user=${bela.id}`, '/host/audit')
    expect(entries).toMatchObject([
      {
        action: 'user_created',
        target: null,
        after: {
          users: [
            { username: 'amina', reference: 'Row 3' },
            { id: bela.id, username: 'bela' },
          ],
          import_id,
        },
      },
    ])
    expect((await readAudit(server, host, 'action=user_created', '/host/audit')).entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain(PASSWORD)
  })

  test.each([
    ['no list', undefined, 'users'],
    ['an empty list', [], 'users'],
    ['more than 500', Array.from({ length: 501 }, (_, index) => person(`p${index}`, `U${index}00`)), 'users'],
    ['no username', [person('amina', 'U000001'), person(' ', 'U000002')], 'users.1.username'],
    ['a User ID that is too short', [person('amina', 'U1')], 'users.0.user_id'],
    ['no password', [{ username: 'amina', user_id: 'U000001' }], 'users.0.password'],
    ['a reference that is too long', [person('amina', 'U000001', { reference: 'x'.repeat(201) })], 'users.0.reference'],
    ['strings instead of people', ['amina'], 'users.0'],
  ])('refuses the whole call for %s', async (_what, users, path) => {
    const { status, body } = await send(users)
    expect(status).toBe(422)
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(await listUsers()).toEqual([])
  })
})
