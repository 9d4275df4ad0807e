import { beforeEach, describe, expect, test, vi } from 'vitest'
import { RoomUsersAnswer } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let host: TestHost

const server = await setup()
beforeEach(async () => {
  host = await buildHost(server)
  for (const [username, user_id, reference] of [
    ['Amina', 'U000001', 'Row 3'],
    ['bela', 'U000002', 'row 12'],
    ['Çağla', 'X-9', ''],
    ['amina b', 'U000004', ''],
  ])
    await buildRoomUser(server, host, { username, user_id, reference })
})

async function find(query: string) {
  const { status, body } = await call(server, 'GET', `/host/users?${query}`, { as: host })
  expect(status).toBe(200)
  const { users, total } = RoomUsersAnswer.parse(body).data
  return { names: users.map((user) => user.username), total }
}

describe('GET /api/host/users with a search', () => {
  test.each([
    ['search=AMIN', ['Amina', 'amina b'], 2],
    ['search=ａｍｉｎ', ['Amina', 'amina b'], 2],
    ['search=c%CC%A7a', ['Çağla'], 1],
    ['search=u00000', ['Amina', 'bela', 'amina b'], 3],
    ['search=row', ['Amina', 'bela'], 2],
    ['search=%25', [], 0],
    ['search=', ['Amina', 'bela', 'Çağla', 'amina b'], 4],
    ['limit=2', ['Amina', 'bela'], 4],
    ['limit=2&offset=3', ['amina b'], 4],
    ['offset=3', ['amina b'], 4],
    ['offset=9', [], 4],
    ['search=amin&limit=1&offset=1', ['amina b'], 2],
  ])('%s finds %j', async (query, names, total) => {
    expect(await find(query)).toEqual({ names, total })
  })

  test('lets other calls go on while it goes through a large room', async () => {
    const { db, rooms } = server.deps
    const { id: room_id } = await rooms.get(host.id)
    const names = Array.from({ length: 1_000 }, (_, n) => `singer ${n}`)
    const singers = names.map((name) => ({
      ...{ room_id, user_id: name, user_id_key: name, username: name, username_key: name },
      ...{ password_hash: '', password_ciphertext: '' },
    }))
    await db.insertInto('room_users').values(singers).execute()
    await rooms.forget(host.id)
    const plain = (await call(server, 'GET', '/host/users', { as: host })).body.data.users
    const room = await rooms.get(host.id)
    const findUser = room.user.bind(room)
    let [inThisTurn, most] = [0, 0]
    vi.spyOn(room, 'user').mockImplementation((id) => {
      if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0))
      most = Math.max(most, ++inThisTurn)
      return findUser(id)
    })
    const { body } = await call(server, 'GET', '/host/users?search=', { as: host })
    expect(body.data.users).toEqual(plain)
    expect(most).toBe(250)
  })

  test('filters by status, and pages within the result', async () => {
    const { users } = (await call(server, 'GET', '/host/users', { as: host })).body.data
    const [amina, bela, cagla] = users
    await buildPhone(server, host, amina)
    await call(server, 'POST', `/host/users/${bela.id}/deactivate`, { as: host })
    await buildPhone(server, host, cagla)
    await call(server, 'POST', `/host/users/${cagla.id}/switch`, { as: host })
    expect(await find('status=Online')).toEqual({ names: ['Amina'], total: 1 })
    expect(await find('status=S')).toEqual({ names: ['bela'], total: 1 })
    expect(await find('status=C')).toEqual({ names: ['Çağla'], total: 1 })
    expect(await find('status=Active')).toEqual({ names: ['amina b'], total: 1 })
    await call(server, 'POST', `/host/users/${bela.id}/activate`, { as: host })
    expect(await find('status=Active&limit=1&offset=1')).toEqual({ names: ['amina b'], total: 2 })
  })

  test('the plain call has no total, and the ETag of the whole list', async () => {
    const plain = await call(server, 'GET', '/host/users', { as: host })
    const unknown = await call(server, 'GET', '/host/users?_=1', { as: host })
    expect(Object.keys(RoomUsersAnswer.parse(plain.body).data)).toEqual(['users', 'next_user_id', 'groups'])
    expect(plain.body.data).not.toHaveProperty('total')
    expect(unknown).toMatchObject({ body: plain.body, headers: { etag: plain.headers.etag } })
    expect((await call(server, 'GET', '/host/users?limit=1', { as: host })).body.data.next_user_id).toBe('U000005')
  })

  test('returns 304 only for the ETag of the same query', async () => {
    const get = (query: string, tag = '') =>
      call(server, 'GET', `/host/users?${query}`, { as: host, headers: { 'if-none-match': tag } })
    const tag = String((await get('search=amina')).headers.etag)
    expect(tag).toMatch(/^"[^"]+"$/)
    expect(await get('search=amina', tag)).toMatchObject({ status: 304, body: null })
    expect((await get('search=bela', tag)).status).toBe(200)
    expect((await get('', tag)).status).toBe(200)
    await buildRoomUser(server, host)
    expect((await get('search=amina', tag)).status).toBe(200)
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=many', 'limit'],
    ['limit=', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1.5', 'offset'],
    ['status=Sleeping', 'status'],
    ['search=a&search=b', 'search'],
    [`search=${'x'.repeat(101)}`, 'search'],
  ])('refuses %s', async (query, path) => {
    const refused = await call(server, 'GET', `/host/users?${query}`, { as: host })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path }] } })
  })

  test("searches the host's own users only, and is for hosts only", async () => {
    const other = await buildHost(server)
    const foreign = await buildRoomUser(server, other, { username: 'amina of another' })
    expect((await find('search=amina')).names).not.toContain(foreign.username)
    expect((await call(server, 'GET', '/host/users?search=a')).status).toBe(401)
    expect((await call(server, 'GET', '/host/users?search=a', { as: await buildMaster(server) })).status).toBe(403)
  })
})
