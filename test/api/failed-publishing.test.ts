import type { AddressInfo } from 'node:net'
import { beforeEach, expect, test, vi } from 'vitest'
import { endUnnotifiedSessions } from '../../server/features/auth/jobs.ts'
import { LiveRooms } from '../../server/features/live-room/live-rooms.ts'
import { RoomCommands } from '../../server/features/live-room/room-commands.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import type { RoomUser } from '../../shared/room-users.ts'
import { eventually } from '../eventually.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type SignedIn,
  type TestHost,
  type TestPhone,
} from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'
import { type OpenStream, openStream } from '../servers/stream.ts'

let master: SignedIn
let host: TestHost
let user: RoomUser
let other: RoomUser
let phone: TestPhone
let open: OpenStream[] = []

const server = await setup({ roomTimes: { sweep: 20 } })
await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  host = await buildHost(server)
  master = await buildMaster(server)
  user = await buildRoomUser(server, host)
  other = await buildRoomUser(server, host)
  phone = await buildPhone(server, host, user)
  open = [await streamAt(server, host), await streamAt(server, phone)]
})

type Node = Pick<RunningServer, 'app' | 'deps'>

async function streamAt(node: Node, as: SignedIn, lastEventId?: string): Promise<OpenStream> {
  const { port } = node.app.server.address() as AddressInfo
  const { sseUrl } = (await requestStream(node, host, as)).body
  const stream = await openStream(`http://127.0.0.1:${port}${sseUrl}`, lastEventId)
  await stream.next('host-mute-all')
  return stream
}

/** Suppresses publishing, as if the process had ended right after the commit. */
async function withoutPublishing(act: () => Promise<{ status: number }>) {
  const failure = new Error('The process has ended')
  const spies = [
    vi.spyOn(LiveRooms.prototype, 'commit').mockRejectedValue(failure),
    vi.spyOn(RoomCommands.prototype, 'signOut').mockRejectedValue(failure),
  ]
  const { status } = await act()
  for (const spy of spies) spy.mockRestore()
  return status
}

/** Reads the room's stored state without the server's code. */
async function readStored() {
  const { db } = server.deps
  const room = await db.selectFrom('rooms').selectAll().where('host_id', '=', host.id).executeTakeFirstOrThrow()
  const rows = await db.selectFrom('room_users').selectAll().where('room_id', '=', room.id).execute()
  const sessions = await db.selectFrom('sessions').selectAll().where('ended_at', 'is', null).execute()
  return {
    flag: room.host_mute_all_active,
    isPhoneIn: sessions.some(({ room_user_id }) => room_user_id === user.id),
    isHostIn: sessions.some(({ host_id, role }) => host_id === host.id && role === 'host'),
    people: rows
      .map(({ id, username, is_active, is_muted, mute_round, device_id }) => {
        return {
          id,
          username,
          is_active,
          is_muted: mute_round === room.mute_round ? is_muted : room.host_mute_all_active,
          device_id,
        }
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}

/** Reads the same state as a console and a phone see it on a node. */
async function readShown(node: Node) {
  const list = await call(node, 'GET', '/host/users', { as: host })
  const mine = await call(node, 'POST', '/mobile/status', { as: phone, body: {} })
  const polled = await call(node, 'GET', '/host/online-users', { as: host })
  const room = await node.deps.rooms.get(host.id)
  const people: RoomUser[] = list.body.data?.users ?? [...room.roster()].filter(({ id }) => id !== host.id)
  const self = people.find(({ id }) => id === user.id)
  if (mine.status === 200) expect(mine.body.data.is_muted).toBe(self?.is_muted)
  return {
    flag: polled.body.host_mute_all_active ?? room.hostMuteAll,
    isPhoneIn: mine.status === 200,
    isHostIn: list.status === 200,
    people: people
      .map(({ id, username, is_active, is_muted, device_id }) => ({ id, username, is_active, is_muted, device_id }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}

const act = (action: string) => () => call(server, 'POST', `/host/users/${user.id}/${action}`, { as: host })
const all = (action: string) => () => call(server, 'POST', `/host/trigger-bulk-mute/${action}`, { as: host })
const body = () => ({ username: 'somebody else', user_id: 'U900000', password: 'another one' })
const COMMANDS: [string, () => Promise<{ status: number }>, (() => Promise<unknown>)?][] = [
  ['mute', act('mute')],
  ['unmute', act('unmute'), act('mute')],
  ['mute all', all('mute')],
  ['unmute all', all('unmute'), all('mute')],
  ['unmute of one in a muted room', act('unmute'), all('mute')],
  ['deactivate', act('deactivate')],
  ['activate', act('activate'), act('deactivate')],
  ['delete', act('delete')],
  ['logout', act('logout')],
  ['switch', act('switch')],
  [
    'delete of many',
    () => call(server, 'POST', '/host/users/bulk/delete', { as: host, body: { userIds: [user.id, other.id] } }),
  ],
  ['a new user', () => call(server, 'POST', '/host/users', { as: host, body: body() })],
  ['another name and password', () => call(server, 'PUT', `/host/users/${user.id}`, { as: host, body: body() })],
  ['a stopped room', () => call(server, 'POST', '/host/profile/stop', { as: host })],
  [
    'a cancelled subscription',
    () => call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master }),
  ],
]

test.each(COMMANDS)('%s shows after a failure between commit and publishing', async (_name, command, before) => {
  await before?.()
  const earlier = await readStored()
  expect(await withoutPublishing(command)).toBe(500)
  const expected = await readStored()
  expect(expected).not.toEqual(earlier)

  const { config, db, log } = server.deps
  const next = await startServer(config, db, log)
  await next.app.listen({ port: 0, host: '127.0.0.1' })
  expect(await readShown(next), 'after a restart').toEqual(expected)
  if (expected.isHostIn) await expectReplayedState(next, host, open[0], expected.flag)
  if (expected.isPhoneIn) await expectReplayedState(next, phone, open[1], expected.flag)
  await next.close()

  await endUnnotifiedSessions.run(server.deps)
  await eventually(async () => expect(await readShown(server)).toEqual(expected))
})

/** A stream that reconnects gets the current state, and no event with an id that it has already received. */
async function expectReplayedState(node: Node, as: SignedIn, before: OpenStream | undefined, active: boolean) {
  const again = await streamAt(node, as, before?.received.at(-1)?.id)
  expect(again.received[0]?.name).toBe('test')
  expect(again.received[1]).toMatchObject({ name: 'host-mute-all', data: { active } })
  const known = new Set(before?.received.map(({ id }) => id))
  expect(again.received.filter(({ id }) => known.has(id))).toEqual([])
  again.close()
}
