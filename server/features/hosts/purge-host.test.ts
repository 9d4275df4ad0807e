import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { purgeDeletedHosts } from './jobs.ts'

const DAY = 24 * 3_600_000
const MINUTE = 60_000
let now = Date.parse('2026-11-21T10:00:00Z')
let master: Awaited<ReturnType<typeof buildMaster>>

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 90 * DAY
  master = await buildMaster(server)
})

const purge = (id: string) => call(server, 'POST', `/admin/hosts/${id}/purge`, { as: master })
const remove = (id: string) => call(server, 'DELETE', `/admin/hosts/${id}`, { as: master })
const inData = (path: string) => join(server.deps.config.DATA_DIR, path)
const deleted = async () => {
  const as = await buildMaster(server)
  const { hosts } = (await call(server, 'GET', '/admin/hosts?deleted=true', { as })).body.data
  return hosts.map((host: { id: string }) => host.id)
}

const logoOf = (name: string) => `logos/${Buffer.from(name).toString('hex').padEnd(32, '0')}.png`

/** Builds a host with data in every table and folder, under searchable names. */
async function buildFullHost(name: string): Promise<TestHost & { files: string[] }> {
  const host = await buildHost(server, {
    username: `${name}-host`,
    email: `${name}@example.com`,
    mobile: `${name}-555`,
  })
  const user = await buildRoomUser(server, host, { username: `${name}-user`, reference: `${name}-ref` })
  const phone = await buildPhone(server, host, user)
  const to = (path: string, body?: unknown, as: { token: string } = host) =>
    call(server, 'POST', path, { as, body, headers: { 'idempotency-key': `${name} ${path}` } })
  await to(`/host/users/${user.id}/credentials`)
  await to('/mobile/logout', undefined, phone)
  await call(server, 'PUT', `/host/users/${user.id}`, {
    as: host,
    body: { username: `${name}-renamed`, user_id: user.user_id },
  })
  await call(server, 'POST', '/auth/host/login', { body: { username: host.username, password: PASSWORD } })
  await server.deps.stays.flush()
  await sql`insert into speeches (room_id, room_user_id, began_at, ended_at)
    select room_id, room_user_id, joined_at, joined_at from stays on conflict do nothing`.execute(server.deps.db)

  const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
  const sitting = { room_id, meeting_uuid: `${name}-sitting` }
  const began_at = new Date(now)
  await server.deps.db
    .insertInto('sittings')
    .values({ ...sitting, meeting_id: '1', began_at, is_live: false, live_reported_at: began_at })
    .execute()
  await server.deps.db
    .insertInto('raised_hands')
    .values({ ...sitting, room_user_id: crypto.randomUUID(), raised_at: began_at })
    .execute()
  const recording = `archive/${host.id}/one.m4a`
  const stray = `elsewhere/${name}.m4a`
  const files = [recording, stray, logoOf(name), `logos/${host.id}/logo.png`]
  for (const file of files) await createFile(file)
  const shown = { message: `${name}-message`, logo_url: `/${logoOf(name)}` }
  expect((await call(server, 'PUT', '/host/app-info', { as: host, body: shown })).status).toBe(200)
  for (const [index, archived_path] of [recording, stray].entries())
    await server.deps.db
      .insertInto('recordings')
      .values({
        ...{ room_id, meeting_id: '1', meeting_uuid: `${name}-uuid`, zoom_file_id: `${index}`, topic: name },
        ...{ started_at: new Date(now), status: 'completed', file_type: 'M4A', archived_path },
      })
      .execute()
  return { ...host, files }
}

async function createFile(path: string): Promise<void> {
  await mkdir(join(inData(path), '..'), { recursive: true })
  await writeFile(inData(path), 'sound')
}

/** Returns all rows of all tables as text. */
async function everything(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public'`.execute(server.deps.db)
  const texts = []
  for (const { name } of tables)
    texts.push(JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(server.deps.db)).rows))
  return texts.join('\n')
}

describe('purging a deleted host', () => {
  test('removes its rows and files, keeps an anonymous audit and touches no other host', async () => {
    const host = await buildFullHost('leaving')
    const other = await buildFullHost('staying')
    const room = (await call(server, 'GET', '/host/details', { as: host })).body.room_id
    await remove(host.id)
    expect(await everything()).toMatch(/leaving/)

    const answer = await purge(host.id)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    const left = await everything()
    expect(left).not.toMatch(/leaving/i)
    expect(left).not.toContain(room)
    for (const file of host.files) expect(existsSync(inData(file)), file).toBe(false)
    expect(existsSync(inData(`archive/${host.id}`))).toBe(false)

    expect(left).toMatch(/staying-renamed/)
    for (const file of other.files) expect(existsSync(inData(file)), file).toBe(true)
    expect((await call(server, 'GET', '/host/users', { as: other })).body.data.users).toHaveLength(1)

    const acts = await server.deps.db
      .selectFrom('audit')
      .selectAll()
      .where('host_id', '=', host.id)
      .orderBy('seq')
      .execute()
    expect(acts.at(-1)).toMatchObject({
      action: 'host_purged',
      actor_role: 'master',
      actor_id: master.id,
      target: host.id,
      after: { room_users: 1, files: 3 },
    })
    expect(acts.map((row) => row.action)).toEqual(
      expect.arrayContaining(['host_created', 'user_edited', 'phone_login', 'host_deleted', 'host_purge_asked']),
    )
    for (const row of acts.slice(0, -1)) {
      expect([row.before, row.after]).toEqual([null, null])
      expect(row.ip).toBe(row.actor_role === 'master' ? '127.0.0.1' : null)
    }
    expect(await purge(host.id)).toMatchObject({ status: 404 })
    expect((await call(server, 'POST', `/admin/hosts/${host.id}/restore`, { as: master })).status).toBe(404)
  })

  test('is refused for a host that is unknown or not deleted', async () => {
    const host = await buildHost(server)
    expect(await purge(host.id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'Only a deleted host can be purged. Delete it first.' },
    })
    expect((await call(server, 'GET', '/host/profile', { as: host })).status).toBe(200)
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) expect((await purge(id)).status).toBe(404)
  })

  test('never removes files outside the data folder, or of another host', async () => {
    const [host, other] = [await buildFullHost('reaching'), await buildFullHost('bystander')]
    const rooms = (await call(server, 'GET', '/host/details', { as: host })).body
    await createFile('../parley-outside.m4a')
    await server.deps.db
      .updateTable('recordings')
      .set({ archived_path: '../parley-outside.m4a' })
      .where('room_id', '=', rooms.room_id)
      .execute()
    await server.deps.db
      .updateTable('app_info')
      .set({ logo_url: `/${logoOf('bystander')}` })
      .where('host_id', '=', host.id)
      .execute()
    await remove(host.id)
    await purge(host.id)
    expect(existsSync(inData('../parley-outside.m4a'))).toBe(true)
    for (const file of other.files) expect(existsSync(inData(file)), file).toBe(true)
  })
})

describe('the purge job', () => {
  test('purges a host after 30 days, and not before', async () => {
    const host = await buildHost(server)
    await remove(host.id)
    const live = await buildHost(server)
    now += 30 * DAY - 1
    expect(await purgeDeletedHosts.run(server.deps)).toBe(0)
    expect(await deleted()).toEqual([host.id])
    now += 1
    expect(await purgeDeletedHosts.run(server.deps)).toBe(1)
    expect(await deleted()).toEqual([])
    const evidence = server.deps.db.selectFrom('audit').selectAll().where('action', '=', 'host_purged')
    expect(await evidence.execute()).toMatchObject([{ actor_role: 'system', host_id: host.id }])
    const as = { token: await openSession(server, live.id) }
    expect((await call(server, 'GET', '/host/profile', { as })).status).toBe(200)
  })

  test('resumes an interrupted purge, and blocks restoring in between', async () => {
    const host = await buildFullHost('leaving')
    await remove(host.id)
    const { db } = server.deps
    await db
      .updateTable('hosts')
      .set({ purge_started_at: new Date(now) })
      .where('id', '=', host.id)
      .execute()
    await db.deleteFrom('stays').execute()
    expect((await call(server, 'POST', `/admin/hosts/${host.id}/restore`, { as: master })).status).toBe(409)

    now += 10 * MINUTE - 1
    expect(await purgeDeletedHosts.run(server.deps)).toBe(0) // another node may still be running it
    now += 1
    expect(await purgeDeletedHosts.run(server.deps)).toBe(1)
    expect(await everything()).not.toMatch(/leaving/)
    for (const file of host.files) expect(existsSync(inData(file)), file).toBe(false)
  })

  test('continues past a host that fails, and retries it', async () => {
    const [broken, whole] = [await buildFullHost('broken'), await buildFullHost('whole')]
    for (const host of [broken, whole]) await remove(host.id)
    await server.deps.db
      .updateTable('recordings')
      .set({ archived_path: `archive/${broken.id}` })
      .where('meeting_uuid', '=', 'broken-uuid')
      .execute()
    now += 30 * DAY
    expect(await purgeDeletedHosts.run(server.deps)).toBe(1) // removing a folder as a file fails
    expect(await deleted()).toEqual([broken.id])
    await server.deps.db
      .updateTable('recordings')
      .set({ archived_path: null })
      .where('meeting_uuid', '=', 'broken-uuid')
      .execute()
    now += 10 * MINUTE
    expect(await purgeDeletedHosts.run(server.deps)).toBe(1)
    expect(await everything()).not.toMatch(/broken-/)
  })

  test('stops between two hosts when the server stops', async () => {
    const hosts = [await buildHost(server), await buildHost(server)]
    for (const host of hosts) await remove(host.id)
    now += 30 * DAY
    const stop = new AbortController()
    const { db } = server.deps
    const transaction = db.transaction()
    vi.spyOn(db, 'transaction').mockImplementationOnce(() => {
      stop.abort()
      return transaction
    })
    expect(await purgeDeletedHosts.run(server.deps, stop.signal)).toBe(1)
    expect(await deleted()).toHaveLength(1)
  })
})
