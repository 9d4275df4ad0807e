import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type SignedIn,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { openStream } from '../../../test/servers/stream.ts'

const MINUTE_MS = 60_000

let now = Date.now()
const server = await setup({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
let host: TestHost
let amina: TestPhone
let ben: TestPhone

const setLimit = (minutes: number | null, mutes = false) =>
  call(server, 'PUT', '/host/turn-limit', { as: host, body: { minutes, mutes } })
const letNextSpeak = () => call(server, 'POST', '/host/next-speaker', { as: host })
const streamFor = async (as: SignedIn, lastEventId?: string) =>
  openStream(origin + (await requestStream(server, host, as)).body.sseUrl, lastEventId)
const iso = () => new Date(now).toISOString()

async function raiseHand(as: TestPhone): Promise<void> {
  now += 1 // never two in the same millisecond
  await call(server, 'POST', '/mobile/status', { as, body: { wants_to_speak: true } })
}
/** Lets the time pass while both phones answer. */
async function pass(ms: number): Promise<void> {
  now += ms
  for (const as of [amina, ben]) await call(server, 'POST', '/mobile/status', { as, body: {} })
  await server.deps.rooms.sweep()
}
async function shown() {
  const { body } = await call(server, 'GET', '/host/online-users', { as: host })
  const users: { id: string; is_muted: boolean }[] = body.data.users
  const { floor_user_id, floor_since, turn_limit } = body
  return { floor_user_id, floor_since, turn_limit, open: users.filter((one) => !one.is_muted).map(({ id }) => id) }
}

beforeEach(async () => {
  host = await buildHost(server)
  const join = async (username: string) => buildPhone(server, host, await buildRoomUser(server, host, { username }))
  amina = await join('amina')
  ben = await join('ben')
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await raiseHand(amina)
  await raiseHand(ben)
})

describe('the clock of a turn', () => {
  test('starts when the user is let speak, and again for the next one', async () => {
    await letNextSpeak()
    const since = iso()
    await pass(5_000)
    expect(await shown()).toMatchObject({ floor_user_id: amina.id, floor_since: since })
    await letNextSpeak()
    expect(await shown()).toMatchObject({ floor_user_id: ben.id, floor_since: iso(), open: [ben.id] })
    await call(server, 'POST', `/host/users/${ben.id}/mute`, { as: host })
    expect(await shown()).toMatchObject({ floor_user_id: null, floor_since: null })
  })

  test('is told to the console and to the phone of that user alone', async () => {
    await setLimit(3, true)
    const [console, own, other] = [await streamFor(host), await streamFor(amina), await streamFor(ben)]
    await letNextSpeak()
    const turn = { user_id: amina.id, since: iso(), limit_minutes: 3, ends_muted: true }
    expect((await console.next('turn')).data).toEqual(turn)
    expect((await own.next('turn')).data).toEqual(turn)
    await setLimit(4)
    expect((await own.next('turn')).data).toEqual({ ...turn, limit_minutes: 4, ends_muted: false })
    await letNextSpeak()
    const over = { user_id: amina.id, since: null, limit_minutes: null, ends_muted: false }
    expect((await own.next('turn')).data).toEqual(over)
    expect((await console.next('turn', { since: null })).data).toEqual(over)
    expect((await other.next('turn')).data).toMatchObject({ user_id: ben.id, limit_minutes: 4 })
    expect(own.received.filter(({ data }) => data.user_id === ben.id)).toEqual([])
  })

  test('is told again to a phone whose stream was lost, whether it resumes or not', async () => {
    await setLimit(2)
    const first = await streamFor(amina)
    const { id } = await first.next('test')
    await letNextSpeak()
    const { data } = await first.next('turn')
    expect((await (await streamFor(amina, id)).next('turn')).data).toEqual(data)
    expect((await (await streamFor(amina)).next('turn')).data).toEqual(data)
    const other = await streamFor(ben)
    await call(server, 'POST', `/host/users/${ben.id}/unmute`, { as: host })
    await other.next('user-mute-status', { is_muted: false })
    expect(other.received.map(({ name, data }) => [name, data.user_id])).not.toContainEqual(['turn', amina.id])
  })
})

describe('the limit of a turn', () => {
  test('mutes at the end where the host has chosen so, once, and says so in the log', async () => {
    await setLimit(1, true)
    await letNextSpeak()
    await pass(MINUTE_MS - 1_000)
    expect((await shown()).open).toEqual([amina.id])
    await pass(1_000)
    expect(await shown()).toMatchObject({ floor_user_id: null, floor_since: null, open: [] })
    await pass(1_000)
    const { body } = await call(server, 'GET', '/host/audit', { as: host })
    const [ended, ...before] = body.data.entries
    expect(ended).toMatchObject({
      action: 'turn_ended',
      target: { id: amina.id },
      actor: { role: 'system' },
      after: { is_muted: true, minutes: 1 },
    })
    expect(before.filter(({ action }: { action: string }) => action === 'turn_ended')).toEqual([])
  })

  test('mutes nobody without that choice, and nobody who got the floor in another way', async () => {
    await setLimit(1)
    await letNextSpeak()
    await pass(2 * MINUTE_MS)
    expect((await shown()).open).toEqual([amina.id])
    await setLimit(1, true) // holds for the turn under way
    await server.deps.rooms.sweep()
    expect((await shown()).open).toEqual([])
    await call(server, 'POST', `/host/users/${ben.id}/lower-hand`, { as: host })
    await call(server, 'POST', `/host/users/${ben.id}/unmute`, { as: host })
    await pass(2 * MINUTE_MS)
    expect((await shown()).open).toEqual([ben.id])
  })

  test('is kept, told to every console, and found in the log', async () => {
    expect((await shown()).turn_limit).toEqual({ minutes: null, mutes: false })
    expect(await setLimit(30, true)).toMatchObject({ status: 200, body: { data: { turn_limit: { minutes: 30 } } } })
    expect((await shown()).turn_limit).toEqual({ minutes: 30, mutes: true })
    await server.deps.rooms.forget(host.id) // as after a restart
    expect((await shown()).turn_limit).toEqual({ minutes: 30, mutes: true })
    const { body } = await call(server, 'GET', '/host/audit', { as: host })
    expect(body.data.entries[0]).toMatchObject({
      action: 'turn_limit_set',
      before: { minutes: null, mutes: false },
      after: { minutes: 30, mutes: true },
    })
  })

  test('is refused where it is no whole number from 1 to 30, or incomplete, and stays as it is', async () => {
    await setLimit(5, true)
    const wrong = [0, 31, 0.5, '5', -1, 2 ** 31].map((minutes) => ({ minutes, mutes: true }))
    for (const body of [...wrong, { mutes: true }, { minutes: 5 }, { minutes: 5, mutes: 'yes' }, [], null])
      expect((await call(server, 'PUT', '/host/turn-limit', { as: host, body })).status).toBe(422)
    expect((await shown()).turn_limit).toEqual({ minutes: 5, mutes: true })
  })
})
