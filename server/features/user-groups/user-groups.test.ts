import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { addGroup } from '../../../test/factories/groups.ts'
import { setup } from '../../../test/servers/setup.ts'
import { buildReconcilingChange } from '../live-room/state/differences.ts'
import { initialRoom } from '../live-room/state/room-snapshot.ts'
import { RoomState } from '../live-room/state/room-state.ts'
import { readStoredRoom } from '../live-room/state/roster.ts'

const server = await setup()
let host: TestHost
let other: TestHost

beforeEach(async () => {
  host = await buildHost(server)
  other = await buildHost(server)
})

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, as: { token: string } = host) =>
  call(server, method, `/host${path}`, { as, body })
const list = async (query = '', as = host) => (await call(server, 'GET', `/host/users${query}`, { as })).body.data
const groupsOf = async (id: string) =>
  (await list()).users.find((user: { id: string }) => user.id === id)?.group_ids as string[]
const counts = async () => (await call(server, 'GET', '/host/groups', { as: host })).body.data.groups
const fill = async (times: number) => {
  const { id: room_id } = await server.deps.db
    .selectFrom('rooms')
    .select('id')
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  const at = new Date()
  const rows = Array.from({ length: times }, (_, n) => ({
    ...{ room_id, name: `G${n}`, name_key: `g${n}`, colour: 'red', created_at: at, updated_at: at },
  }))
  await server.deps.db.insertInto('user_groups').values(rows).execute()
}
const actions = async () => {
  const { entries } = await readAudit(server, host, '', '/host/audit')
  return entries.filter(({ action }) => action.startsWith('group_') || action === 'user_edited')
}
const add = (id: string, userIds: string[], as?: { token: string }) =>
  send('POST', `/groups/${id}/users`, { userIds, change: 'add' }, as)

describe('groups of a host', () => {
  test('are listed by name with their users, in the lists of users and of who is online, too', async () => {
    const tenors = await addGroup(server, host, { name: ' Tenors ', colour: 'blue' })
    const altos = await addGroup(server, host, { name: 'Altos', colour: 'red' })
    const user = await buildRoomUser(server, host)
    await buildPhone(server, host, user)
    expect((await add(altos.id, [user.id])).body.data).toEqual({ succeeded: [user.id], failed: [] })
    expect(await counts()).toEqual([
      { id: altos.id, name: 'Altos', colour: 'red', users: 1 },
      { id: tenors.id, name: 'Tenors', colour: 'blue', users: 0 },
    ])
    const { body } = await call(server, 'GET', '/host/online-users', { as: host })
    expect(body).toMatchObject({ groups: [altos, tenors], data: { users: [{ group_ids: [altos.id] }] } })
    expect((await list()).groups).toEqual([altos, tenors])
    const one = await call(server, 'GET', `/host/users/${user.id}`, { as: host })
    expect(one.body.data).toMatchObject({ groups: [altos, tenors], user: { group_ids: [altos.id] } })
    expect((await list('', other)).groups).toEqual([])
  })

  test('are renamed, recoloured and deleted; their users stay without them', async () => {
    const group = await addGroup(server, host, { name: 'Altos', colour: 'red' })
    const kept = await addGroup(server, host, { name: 'Readers' })
    const user = await buildRoomUser(server, host)
    for (const { id } of [group, kept]) await add(id, [user.id])
    const before = (await call(server, 'GET', '/host/users', { as: host })).headers.etag
    expect((await send('PUT', `/groups/${group.id}`, { name: 'ALTOS', colour: 'green' })).status).toBe(200)
    const renamed = await call(server, 'GET', '/host/users', { as: host, headers: { 'if-none-match': `${before}` } })
    expect(renamed.body.data.groups[0]).toEqual({ id: group.id, name: 'ALTOS', colour: 'green' })
    expect((await send('DELETE', `/groups/${group.id}`)).status).toBe(200)
    expect(await groupsOf(user.id)).toEqual([kept.id])
    const stored = server.deps.db.selectFrom('room_users').select('group_ids').where('id', '=', user.id)
    expect(await stored.executeTakeFirst()).toEqual({ group_ids: [kept.id] })
    expect((await send('DELETE', `/groups/${group.id}`)).status).toBe(404)
    expect((await actions()).slice(0, 2)).toMatchObject([
      { action: 'group_deleted', before: { name: 'ALTOS', colour: 'green', users: [{ id: user.id }] } },
      { action: 'group_edited', before: { name: 'Altos', colour: 'red' }, after: { name: 'ALTOS', colour: 'green' } },
    ])
  })

  test('have names of their own, whatever the case; another host may have the same', async () => {
    const group = await addGroup(server, host, { name: 'Altos' })
    const second = await addGroup(server, host, { name: 'Basses' })
    const taken = { status: 409, body: { code: 'conflict', errors: [{ path: 'name' }] } }
    expect(await send('POST', '/groups', { name: 'ALTOS', colour: 'red' })).toMatchObject(taken)
    expect(await send('PUT', `/groups/${second.id}`, { name: ' altos', colour: 'red' })).toMatchObject(taken)
    expect((await send('PUT', `/groups/${group.id}`, { name: 'altos', colour: 'red' })).status).toBe(200)
    expect((await send('POST', '/groups', { name: 'Altos', colour: 'red' }, other)).status).toBe(200)
  })

  test('are at most 50', async () => {
    await fill(49)
    await addGroup(server, host)
    const refused = await send('POST', '/groups', { name: 'One more', colour: 'red' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await counts()).length).toBe(50)
  })

  test.each([
    ['name', { colour: 'red' }],
    ['name', { name: '  ', colour: 'red' }],
    ['name', { name: 'x'.repeat(41), colour: 'red' }],
    ['name', { name: 'Altos; Basses', colour: 'red' }],
    ['name', { name: 'Al\u200btos', colour: 'red' }],
    ['name', { name: 7, colour: 'red' }],
    ['colour', { name: 'Altos' }],
    ['colour', { name: 'Altos', colour: '#ff0000' }],
    ['colour', { name: 'Altos', colour: null }],
  ])('refuse a bad %s: %j', async (path, body) => {
    const group = await addGroup(server, host)
    const refused = { status: 422, body: { errors: [{ path }] } }
    expect(await send('POST', '/groups', body)).toMatchObject(refused)
    expect(await send('PUT', `/groups/${group.id}`, body)).toMatchObject(refused)
    expect(await counts()).toEqual([{ ...group, users: 0 }])
  })

  test('of another host, or that never were, are not found', async () => {
    const group = await addGroup(server, other)
    const user = await buildRoomUser(server, host)
    for (const id of [group.id, 'nonsense', '00000000-0000-4000-8000-000000000000']) {
      expect((await send('PUT', `/groups/${id}`, { name: 'Mine', colour: 'red' })).status).toBe(404)
      expect((await send('DELETE', `/groups/${id}`)).status).toBe(404)
      expect((await add(id, [user.id])).status).toBe(404)
    }
    expect((await list('', other)).groups).toEqual([group])
  })

  test('are not overwritten by a console that saw another state', async () => {
    const group = await addGroup(server, host, { name: 'Altos', colour: 'red' })
    const expect_ = { name: 'Altos', colour: 'red' }
    expect((await send('PUT', `/groups/${group.id}`, { name: 'Low', colour: 'red', expect: expect_ })).status).toBe(200)
    const late = { status: 409, body: { code: 'state_changed' } }
    expect(await send('PUT', `/groups/${group.id}`, { name: 'High', colour: 'red', expect: expect_ })).toMatchObject(
      late,
    )
    expect(await send('DELETE', `/groups/${group.id}`, { expect: expect_ })).toMatchObject(late)
    expect((await list()).groups[0].name).toBe('Low')
  })
})

describe('POST /api/host/groups/:id/users', () => {
  test('adds and removes users by one entry each, and reports who could not be', async () => {
    const group = await addGroup(server, host, { name: 'Altos' })
    const [one, two] = [await buildRoomUser(server, host), await buildRoomUser(server, host)]
    const foreign = await buildRoomUser(server, other)
    const { body } = await add(group.id, [one.id, two.id.toUpperCase(), one.id, foreign.id, 'nonsense'])
    expect(body.data.succeeded.toSorted()).toEqual([one.id, two.id].sort())
    expect(body.data.failed).toMatchObject([
      { id: foreign.id, code: 'not_found' },
      { id: 'nonsense', code: 'not_found' },
    ])
    expect((await add(group.id, [one.id])).body.data.succeeded).toEqual([one.id]) // twice: no entry
    const removal = { userIds: [one.id, foreign.id], change: 'remove' }
    expect((await send('POST', `/groups/${group.id}/users`, removal)).body.message).toBe('1 done, 1 failed')
    expect(await groupsOf(one.id)).toEqual([])
    expect(await groupsOf(two.id)).toEqual([group.id])
    expect(await actions()).toMatchObject([
      { action: 'group_users_removed', after: { name: 'Altos', users: [{ id: one.id }] } },
      { action: 'group_users_added', after: { name: 'Altos', users: [{ id: one.id }, { id: two.id }] } },
      { action: 'group_created' },
    ])
    expect((await list('', other)).users[0].group_ids).toEqual([])
  })

  test('leaves a user in ten groups as it is', async () => {
    const user = await buildRoomUser(server, host)
    for (let n = 0; n < 10; n++) await add((await addGroup(server, host)).id, [user.id])
    const { body } = await add((await addGroup(server, host)).id, [user.id])
    expect(body.data).toMatchObject({ succeeded: [], failed: [{ id: user.id, code: 'conflict' }] })
    expect(await groupsOf(user.id)).toHaveLength(10)
  })

  test.each([
    [{ userIds: [], change: 'add' }],
    [{ userIds: Array.from({ length: 501 }, (_, n) => `u${n}`), change: 'add' }],
    [{ userIds: 'all', change: 'add' }],
    [{ userIds: ['u'] }],
    [{ userIds: ['u'], change: 'toggle' }],
    [[]],
    [undefined],
  ])('refuses the body %#', async (body) => {
    const group = await addGroup(server, host)
    expect((await send('POST', `/groups/${group.id}/users`, body)).status).toBe(422)
  })

  test('is not for moderators', async () => {
    const group = await addGroup(server, host)
    const user = await buildRoomUser(server, host)
    const moderator = await buildAssistant(server, host, 'moderator')
    expect((await add(group.id, [user.id], moderator)).status).toBe(403)
    expect(await groupsOf(user.id)).toEqual([])
  })
})

describe("a user's groups", () => {
  const names = { username: 'amina', user_id: 'U000001', reference: 'Row 3' }

  test('are set with the user, stay as they are where a call leaves them out, and filter the list', async () => {
    const [b, a] = [await addGroup(server, host, { name: 'B' }), await addGroup(server, host, { name: 'A' })]
    const body = { ...names, password: PASSWORD, group_ids: [b.id, a.id, b.id] }
    const { user } = (await send('POST', '/users', body)).body.data
    expect(user).toMatchObject({ group_ids: [a.id, b.id], reference: 'Row 3' })
    const later = { ...names, username: 'bela', reference: undefined }
    expect((await send('PUT', `/users/${user.id}`, later)).body.data.user.group_ids).toEqual([a.id, b.id])
    expect((await send('PUT', `/users/${user.id}`, { ...later, group_ids: [b.id] })).body.data.user).toMatchObject({
      group_ids: [b.id],
      reference: 'Row 3',
    })
    await buildRoomUser(server, host)
    const found = await list(`?group=${b.id}`)
    expect(found).toMatchObject({ total: 1, users: [{ id: user.id }] })
    expect(found.groups).toHaveLength(2)
    expect((await list(`?group=${a.id}`)).total).toBe(0)
    expect((await actions())[0]).toMatchObject({
      action: 'user_edited',
      before: { groups: 'A; B' },
      after: { groups: 'B' },
    })
    expect((await send('PUT', `/users/${user.id}`, { ...later, group_ids: [] })).body.data.user.group_ids).toEqual([])
  })

  test('are those of the host, ten at most, and a list', async () => {
    const foreign = await addGroup(server, other)
    const own = await addGroup(server, host)
    const user = await buildRoomUser(server, host, names)
    const ids = Array.from({ length: 11 }, () => own.id)
    for (const group_ids of [[foreign.id], ['nonsense'], ids, own.id, null, [7]]) {
      const refused = {
        status: 422,
        body: {
          errors: expect.arrayContaining([{ path: expect.stringMatching(/^group_ids/), msg: expect.any(String) }]),
        },
      }
      const another = { username: 'bela', user_id: 'U000002', password: PASSWORD, group_ids }
      expect(await send('POST', '/users', another)).toMatchObject(refused)
      expect(await send('PUT', `/users/${user.id}`, { ...names, group_ids })).toMatchObject(refused)
    }
    expect((await list()).users).toMatchObject([{ id: user.id, group_ids: [] }])
  })

  test('are not overwritten by a console that saw other ones', async () => {
    const group = await addGroup(server, host)
    const user = await buildRoomUser(server, host, names)
    const seen = { ...names, group_ids: [] }
    await add(group.id, [user.id])
    const late = await send('PUT', `/users/${user.id}`, { ...names, group_ids: [], expect: seen })
    expect(late).toMatchObject({ status: 409, body: { code: 'state_changed' } })
    expect(await groupsOf(user.id)).toEqual([group.id])
    const older = await send('PUT', `/users/${user.id}`, { ...names, expect: names }) // of a release without groups
    expect(older.status).toBe(200)
    expect(await groupsOf(user.id)).toEqual([group.id])
  })
})

describe('an import', () => {
  const row = (n: number, groups?: unknown) => ({
    ...{ username: `user ${n}`, user_id: `U00000${n}`, password: PASSWORD },
    ...(groups !== undefined && { groups }),
  })

  test('puts users into groups by name, and makes those that do not exist', async () => {
    const altos = await addGroup(server, host, { name: 'Altos', colour: 'red' })
    const users = [row(1, ['ALTOS', 'Readers', 'readers']), row(2, ['Readers']), row(3), row(4, null)]
    expect((await send('POST', '/users/import', { users })).body.message).toBe('4 added')
    const { users: added, groups } = await list()
    const [, readers] = groups
    expect(groups).toEqual([altos, { id: expect.any(String), name: 'Readers', colour: 'orange' }])
    expect(added.map(({ group_ids }: { group_ids: string[] }) => group_ids)).toEqual([
      [altos.id, readers.id],
      [readers.id],
      [],
      [],
    ])
  })

  test('reports a row that needs a group too many, and adds the others', async () => {
    await fill(49)
    const users = [row(1, ['New', 'Newer']), row(2, ['New']), row(3, ['Newest']), row(4, ['New', 'G7'])]
    const { body } = await send('POST', '/users/import', { users })
    expect(body.data.added).toMatchObject([{ index: 1 }, { index: 3 }])
    expect(body.data.failed).toMatchObject([
      { index: 0, path: 'groups' },
      { index: 2, path: 'groups' },
    ])
    expect((await counts()).length).toBe(50)
  })

  test.each([
    [[['Al;tos']]],
    [[['x'.repeat(41)]]],
    [['Altos']],
    [[Array.from({ length: 11 }, (_, n) => `G${n}`)]],
    [[[7]]],
  ])('refuses groups such as %j', async ([groups]) => {
    expect((await send('POST', '/users/import', { users: [row(1, groups)] })).status).toBe(422)
    expect((await list()).groups).toEqual([])
  })
})

test('a live room that starts again, or was left behind, has the groups of its users', async () => {
  const behind = new RoomState(initialRoom(await readStoredRoom(server.deps.db, host.id), 'behind'))
  const group = await addGroup(server, host)
  const user = await buildRoomUser(server, host)
  await add(group.id, [user.id])
  const stored = await readStoredRoom(server.deps.db, host.id)
  behind.apply(buildReconcilingChange(behind, stored, 0))
  for (const room of [behind, new RoomState(initialRoom(stored, 'again'))]) {
    expect(room.groups).toEqual([group])
    expect(room.participants.get(user.id)?.roster.group_ids).toEqual([group.id])
    expect(buildReconcilingChange(room, stored, 0)).toMatchObject({ changes: [] })
  }
})
