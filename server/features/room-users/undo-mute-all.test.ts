import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
let users: { open: TestPhone; muted: TestPhone; later: TestPhone }

const act = (path: string, body?: object) => call(server, 'POST', path, { as: host, ...(body && { body }) })
async function join(username: string): Promise<TestPhone> {
  return buildPhone(server, host, await buildRoomUser(server, host, { username }))
}
async function muteAll(): Promise<object> {
  const { body } = await act('/host/trigger-bulk-mute/mute')
  return body.data.undo
}
/** Reads the mutes as consoles and as a newly started server see them. */
async function mutes() {
  const { body } = await call(server, 'GET', '/host/online-users', { as: host })
  const list: { username: string; is_muted: boolean }[] = body.data.users
  const shown = Object.fromEntries(list.map(({ username, is_muted }) => [username, is_muted]))
  const rows = await server.deps.db
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select(['username', 'is_muted', 'host_mute_all_active', 'room_users.mute_round as own', 'rooms.mute_round'])
    .where('rooms.host_id', '=', host.id)
    .execute()
  const stored = rows.map((row) => [row.username, row.own === row.mute_round ? row.is_muted : row.host_mute_all_active])
  expect(Object.fromEntries(stored)).toEqual(shown)
  return { ...shown, all: body.host_mute_all_active }
}

beforeEach(async () => {
  host = await buildHost(server)
  users = { open: await join('open'), muted: await join('muted'), later: await join('later') }
  await act(`/host/users/${users.muted.id}/mute`)
})

describe('POST /host/undo-mute-all', () => {
  test('opens the room again, but not whom the host had muted before', async () => {
    const undo = await muteAll()
    expect(await mutes()).toEqual({ open: true, muted: true, later: true, all: true })
    expect((await act('/host/undo-mute-all', undo)).body.data).toMatchObject({ targeted: 3 })
    expect(await mutes()).toEqual({ open: false, muted: true, later: false, all: false })
  })

  test('leaves whom another console has let speak since', async () => {
    const undo = await muteAll()
    await act(`/host/users/${users.muted.id}/unmute`)
    await act('/host/undo-mute-all', undo)
    expect(await mutes()).toEqual({ open: false, muted: false, later: false, all: false })
  })

  test('in a muted room opens only those who might speak before', async () => {
    await muteAll()
    await act(`/host/users/${users.open.id}/unmute`)
    const undo = await muteAll()
    await act('/host/undo-mute-all', undo)
    expect(await mutes()).toEqual({ open: false, muted: true, later: true, all: true })
  })

  test('is refused after another Mute All or Unmute All, and the second time', async () => {
    const undo = await muteAll()
    await act('/host/trigger-bulk-mute/unmute')
    await act('/host/trigger-bulk-mute/mute')
    for (const { status, body } of [await act('/host/undo-mute-all', undo)])
      expect([status, body.code]).toEqual([409, 'state_changed'])
    expect(await mutes()).toMatchObject({ all: true, open: true })
    const again = await muteAll()
    expect(again).toBeNull() // it changed nothing
  })

  test('still works after a Mute All that changed nobody', async () => {
    const undo = await muteAll()
    expect(await muteAll()).toBeNull()
    expect((await act('/host/undo-mute-all', undo)).status).toBe(200)
    expect(await mutes()).toEqual({ open: false, muted: true, later: false, all: false })
  })

  test('names at most 500 users in the audit, and counts more', async () => {
    await muteAll()
    const { db } = server.deps
    const like = await db.selectFrom('room_users').selectAll().where('id', '=', users.open.id).executeTakeFirstOrThrow()
    const { room_id, password_hash, password_ciphertext } = like
    const { mute_round } = await db
      .selectFrom('rooms')
      .select('mute_round')
      .where('id', '=', room_id)
      .executeTakeFirstOrThrow()
    const many = Array.from({ length: 501 }, (_, n) => {
      const name = `Singer ${n}`
      return {
        room_id,
        user_id: name,
        user_id_key: name,
        username: name,
        username_key: name,
        password_hash,
        password_ciphertext,
        mute_round,
      }
    })
    await db.insertInto('room_users').values(many).execute()
    await act(`/host/users/${users.open.id}/unmute`)
    await muteAll()
    const undone = { mute_round: mute_round + 1, host_mute_all_active: true }
    expect((await act('/host/undo-mute-all', undone)).status).toBe(200)
    const [newest] = (await call(server, 'GET', '/host/audit?limit=1', { as: host })).body.data.entries
    expect(newest.before?.users).toBeUndefined()
    expect(newest.after.users_changed).toBeGreaterThan(500)
  })
})

test('POST /host/trigger-bulk-mute/unmute is refused where the flag is not as it was seen', async () => {
  await muteAll()
  const late = await act('/host/trigger-bulk-mute/unmute', { expect: { host_mute_all_active: false } })
  expect([late.status, late.body.code]).toEqual([409, 'state_changed'])
  expect(await mutes()).toMatchObject({ all: true, open: true })
  expect((await act('/host/trigger-bulk-mute/unmute', { expect: { host_mute_all_active: true } })).status).toBe(200)
})
