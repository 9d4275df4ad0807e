import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, buildRoomUser, call } from '../../../../test/factories/accounts.ts'
import { setup } from '../../../../test/servers/setup.ts'
import { PolledList } from './polled-list.ts'

const server = await setup()

describe('a list that takes 50 ms to build', () => {
  const room = { epoch: 'e', version: 1 }
  let at = 1_000
  let takes = 50
  const list = new PolledList(
    () => room,
    () => {
      at += takes
      return Buffer.from(`${room.version}`)
    },
  )
  const read = () => JSON.parse(`${list.answer.body}`)
  beforeEach(() => {
    at += 2_000
    takes = 50
    room.version++
    vi.spyOn(performance, 'now').mockImplementation(() => at)
    expect(list.due()).toBeUndefined()
    expect(read()).toBe(room.version)
  })

  test('is due again after nine times as long, for all who wait', async () => {
    room.version++
    at += 449
    const due = list.due()
    expect(due).toBeInstanceOf(Promise)
    expect(list.due()).toBe(due)
    await due
    at += 1
    expect(list.due()).toBeUndefined()
    room.version++
    expect(read()).toBe(room.version)
    room.version++
    expect(list.due()).not.toBe(due)
  })

  test('is due again after 2 s, if the process was paused while it was built', () => {
    at += 450
    takes = 60_000
    room.version++
    expect(read()).toBe(room.version)
    room.version++
    at += 1_999
    expect(list.due()).toBeInstanceOf(Promise)
    at += 1
    expect(list.due()).toBeUndefined()
  })

  test('is sent at once while it has not changed', () => {
    expect(list.due()).toBeUndefined()
  })

  test('is built at once after a short build', () => {
    at += 450
    takes = 1
    room.version++
    expect(read()).toBe(room.version)
    room.version++
    expect(list.due()).toBeUndefined()
  })
})

test.each(['users', 'online'] as const)(
  'a poll of %s waits until the list is due, and gets the newest',
  async (name) => {
    const host = await buildHost(server)
    const room = await server.deps.rooms.get(host.id)
    const { promise, resolve } = Promise.withResolvers<void>()
    const due = vi.spyOn(room, name === 'users' ? 'waitForUsers' : 'waitForOnline').mockReturnValueOnce(promise)
    const path = name === 'users' ? '/host/users' : '/host/online-users'
    const before = room[name].etag
    const poll = call(server, 'GET', path, { as: host })
    await expect.poll(() => due.mock.calls.length).toBe(1)
    await buildRoomUser(server, host)
    resolve()
    const { headers } = await poll
    expect(headers.etag).toBe(room[name].etag)
    expect(headers.etag).not.toBe(before)
  },
)
