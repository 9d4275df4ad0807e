import { expect, test } from 'vitest'
import { correctStays } from '../../server/features/attendance/jobs.ts'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost } from '../factories/accounts.ts'
import { setupNodes, type TestNode } from './setup.ts'

const { a, b, redis, start } = await setupNodes({ roomTimes: { lease: 2_000, asleep: 1_000 } })

const inStep = () => [a, b].flatMap(({ deps }) => deps.rooms.all()).filter((room) => room.isInStep).length
const stays = async () => {
  for (const { deps } of [a, b]) await deps.stays.flush()
  return a.deps.db.selectFrom('stays').select('left_at').execute()
}
const online = async (node: TestNode, host: TestHost) =>
  (await call(node, 'GET', '/host/online-users', { as: host })).body.data.users

test('the stay of a phone that moves to another server while Redis is frozen goes on', async () => {
  const host = await buildHost(a)
  const phone = await buildPhone(a, host, await buildRoomUser(a, host))
  await expect.poll(() => online(b, host)).toHaveLength(1)
  redis.pause()
  await expect
    .poll(async () => {
      await call(b, 'POST', '/mobile/status', { as: phone, body: {} })
      return (await online(a, host)).length
    })
    .toBe(0)
  redis.resume()
  await expect.poll(inStep).toBe(2)
  await call(b, 'POST', '/mobile/status', { as: phone, body: {} })
  await expect.poll(() => online(a, host)).toHaveLength(1)
  expect(await stays()).toEqual([{ left_at: null }])
})

test('the stay of a phone that is online outlasts all that Redis holds', async () => {
  const host = await buildHost(a)
  const phone = await buildPhone(a, host, await buildRoomUser(a, host))
  await expect.poll(() => online(b, host)).toHaveLength(1)
  expect(await stays()).toEqual([{ left_at: null }])
  await redis.kill()
  await expect.poll(inStep).toBe(0)
  await redis.start()
  await expect.poll(inStep).toBeGreaterThan(0)
  for (const { deps } of [a, b]) await correctStays.run(deps)
  await call(a, 'POST', '/mobile/status', { as: phone, body: {} })
  await expect.poll(() => online(b, host)).toHaveLength(1)
  expect(await stays()).toEqual([{ left_at: null }])
})

test('a stay that was not written is written later, and one that was not ended is ended', async () => {
  const host = await buildHost(a)
  const here = await buildPhone(a, host, await buildRoomUser(a, host))
  const gone = await buildRoomUser(a, host)
  const { db } = a.deps
  await expect.poll(stays).toHaveLength(1)
  await db.updateTable('stays').set({ room_user_id: gone.id, user_id: gone.user_id }).execute()
  const corrected = async () => {
    await call(a, 'POST', '/mobile/status', { as: here, body: {} })
    await correctStays.run(a.deps)
    await a.deps.stays.flush()
    const rows = await db.selectFrom('stays').select(['room_user_id', 'left_at']).execute()
    return Object.fromEntries(rows.map((row) => [row.room_user_id, row.left_at !== null]))
  }
  await expect.poll(corrected).toEqual({ [gone.id]: true, [here.id]: false })
})

test('the stay of a room that no server has in memory is ended', async () => {
  const host = await buildHost(a)
  const { id, user_id, username } = await buildRoomUser(a, host)
  for (const { deps } of [a, b]) await deps.rooms.forget(host.id)
  const { db } = a.deps
  const { id: room_id } = await db.selectFrom('rooms').select('id').executeTakeFirstOrThrow()
  const joined_at = new Date(Date.now() - 1_800_000)
  await db.insertInto('stays').values({ room_id, room_user_id: id, user_id, username, joined_at }).execute()
  const ended = async () => {
    await correctStays.run(a.deps)
    return (await stays()).map(({ left_at }) => left_at !== null)
  }
  await expect.poll(ended).toEqual([true])
})

test('attendance is kept when all servers stop and are started again', async () => {
  const { db } = a.deps
  const host = await buildHost(a)
  const phone = await buildPhone(a, host, await buildRoomUser(a, host))
  await call(a, 'POST', '/mobile/status', { as: phone, body: {} })
  await expect
    .poll(async () => {
      await a.deps.stays.flush()
      return db.selectFrom('stays').selectAll().execute()
    })
    .toHaveLength(1)
  const joined = new Date(Date.now() - 1_800_000)
  await db.updateTable('stays').set({ joined_at: joined }).execute()
  for (const node of [a, b]) await node.deps.stays.heartbeat() // the same as every ten seconds
  for (const node of [a, b]) await node.close()
  await start()
  const [stay] = await db.selectFrom('stays').select('left_at').execute()
  const minutes = ((stay?.left_at?.getTime() ?? Number.NaN) - joined.getTime()) / 60_000
  expect(Math.round(minutes)).toBe(30)
})
