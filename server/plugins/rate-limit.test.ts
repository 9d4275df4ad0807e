import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  type TestHost,
} from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  host = await buildHost(server)
})

test.each([
  [300, 'POST', '/host/users/bulk/mute', { userIds: ['00000000-0000-4000-8000-000000000000'] }],
  [120, 'POST', '/host/cleanup-stale-users', {}],
  [20, 'PUT', '/host/app-info', { user_title: 'Choir' }],
  [60, 'POST', '/host/users/import', { users: [{ username: 'amina', user_id: 'U000001', password: 'lamp' }] }],
  [120, 'GET', '/recordings?fetch_live=true', undefined],
  [120, 'GET', '/recordings', undefined],
  [120, 'GET', '/host/recordings/search?q=harvest', undefined],
  [120, 'GET', '/host/attendance', undefined],
  [120, 'GET', '/host/attendance/charts', undefined],
  [120, 'GET', '/host/attendance/meetings', undefined],
  [120, 'GET', '/host/meetings', undefined],
  [20, 'GET', '/host/attendance?format=csv', undefined],
  [120, 'GET', '/host/dashboard', undefined],
  [120, 'POST', '/auth/verify', {}],
  [300, 'GET', '/host/audit', undefined],
  [240, 'GET', '/host/phone-requests', undefined],
  [240, 'GET', '/host/sign-in-links', undefined],
] as const)('after %i in a minute, refuses %s %s to this host only', async (count, method, path, body) => {
  const ask = (as = host) => call(server, method, path, { as, body })
  for (let n = 0; n < count; n++) expect((await ask()).status).toBe(200)
  const refused = await ask()
  expect(refused).toMatchObject({ status: 429, body: { success: false, code: 'too_many' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ask(await buildHost(server))).status).toBe(200)
  now += 60_001
  expect((await ask()).status).toBe(200)
})

test('a HEAD counts as the GET that it stands for', async () => {
  const ask = (method: 'GET' | 'HEAD') =>
    server.app.inject({
      method,
      url: '/api/recordings?fetch_live=true',
      headers: { host: 'localhost:3000', authorization: `Bearer ${host.token}` },
    })
  for (let n = 0; n < 60; n++)
    expect([(await ask('GET')).statusCode, (await ask('HEAD')).statusCode]).toEqual([200, 200])
  expect((await ask('HEAD')).statusCode).toBe(429)
  expect((await ask('GET')).statusCode).toBe(429)
})

test('a host may mute or unmute the room sixty times at once, then once a second, undone ones too', async () => {
  const press = (as = host) => call(server, 'POST', '/host/trigger-bulk-mute/mute', { as })
  const undo = () =>
    call(server, 'POST', '/host/undo-mute-all', { as: host, body: { mute_round: 0, host_mute_all_active: false } })
  for (let n = 0; n < 30; n++) expect([(await press()).status, (await undo()).status]).toEqual([200, 409])
  for (const refused of [await press(), await undo()])
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, body: { code: 'too_many' } })
  expect((await press(await buildHost(server))).status).toBe(200)
  now += 1_000
  expect([(await press()).status, (await press()).status]).toEqual([200, 429])
})

test('a phone may ask who it is sixty times a minute', async () => {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const other = await buildPhone(server, host, await buildRoomUser(server, host))
  const ask = (as = phone) => call(server, 'GET', '/mobile/me', { as })
  for (let n = 0; n < 60; n++) expect((await ask()).status).toBe(200)
  expect(await ask()).toMatchObject({ status: 429, body: { code: 'too_many' } })
  expect((await ask(other)).status).toBe(200)
  now += 60_001
  expect((await ask()).status).toBe(200)
})

test('lists from Zoom, stored ones, files and JSON have limits of their own', async () => {
  for (const [count, path, other] of [
    [120, '/recordings', '/recordings?fetch_live=true'],
    [120, '/host/attendance', '/host/attendance?format=csv'],
  ] as const) {
    for (let n = 0; n < count; n++) expect((await call(server, 'GET', path, { as: host })).status).toBe(200)
    expect((await call(server, 'GET', path, { as: host })).status).toBe(429)
    expect((await call(server, 'GET', other, { as: host })).status).toBe(200)
  }
})

test('a host may act twenty times at once, then ten times a second', async () => {
  const { id } = await buildRoomUser(server, host)
  const act = (n: number, as = host) => call(server, 'POST', `/host/users/${id}/${n % 2 ? 'mute' : 'unmute'}`, { as })
  for (let n = 0; n < 20; n++) expect((await act(n)).status).toBe(200)
  expect(await act(20)).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, body: { code: 'too_many' } })
  expect((await act(0, await buildHost(server))).status).toBe(404) // each host has its own limit
  now += 1_000
  for (let n = 0; n < 10; n++) expect((await act(n)).status).toBe(200)
  expect((await act(10)).status).toBe(429)
})

test('a host may write 400 times at once, then twenty times a second, whatever the call and the session', async () => {
  const sessions = [host, { token: await openSession(server, host.id) }]
  const { id, username, user_id } = await buildRoomUser(server, host)
  now += 1_000 // so that it does not count
  const edit = (n: number) =>
    call(server, 'PUT', `/host/users/${id}`, {
      as: sessions[n % 2] ?? host,
      body: { username, user_id, reference: `Row ${n}` },
    })
  const wrong = (n: number) => call(server, 'POST', '/host/users', { as: sessions[n % 2] ?? host, body: {} })
  const headers = { authorization: `Bearer ${host.token}`, host: 'localhost', 'content-type': 'application/json' }
  const unreadable = () => server.app.inject({ method: 'POST', url: '/api/host/users', headers, payload: '{' })
  for (let n = 0; n < 150; n++) expect([(await edit(n)).status, (await wrong(n)).status]).toEqual([200, 422])
  for (let n = 0; n < 100; n++) expect((await unreadable()).statusCode).toBe(400)
  expect((await unreadable()).statusCode).toBe(429)
  expect(await edit(0)).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, body: { code: 'too_many' } })
  expect((await wrong(0)).status).toBe(429)
  expect((await call(server, 'GET', '/host/users', { as: host })).status).toBe(200)
  now += 1_000
  for (let n = 0; n < 20; n++) expect((await edit(n)).status).toBe(200)
  expect((await edit(0)).status).toBe(429)
})

test('a host may read 2,000 passwords at once, then twenty a minute, in as few calls as it likes', async () => {
  const { id } = await buildRoomUser(server, host)
  const others = Array.from({ length: 499 }, () => randomUUID())
  const revealMany = (userIds: string[]) =>
    call(server, 'POST', '/host/users/bulk/credentials', { as: host, body: { userIds } })
  const reveal = () => call(server, 'POST', `/host/users/${id}/credentials`, { as: host })
  for (let n = 0; n < 4; n++) expect((await revealMany([id, ...others])).status).toBe(200)
  expect(await reveal()).toMatchObject({ status: 429, headers: { 'retry-after': '3' }, body: { code: 'too_many' } })
  expect(await revealMany([id])).toMatchObject({ status: 429, body: { code: 'too_many' } })
  now += 60_000
  expect((await revealMany([id, id.toUpperCase(), ...others.slice(0, 18)])).status).toBe(200)
  expect((await reveal()).status).toBe(200)
  expect((await reveal()).status).toBe(429)
  const shown = await server.deps.db
    .selectFrom('audit')
    .where('action', '=', 'user_credentials_revealed')
    .selectAll()
    .execute()
  expect(shown).toHaveLength(6)
})

test('never refuses three tabs that poll for minutes', async () => {
  await buildRoomUser(server, host)
  for (let n = 0; n < 1_500; n++) {
    now += 80
    const path = n % 2 === 0 ? '/host/users' : '/host/online-users'
    expect((await call(server, 'GET', path, { as: host })).status).toBe(200)
  }
})

test('a host searches its users 120 times a minute, over all its sessions, beside the polls', async () => {
  const search = (as: { token: string } = host) => call(server, 'GET', '/host/users?limit=1', { as })
  for (let n = 0; n < 120; n++) expect((await search()).status).toBe(200)
  const other = { token: await openSession(server, host.id) }
  expect(await search(other)).toMatchObject({ status: 429, body: { code: 'too_many' } })
  expect((await call(server, 'GET', '/host/users', { as: other })).status).toBe(200)
  expect((await search(await buildHost(server))).status).toBe(200)
})

test('a session gets the list of users 1,200 times a minute, whatever others do, and no other server is told', async () => {
  const publish = vi.spyOn(server.deps.bus, 'publish')
  const poll = (as: { token: string } = host) => call(server, 'GET', '/host/users', { as })
  for (let n = 0; n < 1_200; n++) expect((await poll()).status).toBe(200)
  expect(await poll()).toMatchObject({ status: 429, headers: { 'retry-after': '60' }, body: { code: 'too_many' } })
  expect((await poll({ token: await openSession(server, host.id) })).status).toBe(200)
  expect((await poll(await buildHost(server))).status).toBe(200)
  now += 60_001
  expect((await poll()).status).toBe(200)
  expect(publish.mock.calls.filter(([{ type }]) => type === 'call-counted')).toEqual([])
})
