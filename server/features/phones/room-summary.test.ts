import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type SignedIn,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  host = await buildHost(server)
})

const join = async (username: string): Promise<TestPhone & { username: string }> => ({
  ...(await buildPhone(server, host, await buildRoomUser(server, host, { username }))),
  username,
})
const look = (as: SignedIn) => call(server, 'GET', '/mobile/room', { as })
const room = async (as: SignedIn) => (await look(as)).body.data
const status = (as: SignedIn, body: object) => call(server, 'POST', '/mobile/status', { as, body })
const joinAsHost = async (): Promise<SignedIn> => {
  await call(server, 'PUT', '/host/app-info', { as: host, body: { password: PASSWORD } })
  const { token } = (await phoneLogin(server, host, { username: host.user_id })).body.data
  await status({ token }, {})
  return { token }
}

describe('GET /mobile/room', () => {
  test("counts all who are online, the host's own phone too, and nobody of another room", async () => {
    const anita = await join('anita')
    await buildRoomUser(server, host)
    expect(await room(anita)).toEqual({ online: 1, speaking: [], waiting: 0, queue_place: null })
    const own = await joinAsHost()
    await join('ravi')
    for (const one of [anita, own]) expect(await room(one)).toMatchObject({ online: 3 })
    const mine = host
    host = await buildHost(server)
    await status(await join('stranger'), { speaker_on: true, is_speaking: true, wants_to_speak: true })
    host = mine
    expect(await room(anita)).toEqual({ online: 3, speaking: [], waiting: 0, queue_place: null })
  })

  test('names who speaks, the longest first, and no more than ten', async () => {
    const phones = []
    for (let n = 1; n <= 11; n++) phones.push(await join(`speaker ${n}`))
    const [first, second] = phones
    if (!first || !second) throw new Error('Nobody has come')
    for (const one of [second, first, ...phones.slice(2)]) {
      now += 10
      await status(one, { speaker_on: true, is_speaking: true })
    }
    const { speaking } = await room(first)
    expect(speaking).toHaveLength(10)
    expect(speaking.slice(0, 2)).toEqual([second, first].map(({ id, username }) => ({ id, username })))
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
    expect((await room(first)).speaking).toEqual([])
  })

  test("names the host who speaks, and gives the host no place in the users' queue", async () => {
    const own = await joinAsHost()
    const anita = await join('anita')
    await status(own, { speaker_on: true, is_speaking: true, wants_to_speak: true })
    await status(anita, { wants_to_speak: true })
    const speaking = [{ id: host.id, username: host.username }]
    expect(await room(own)).toEqual({ online: 2, speaking, waiting: 1, queue_place: null })
    expect(await room(anita)).toEqual({ online: 2, speaking, waiting: 1, queue_place: 1 })
  })

  test('gives each who waits the own place, in the order of asking', async () => {
    const [anita, ravi, maria] = [await join('anita'), await join('ravi'), await join('maria')]
    for (const one of [maria, anita, ravi]) {
      now += 10
      await status(one, { wants_to_speak: true })
    }
    const places = () => Promise.all([maria, anita, ravi].map(async (one) => (await room(one)).queue_place))
    expect(await places()).toEqual([1, 2, 3])
    await call(server, 'POST', `/host/users/${maria.id}/unmute`, { as: host })
    expect(await places()).toEqual([null, 1, 2])
    await status(anita, { wants_to_speak: false })
    expect(await places()).toEqual([null, null, 1])
    expect((await room(maria)).waiting).toBe(1)
  })

  test('keeps no phone online', async () => {
    const [anita, ravi] = [await join('anita'), await join('ravi')]
    now += 29_000
    await room(ravi)
    await status(anita, {})
    now += 1_001
    await call(server, 'POST', '/host/cleanup-stale-users', { as: host })
    expect(await room(ravi)).toMatchObject({ online: 1 })
  })

  test('is refused to one session that asks all the time, and to no other', async () => {
    const [anita, ravi] = [await join('anita'), await join('ravi')]
    for (let n = 0; n < 30; n++) expect((await look(anita)).status).toBe(200)
    expect(await look(anita)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect((await look(ravi)).status).toBe(200)
    now += 1_000
    expect((await look(anita)).status).toBe(200)
  })

  test('ends with the session', async () => {
    const anita = await join('anita')
    await call(server, 'POST', `/host/users/${anita.id}/delete`, { as: host })
    expect((await look(anita)).status).toBe(401)
  })
})
