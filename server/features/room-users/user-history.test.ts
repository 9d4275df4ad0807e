import { beforeEach, expect, test } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import { UserHistoryAnswer } from '../../../shared/user-history.ts'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
let user: RoomUser
beforeEach(async () => {
  host = await buildHost(server)
  user = await buildRoomUser(server, host)
})

const ask = (id: string, query = '', as: { token: string } = host) =>
  call(server, 'GET', `/host/users/${id}/history${query}`, { as })
const history = async (query = '') => UserHistoryAnswer.parse((await ask(user.id, query)).body).data

async function addStays(...days: number[]): Promise<void> {
  const { id: room_id } = await server.deps.db
    .selectFrom('rooms')
    .select('id')
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  const stays = days.map((day) => ({
    ...{ room_id, room_user_id: user.id, user_id: user.user_id, username: user.username },
    joined_at: new Date(Date.UTC(2026, 0, day, 10)),
    left_at: new Date(Date.UTC(2026, 0, day, 10, 1)),
  }))
  await server.deps.db.insertInto('stays').values(stays).execute()
}

test('one user is as in the list, and nobody sees the user of another host', async () => {
  const one = (id: string, as: { token: string } = host) => call(server, 'GET', `/host/users/${id}`, { as })
  const listed = (await call(server, 'GET', '/host/users', { as: host })).body.data.users
  expect((await one(user.id)).body.data.user).toEqual(listed[0])
  const other = await buildHost(server)
  const refused = [await one(user.id, other), await one('U000001'), await one(host.id)]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404])
})

test('is empty for a user who has never signed in', async () => {
  expect(await history()).toEqual({
    created_at: expect.any(String),
    device_bound_at: null,
    visits: 0,
    total_seconds: 0,
    stays: [],
    next: null,
  })
})

test('pages through the stays, newest first, and counts all of them', async () => {
  await addStays(1, 2, 3, 4, 5)
  const first = await history('?limit=2')
  const joined = (day: number) => new Date(Date.UTC(2026, 0, day, 10)).toISOString()
  expect(first).toMatchObject({ visits: 5, total_seconds: 300, next: joined(4) })
  expect(first.stays.map(({ joined_at, seconds }) => [joined_at, seconds])).toEqual([
    [joined(5), 60],
    [joined(4), 60],
  ])
  const second = await history(`?limit=3&before=${first.next}`)
  expect(second.stays.map(({ joined_at }) => joined_at)).toEqual([joined(3), joined(2), joined(1)])
  expect(second.next).toBeNull()
})

test('has the stay that goes on, and since when the user has the phone', async () => {
  const phone = await buildPhone(server, host, user)
  const { device_bound_at, stays } = await history()
  expect(device_bound_at).toEqual(expect.any(String))
  expect(stays).toMatchObject([{ left_at: null }])

  const again = { username: user.username, password: 'correct horse battery', platform: 'android' }
  const body = { host_id: host.user_id, device_id: phone.device_id, ...again }
  expect((await call(server, 'POST', '/mobile/login', { body })).status).toBe(200)
  expect((await history()).device_bound_at).toBe(device_bound_at)

  await call(server, 'POST', `/host/users/${user.id}/switch`, { as: host })
  expect(await history()).toMatchObject({ device_bound_at: null, stays: [{ left_at: expect.any(String) }] })
})

test("another host's user is as absent as an unknown one", async () => {
  const other = await buildHost(server)
  const foreign = await ask(user.id, '', other)
  const absent = await ask('00000000-0000-4000-8000-000000000000', '', other)
  expect([foreign.status, absent.status, (await ask('U000001')).status]).toEqual([404, 404, 404])
  expect(foreign.body).toEqual(absent.body)
})

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=ten', 'limit'],
  ['before=yesterday', 'before'],
])('refuses %s', async (query, path) => {
  expect(await ask(user.id, `?${query}`)).toMatchObject({ status: 422, body: { errors: [{ path }] } })
})
