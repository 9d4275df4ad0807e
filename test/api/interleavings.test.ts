import { expect, test } from 'vitest'
import type { RoomUser } from '../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type SignedIn,
  type TestPhone,
} from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'
import { openStream, type StreamEvent } from '../servers/stream.ts'

const CALLS = 1_000
const PHONES = 6

let now = Date.now()
const server = await setup({
  now: () => (now += 120), // fast enough for a thousand actions of one host
  roomTimes: { sweep: 3_600_000 }, // the fast clock would take phones offline
})
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })

/** Derives the flag and the mutes from the events, in their order. */
function stateFrom(events: StreamEvent[]): { flag: boolean; muted: Map<unknown, unknown> } {
  const state = { flag: false, muted: new Map<unknown, unknown>() }
  for (const { name, data } of events) {
    if (name === 'user-mute-status') state.muted.set(data.user_id, data.is_muted)
    if (name !== 'host-mute-all') continue
    state.flag = data.active === true
    for (const id of state.muted.keys()) state.muted.set(id, data.active)
  }
  return state
}

test('a thousand interleaved commands end in a state that some order of them explains', async () => {
  const host = await buildHost(server)
  const listen = async (as: SignedIn) => openStream(origin + (await requestStream(server, host, as)).body.sseUrl)
  const users: RoomUser[] = []
  const phones: TestPhone[] = []
  for (let index = 0; index < PHONES; index++) {
    const user = await buildRoomUser(server, host)
    users.push(user)
    phones.push(await buildPhone(server, host, user))
  }
  const console = await listen(host)
  const own = await Promise.all(phones.map(listen))
  await Promise.all([console, ...own].map((stream) => stream.next('user-speaker-toggle')))

  const random = seeded(20_261_121)
  const answers = await Promise.all(
    Array.from({ length: CALLS }, () => {
      const phone = phones[random(PHONES)]
      const which = random(100)
      if (which < 6)
        return call(server, 'POST', `/host/trigger-bulk-mute/${which < 3 ? 'mute' : 'unmute'}`, { as: host })
      if (which < 50)
        return call(server, 'POST', `/host/users/${phone?.id}/${which < 28 ? 'mute' : 'unmute'}`, { as: host })
      const body = { speaker_on: random(2) === 0, is_speaking: random(2) === 0, wants_to_speak: random(2) === 0 }
      return call(server, 'POST', '/mobile/status', { as: phone ?? null, body })
    }),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeLessThan(CALLS / 2)
  for (const { body } of refused) expect(body.code).toBe('busy') // on a slow machine; such a call has no effect

  const { body } = await call(server, 'GET', '/host/online-users', { as: host })
  const polled = new Map(body.data.users.map((user: RoomUser) => [user.id, user.is_muted]))
  const room = await server.deps.db.selectFrom('rooms').selectAll().executeTakeFirstOrThrow()
  expect(polled).toEqual(await storedMutes(room))
  expect(body.host_mute_all_active).toBe(room.host_mute_all_active)
  for (const user of body.data.users) {
    if (user.is_muted) expect(user).toMatchObject({ speaker_on: false, is_speaking: false })
  }

  await call(server, 'POST', '/host/users/bulk/logout', { as: host, body: { userIds: users.map((user) => user.id) } })
  for (const _ of users) await console.next('user-deactivated')
  await Promise.all(own.map((stream) => stream.ended))
  expect(stateFrom(console.received)).toEqual({ flag: room.host_mute_all_active, muted: polled })
  for (const [index, phone] of phones.entries()) {
    const state = stateFrom(own[index]?.received ?? [])
    expect(state).toEqual({ flag: room.host_mute_all_active, muted: new Map([[phone.id, polled.get(phone.id)]]) })
  }
})

/** Reads the mutes from the database: a row's own mute is valid until the room's next Mute All or Unmute All. */
async function storedMutes(room: { mute_round: number; host_mute_all_active: boolean }): Promise<Map<string, boolean>> {
  const rows = await server.deps.db.selectFrom('room_users').select(['id', 'is_muted', 'mute_round']).execute()
  const isMuted = (row: (typeof rows)[number]) =>
    row.mute_round === room.mute_round ? row.is_muted : room.host_mute_all_active
  return new Map(rows.map((row) => [row.id, isMuted(row)]))
}

function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}
