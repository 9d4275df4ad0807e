import { Redis } from 'ioredis'
import { expect, test, vi } from 'vitest'
import { RoomCommands } from '../../server/features/live-room/room-commands.ts'
import { buildHost, buildPhone, buildRoomUser, call } from '../factories/accounts.ts'
import { setupNodes } from './setup.ts'

const { a, b, redis } = await setupNodes()

test('what was meant for a room that has begun again is not added to the new one', async () => {
  const host = await buildHost(a)
  const user = await buildRoomUser(a, host)
  const phone = await buildPhone(a, host, user)
  const client = new Redis(redis.url)
  const [log = ''] = await client.keys(`*:${host.id}:log`)
  await client.hset(log.replace(/log$/, 'room'), 'epoch', 'another')
  const before = await client.xlen(log)
  const { body } = await call(a, 'POST', '/mobile/status', { as: phone, body: { wants_to_speak: true } })
  expect(body.data.wants_to_speak).toBe(true)
  expect(await client.xlen(log)).toBe(before)
  client.disconnect()
})

test('a server that joins a room has what was committed and never appended', async () => {
  const host = await buildHost(a)
  const phone = await buildPhone(a, host, await buildRoomUser(a, host))
  const failing = vi.spyOn(RoomCommands.prototype, 'commit').mockRejectedValueOnce(new Error('It died'))
  expect((await call(a, 'POST', `/host/users/${phone.id}/mute`, { as: host })).status).toBe(500)
  failing.mockRestore()
  expect((await b.deps.rooms.get(host.id)).user(phone.id)).toMatchObject({ is_muted: true })
})
