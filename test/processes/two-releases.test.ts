import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NodeProxy } from '../../demo/proxy.ts'
import { openPostgres } from '../../server/db/client.ts'
import { createSchedule } from '../../shared/phone/schedule.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../servers/free-port.ts'
import type { MovingConsole } from '../servers/moving-console.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { startRedis, type TestRedis } from '../servers/redis.ts'
import {
  type DataFolder,
  emptyDataFolder,
  http,
  type ServerProcess,
  startServerProcess,
} from '../servers/server-process.ts'
import { type Address, HostedRoom } from './hosted-room.ts'
import { copyRelease, HASHED_FILE, type Release, unpackFormerRelease } from './release.ts'

/** Migrations in the copy of this release, besides its own. */
const LATER_MIGRATION = {
  '9999_of_a_later_release.sql': `
    alter table room_users add column of_a_later_release text not null default 'unknown';
    create table of_a_later_release (id uuid primary key references room_users (id) on delete cascade);`,
}
const USERS = ['at the former', 'at the later', 'moving']

let shared: [TestPostgres, TestRedis, DataFolder, Release, Release]
let former: ServerProcess
let later: ServerProcess
let startLater: () => Promise<ServerProcess>
let proxy: NodeProxy
/** The proxy in front of both. */
let entry: Address
const schedule = createSchedule()
const rooms: HostedRoom[] = []

beforeAll(async () => {
  const unpacked = await unpackFormerRelease()
  const kind = unpacked ? 'the former release' : 'this release itself, as the history is not here'
  process.stdout.write(`This release and one more migration run beside ${kind}.\n`)
  shared = await Promise.all([
    startPostgres(),
    startRedis(),
    emptyDataFolder(),
    unpacked ?? copyRelease(),
    copyRelease(LATER_MIGRATION),
  ])
  const [postgres, redis, folder, formerRelease, laterRelease] = shared
  const env = {
    DATABASE_URL: postgres.urlOf('postgres'),
    REDIS_URL: redis.url,
    SECRET_KEY: 'a secret key for tests alone, 32 bytes or more',
    DATA_DIR: folder.path,
    TRUST_PROXY: 'true',
    ZOOM_CLIENT_ID: 'client',
    ZOOM_CLIENT_SECRET: 'secret',
  }
  const ports = { former: await freePort(), later: await freePort(), proxy: await freePort() }
  former = await startServerProcess({ ...env, PORT: String(ports.former) }, [], formerRelease.program)
  startLater = () => startServerProcess({ ...env, PORT: String(ports.later) }, [], laterRelease.program)
  entry = { port: ports.proxy }
  proxy = new NodeProxy([ports.former, ports.later])
  await proxy.listen(ports.proxy, '127.0.0.1')
})
afterAll(async () => {
  for (const room of rooms) room.close()
  schedule.close()
  proxy?.close()
  await Promise.all([former, later].map((server) => server?.kill('SIGKILL')))
  const [postgres, redis, folder, ...releases] = shared
  await Promise.all([postgres.stop(), redis.stop(), ...[folder, ...releases].map((one) => one.remove())])
})

async function makeRoom(username: string, at: Address): Promise<HostedRoom> {
  const room = await HostedRoom.make(username, USERS, at, schedule)
  rooms.push(room)
  return room
}

/** Actions on one server reach the phones and consoles of both. */
async function expectSharedFrom(acting: Address, room: HostedRoom, consoles: MovingConsole[]): Promise<void> {
  const { token, host, ids, phones } = room
  const expectEvent = (name: string, data: Record<string, unknown>) =>
    Promise.all(consoles.map((console) => console.next(name, data)))
  for (const [username, phone] of phones) {
    const user_id = ids.get(username)
    for (const action of ['mute', 'unmute'] as const) {
      const is_muted = action === 'mute'
      expect((await room.actOn(username, action, acting)).status).toBe(200)
      await expectEvent('user-mute-status', { user_id, is_muted })
      await eventually(() => expect(phone.state.is_muted).toBe(is_muted))
    }
    for (const audio of ['joining', 'on'] as const) await phone.report({ audio })
    await phone.raiseHand()
    await expectEvent('user-speaker-toggle', { user_id, wants_to_speak: true })
    await phone.lowerHand()
    await expectEvent('user-speaker-toggle', { user_id, wants_to_speak: false })
  }
  for (const action of ['mute', 'unmute']) {
    const active = action === 'mute'
    expect((await http(acting, 'POST', `/host/trigger-bulk-mute/${action}`, { token })).status).toBe(200)
    await expectEvent('host-mute-all', { active })
    for (const phone of phones.values())
      await eventually(() => expect(phone.state).toMatchObject({ is_muted: active, host_mute_all_active: active }))
  }
  const other = acting.port === former.port ? later : former
  const { token: second } = (await http(acting, 'POST', '/auth/host/login', { body: host })).body.data
  expect((await http(other, 'GET', '/host/details', { token: second })).status).toBe(200)
  expect((await http(acting, 'POST', '/auth/logout', { token: second })).status).toBe(200)
  await eventually(async () => expect((await http(other, 'GET', '/host/details', { token: second })).status).toBe(401))
}

/** Moves from server to server; something happens in between. */
async function move(console: MovingConsole, room: HostedRoom, to: Address): Promise<void> {
  await console.leave()
  for (const action of ['mute', 'unmute'] as const) expect((await room.actOn('moving', action, to)).status).toBe(200)
  await console.openAt(to)
  for (const is_muted of [true, false])
    await console.next('user-mute-status', { user_id: room.ids.get('moving'), is_muted })
}

test('a release takes over from the one before: no request fails, and no event is lost or comes twice', async () => {
  const first = await makeRoom('ana', former)
  await first.joinByPhone('at the former', former)
  await first.joinByPhone('moving', entry)
  const loads = [first.keepUsing(entry)]

  later = await startLater()
  expect(existsSync(join(shared[2].path, 'console/assets', HASHED_FILE))).toBe(true)
  const db = openPostgres(shared[0].urlOf('postgres'))
  expect((await sql`select id from of_a_later_release`.execute(db)).rows).toEqual([])
  await db.destroy()

  const second = await makeRoom('berta', later)
  await second.joinByPhone('at the former', former)
  await second.joinByPhone('moving', entry)
  loads.push(second.keepUsing(entry))
  const consoles: MovingConsole[] = []
  for (const room of rooms) {
    await room.joinByPhone('at the later', later)
    const both = [await room.openConsole(former), await room.openConsole(later)]
    for (const acting of [former, later]) await expectSharedFrom(acting, room, both)
    const [atFormer, atLater] = both
    if (!atFormer || !atLater) throw new Error('There are two consoles')
    for (const to of [later, former]) await move(atFormer, room, to)
    for (const to of [former, later]) await move(atLater, room, to)
    consoles.push(...both)
    room.phones.get('at the former')?.close()
    room.phones.delete('at the former')
  }

  const exited = once(former.child, 'exit')
  await former.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  for (const [index, room] of rooms.entries()) {
    const both = consoles.slice(2 * index, 2 * index + 2)
    for (const console of both) await move(console, room, later)
    const { token, phones } = room
    for (const action of ['mute', 'unmute']) {
      const active = action === 'mute'
      expect((await http(later, 'POST', `/host/trigger-bulk-mute/${action}`, { token })).status).toBe(200)
      for (const console of both) await console.next('host-mute-all', { active })
      for (const phone of phones.values()) await eventually(() => expect(phone.state.is_muted).toBe(active))
    }
  }

  for (const endLoad of loads) {
    const statuses = await endLoad()
    expect(statuses.length).toBeGreaterThan(20)
    expect([...new Set(statuses)]).toEqual([200])
  }
  for (const console of consoles) await console.leave()
  expect(consoles.map(({ faults }) => faults)).toEqual(consoles.map(() => []))
  for (const { phones, received } of rooms) {
    expect([...phones.values()].map(({ state }) => state.ended)).toEqual([null, null])
    for (const ids of received.values()) expect(new Set(ids).size).toBe(ids.length)
  }
})
