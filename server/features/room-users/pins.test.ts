import { beforeEach, describe, expect, test } from 'vitest'
import { PINNED_MAX } from '../../../shared/room-users.ts'
import {
  buildAssistant,
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { openStream } from '../../../test/servers/stream.ts'

const server = await setup()
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
let host: TestHost
let teacher: TestPhone
let pupil: TestPhone

const act = (action: string, { id }: { id: string }, as: { token: string } = host) =>
  call(server, 'POST', `/host/users/${id}/${action}`, { as })
const muteAll = (body: object = {}) => call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body })
const listUsers = async (): Promise<{ username: string; is_muted: boolean; is_pinned: boolean }[]> =>
  (await call(server, 'GET', '/host/users', { as: host })).body.data.users
const openUsers = async () => (await listUsers()).filter((one) => !one.is_muted).map(({ username }) => username)
const pinnedUsers = async () => (await listUsers()).filter((one) => one.is_pinned).map(({ username }) => username)
async function join(username: string): Promise<TestPhone> {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host, { username }))
  await call(server, 'POST', '/mobile/status', { as: phone, body: {} })
  return phone
}

beforeEach(async () => {
  host = await buildHost(server)
  teacher = await join('teacher')
  pupil = await join('pupil')
})

describe('a pinned user', () => {
  test('is left unmuted by Mute All, and its phone hears so, while the others are muted', async () => {
    expect((await act('pin', teacher)).status).toBe(200)
    const stream = await openStream(origin + (await requestStream(server, host, teacher)).body.sseUrl)
    expect((await muteAll()).body.data).toMatchObject({ targeted: 1 })
    expect((await stream.next('host-mute-all', { active: true })).data).toMatchObject({ except: [teacher.id] })
    expect(await openUsers()).toEqual(['teacher'])
    await act('unmute', pupil)
    await muteAll({ except: [pupil.id] })
    expect(await openUsers()).toEqual(['teacher', 'pupil'])
    await act('unpin', teacher)
    await muteAll()
    expect(await openUsers()).toEqual([])
  })

  test('keeps the floor through Mute All', async () => {
    await act('pin', teacher)
    await act('mute', teacher)
    await call(server, 'POST', '/mobile/status', { as: teacher, body: { wants_to_speak: true } })
    await call(server, 'POST', '/host/next-speaker', { as: host })
    await muteAll()
    const { body } = await call(server, 'GET', '/host/online-users', { as: host })
    expect(body).toMatchObject({ host_mute_all_active: true, floor_user_id: teacher.id })
  })

  test('can be muted alone, and then stays muted through Mute All', async () => {
    await act('pin', teacher)
    await act('mute', teacher)
    expect(await openUsers()).toEqual(['pupil'])
    await muteAll()
    expect(await openUsers()).toEqual([])
  })

  test('stays pinned after a restart and in the log, and a moderator may pin too', async () => {
    const moderator = await buildAssistant(server, host, 'moderator', 'Deputy')
    for (const count of [1, 2]) expect([count, (await act('pin', teacher, moderator)).status]).toEqual([count, 200])
    await server.deps.rooms.forget(host.id) // as after a restart
    expect(await pinnedUsers()).toEqual(['teacher'])
    await act('unpin', teacher)
    expect(await pinnedUsers()).toEqual([])
    const { body } = await call(server, 'GET', '/host/audit', { as: host })
    const entries = body.data.entries.filter(({ action }: { action: string }) => /pin$/.test(action))
    expect(entries).toMatchObject([
      { action: 'user_unpin', before: { is_pinned: true }, after: { is_pinned: false } },
      { action: 'user_pin', actor: { name: 'Deputy' }, before: {}, after: {} }, // was pinned already
      { action: 'user_pin', target: { id: teacher.id }, before: { is_pinned: false }, after: { is_pinned: true } },
    ])
  })

  test("cannot be one of another host's room, or of no room, and phones pin nobody", async () => {
    const other = await buildHost(server)
    for (const action of ['pin', 'unpin']) {
      expect((await act(action, teacher, other)).status).toBe(404)
      expect((await act(action, { id: 'nobody' })).status).toBe(404)
      expect((await act(action, teacher, teacher)).status).toBe(403)
    }
    expect(await pinnedUsers()).toEqual([])
  })

  test('is one of so many at most, and a call for more pins nobody', async () => {
    const users = Array.from({ length: PINNED_MAX }, () => buildRoomUser(server, host))
    const ids = (await Promise.all(users)).map(({ id }) => id)
    const pinMany = (userIds: string[]) => call(server, 'POST', '/host/users/bulk/pin', { as: host, body: { userIds } })
    expect(await pinMany([...ids, teacher.id])).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await pinnedUsers()).toEqual([])
    expect((await pinMany(ids)).status).toBe(200)
    expect((await act('pin', teacher)).status).toBe(409)
    expect(await pinnedUsers()).toHaveLength(PINNED_MAX)
  })
})
