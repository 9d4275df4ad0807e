import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditAnswer } from '../../../shared/audit.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  readAudit,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

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

const readHost = (query = '', as: SignedIn = host) => readAudit(server, as, query, '/host/audit')

const at = () => new Date(now).toISOString()

describe('GET /api/admin/audit', () => {
  test('pages from the newest, without losing or repeating an entry', async () => {
    for (let count = 0; count < 7; count++)
      await call(server, 'POST', `/host/trigger-bulk-mute/${count % 2 ? 'unmute' : 'mute'}`, { as: host })
    const all = (await read('limit=200')).entries.map((entry) => entry.id)
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: AuditAnswer['data'] = await read(`limit=3${next && `&before=${next}`}`)
      expect(page.entries.length).toBeLessThanOrEqual(3)
      seen.push(...page.entries.map((entry) => entry.id))
      next = page.next
      await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host }) // newer entries do not shift the pages
    }
    expect(seen).toEqual(all)
  })

  test('filters by host, action, actor and time', async () => {
    const day = at().slice(0, 10)
    now += 24 * 3_600_000
    master = await buildMaster(server)
    const other = await buildHost(server)
    const count = async (query: string) => (await read(query)).entries.length
    expect(await count(`host_id=${other.id}`)).toBe(2)
    expect(await count(`host_id=${other.id.toUpperCase()}&action=host_created`)).toBe(1)
    expect(await count('action=host_created')).toBe(2)
    expect(await count(`from=${day}&to=${day}&action=host_created`)).toBe(1)
    expect(await count(`from=${at()}&action=host_created`)).toBe(1)
    expect(await count(`to=${at()}&action=host_created`)).toBe(2)
    expect(await count('actor=master&action=host_created')).toBe(2)
    const [entry] = (await read(`host_id=${other.id}&limit=1`)).entries
    expect(await count(`actor=${entry?.actor.id}`)).toBe(2)
    expect(await count('actor=host')).toBe(0)
    expect(await count('actor=unknown')).toBe(0)
  })

  test('lists 5,000 users at most, as many of each entry, and how many it leaves out', async () => {
    const users = Array.from({ length: 60 }, (_, index) => ({
      username: `p${index}`,
      user_id: `id-${index}`,
      password: 'lantern-1',
    }))
    const { added } = (await call(server, 'POST', '/host/users/import', { as: host, body: { users } })).body.data
    const userIds = added.map(({ id }: { id: string }) => id)
    await call(server, 'POST', '/host/users/bulk/mute', { as: host, body: { userIds } })
    const [muted, imported, ...others] = (await readHost('limit=200')).entries
    expect(muted).toMatchObject({ action: 'user_mute', users_left_out: 35, after: { is_muted: true } })
    expect(muted?.before?.users).toHaveLength(25)
    expect(imported).toMatchObject({ action: 'user_created', before: null, users_left_out: 35 })
    expect(imported?.after?.users).toEqual(
      users.slice(0, 25).map(({ password: _, ...names }, index) => ({ id: userIds[index], ...names })),
    )
    for (const entry of others) expect(entry).not.toHaveProperty('users_left_out')
    const [whole] = (await readHost('limit=50')).entries
    expect(whole?.before?.users).toHaveLength(60)
    expect(whole).not.toHaveProperty('users_left_out')
    expect((await readHost(`limit=200&user=${userIds[59]}`)).entries).toHaveLength(2)
  })

  test('filters by kind of act, and by a user alone, among many, or as the one who acts', async () => {
    const [one, other] = [await buildRoomUser(server, host), await buildRoomUser(server, host)]
    const both = { userIds: [one.id, other.id] }
    await call(server, 'POST', '/host/users/bulk/mute', { as: host, body: both })
    await call(server, 'POST', '/host/users/bulk/unmute', { as: host, body: both })
    await call(server, 'POST', `/host/users/${other.id}/mute`, { as: host })
    await buildPhone(server, host, one)
    const actionsOf = async (query: string) => (await readHost(query)).entries.map(({ action }) => action)
    expect(await actionsOf('kind=mutes')).toEqual(['user_mute', 'user_unmute', 'user_mute'])
    expect(await actionsOf('kind=sign_ins')).toEqual(['phone_login'])
    expect(await actionsOf(`user=${one.id}`)).toEqual(['phone_login', 'user_unmute', 'user_mute', 'user_created'])
    expect(await actionsOf(`user=${other.id.toUpperCase()}&kind=mutes`)).toEqual([
      'user_mute',
      'user_unmute',
      'user_mute',
    ])
    const unknown = await readHost('user=U000001')
    expect(unknown).toEqual({ entries: [], next: null })
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['before=abc', 'before'],
    ['before=9999999999999999999', 'before'],
    ['before=-1', 'before'],
    ['action=dance', 'action'],
    ['kind=dances', 'kind'],
    [`user=${'x'.repeat(65)}`, 'user'],
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['to=0000-01-01', 'to'],
    ['to=2026-11-21T10:00', 'to'],
    ['action=host_login&action=host_logout', 'action'],
  ])('refuses %s', async (query, path) => {
    for (const [as, route] of [
      [master, '/admin/audit'],
      [host, '/host/audit'],
    ] as const) {
      const refused = await call(server, 'GET', `${route}?${query}`, { as })
      expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path }] } })
    }
  })

  test("shows everything to masters; a host sees only its own, without the master's identity", async () => {
    const other = await buildHost(server)
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: other })
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    expect((await readHost()).entries.map((entry) => entry.host_id)).toEqual([host.id, host.id, host.id])
    expect((await readHost(`host_id=${other.id}`)).entries.map((entry) => entry.host_id)).not.toContain(other.id)
    expect((await readHost(`actor=${other.id}`)).entries).toEqual([])
    const [created] = (await readHost('action=host_created')).entries
    expect(created).toMatchObject({
      actor: { role: 'master', id: null, name: null },
      ip: null,
      target: { id: host.id },
    })

    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    expect((await call(server, 'GET', '/admin/audit')).status).toBe(401)
    expect((await call(server, 'GET', '/host/audit')).status).toBe(401)
    for (const as of [host, phone]) expect((await call(server, 'GET', '/admin/audit', { as })).status).toBe(403)
    for (const as of [master, phone]) expect((await call(server, 'GET', '/host/audit', { as })).status).toBe(403)
  })
})

test('two searches for a user run at a time, and other pages do not wait for them', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const searches = [1, 2].map(() => server.deps.auditSearches.run('another host', () => promise))
  let isRead = false
  const search = readHost(`user=${host.id}`).then(() => {
    isRead = true
  })
  for (let time = 0; time < 5; time++) await readHost()
  expect(isRead).toBe(false)
  resolve()
  await Promise.all([search, ...searches])
})
