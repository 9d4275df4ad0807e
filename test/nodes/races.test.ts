import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { RoomCommands } from '../../server/features/live-room/room-commands.ts'
import { seededRandom } from '../../simulator/random.ts'
import { buildHost, buildRoomUser, call, requestStream, type TestHost } from '../factories/accounts.ts'
import { ConsoleRecord } from '../faults/console-record.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodes, type TestNode } from './setup.ts'

const ROUNDS = 50 // the room may be muted sixty times at once
const USERS = 20

const { a, b } = await setupNodes()

/** Reads the mutes from the database: a row's own mute is valid until the room's next Mute All or Unmute All. */
async function storedMutes(): Promise<Map<string, boolean>> {
  const rows = await a.deps.db
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select(['room_users.id', 'is_muted', 'host_mute_all_active'])
    .select(['room_users.mute_round as own_round', 'rooms.mute_round as round'])
    .execute()
  return new Map(
    rows.map(({ id, is_muted, host_mute_all_active, own_round, round }) => [
      id,
      own_round === round ? is_muted : host_mute_all_active,
    ]),
  )
}

async function shownMutes(node: TestNode, host: TestHost): Promise<Map<string, boolean>> {
  const room = await node.deps.rooms.get(host.id)
  const users = room.roster().filter(({ id }) => id !== host.id)
  return new Map(users.map(({ id, is_muted }) => [id, is_muted]))
}

/** Each round commits three changes. The first one is appended after the second, which is another server's. */
function appendInReverse() {
  const { commit } = RoomCommands.prototype
  let count = 0
  let second = Promise.withResolvers<void>()
  return vi.spyOn(RoomCommands.prototype, 'commit').mockImplementation(async function (
    this: RoomCommands,
    number,
    changes,
  ) {
    const place = count++ % 3
    if (place === 0) {
      second = Promise.withResolvers()
      await second.promise
    }
    await commit.call(this, number, changes)
    if (place === 1) second.resolve()
  })
}

test('a thousand mutes that race with Mute All at two servers end as the database has them, in one order for all', async () => {
  const random = seededRandom('races')
  const host = await buildHost(a)
  for (let count = 0; count < USERS; count++) await buildRoomUser(a, host)
  const ids = [...(await storedMutes()).keys()]
  const listen = async (node: TestNode) => openStream(node.origin + (await requestStream(node, host)).body.sseUrl)
  const consoles = [await listen(a), await listen(b)]
  const starts = await Promise.all(consoles.map((console) => console.next('test')))
  const spy = appendInReverse()

  for (let round = 0; round < ROUNDS; round++) {
    const nodes = random.next() < 0.5 ? [a, b] : [b, a]
    const isMuted = random.next() < 0.5
    const halves = [ids.slice(0, USERS / 2), ids.slice(USERS / 2)]
    const one = isMuted ? 'unmute' : 'mute'
    const answers = await Promise.all([
      call(nodes[0] ?? a, 'POST', `/host/trigger-bulk-mute/${isMuted ? 'mute' : 'unmute'}`, { as: host }),
      ...halves.map((userIds, index) =>
        call(nodes[index] ?? a, 'POST', `/host/users/bulk/${one}`, { as: host, body: { userIds } }),
      ),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const stored = await storedMutes()
    for (const node of nodes) await expect.poll(() => shownMutes(node, host)).toEqual(stored)
  }

  spy.mockRestore()
  await call(a, 'POST', '/host/users/bulk/logout', { as: host, body: { userIds: ids.slice(0, 1) } })
  for (const console of consoles) await console.next('user-deactivated')
  const received = consoles.map((console, index) => {
    const record = new ConsoleRecord()
    record.follow(console.received.map(({ id }) => id))
    expect(record.faults).toEqual([])
    return console.received.filter(({ id }) => id !== '' && id !== starts[index]?.id) // without what is of one server
  })
  expect(received[0]?.length).toBeGreaterThan(ROUNDS)
  expect(received[1]).toEqual(received[0])
})

describe('what one server has committed and the other does not know yet', () => {
  afterEach(() => vi.restoreAllMocks())

  test('is in the Undo of a Mute All, and in the audit', async () => {
    const host = await buildHost(a)
    await buildRoomUser(a, host)
    const press = (node: TestNode, action: string) =>
      call(node, 'POST', `/host/trigger-bulk-mute/${action}`, { as: host })
    await press(a, 'mute')
    await expect.poll(() => shownMutes(b, host)).toEqual(await storedMutes())
    appendInReverse()
    const unmuted = press(a, 'unmute')
    await expect.poll(async () => [...(await storedMutes()).values()]).toEqual([false])
    const muted = await press(b, 'mute')
    expect((await unmuted).status).toBe(200)
    expect(muted.body.data.undo).toMatchObject({ host_mute_all_active: false })
    const { body } = await call(a, 'GET', '/host/audit', { as: host })
    expect(body.data.entries[0]).toMatchObject({
      action: 'mute_all',
      before: { host_mute_all_active: false },
      after: { host_mute_all_active: true, users_changed: 1 },
    })
  })

  test('counts for the most users that a room may have', async () => {
    const host = await buildHost(a)
    await call(b, 'GET', '/host/users', { as: host })
    await sql`
      insert into room_users (room_id, user_id, user_id_key, username, username_key, password_hash, password_ciphertext)
      select rooms.id, n, n, n, n, '', '' from rooms, (select 'p' || generate_series(1, 10000) as n) as numbers
      where rooms.host_id = ${host.id}`.execute(a.deps.db)
    const user = { username: 'over', user_id: 'U000001', password: 'a lamp' }
    const message = expect.stringContaining('at most 10,000 users')
    const added = await call(b, 'POST', '/host/users', { as: host, body: user })
    expect(added).toMatchObject({ status: 409, body: { message } })
    const imported = await call(b, 'POST', '/host/users/import', { as: host, body: { users: [user] } })
    expect(imported.body.data).toMatchObject({ added: [], failed: [{ index: 0, message }] })
  })
})
