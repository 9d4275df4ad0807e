import { beforeEach, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  requestStream,
  type SignedIn,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { type OpenStream, openStream } from '../../../test/servers/stream.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let phone: TestPhone
let stream: OpenStream

const server = await setup({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
const listen = async (as: SignedIn) => openStream(origin + (await requestStream(server, host, as)).body.sseUrl)
beforeEach(async () => {
  host = await buildHost(server)
  phone = await buildPhone(server, host, await buildRoomUser(server, host))
  stream = await listen(host)
})

const status = (body: object, as: SignedIn = phone) => call(server, 'POST', '/mobile/status', { as, body })
const muteAll = (action: 'mute' | 'unmute') => call(server, 'POST', `/host/trigger-bulk-mute/${action}`, { as: host })
/** Lists the users of all notices received so far, up to a marker event. */
const noticed = async (from = stream) => {
  await muteAll('unmute')
  await from.next('host-mute-all', { active: false })
  return from.received.filter(({ name }) => name === 'user-muted-again').map(({ data }) => data.user_id)
}
beforeEach(async () => {
  await stream.next('host-mute-all')
  await muteAll('mute')
})

test('consoles are notified when the app of a muted user has closed the microphone, and phones are not', async () => {
  const theirs = await listen(phone)
  await theirs.next('host-mute-all', { active: true })
  const { body } = await status({ muted_again: true })
  expect(body.data).toEqual({
    is_muted: true,
    speaker_on: false,
    wants_to_speak: false,
    is_speaking: false,
    host_mute_all_active: true,
    asked_to_speak: false,
    words: { as_of: expect.any(String), list: [] },
  })
  expect(await stream.next('user-muted-again')).toMatchObject({ id: '', data: { user_id: phone.id } })
  expect(await noticed(theirs)).toEqual([])
})

test('it changes no list', async () => {
  const list = async () => (await call(server, 'GET', '/host/online-users', { as: host })).headers.etag
  const before = await list()
  await status({ muted_again: true })
  expect(await list()).toBe(before)
  expect(await noticed()).toEqual([phone.id])
})

test('of one user at most every two seconds, and of each user', async () => {
  const other = await buildPhone(server, host, await buildRoomUser(server, host))
  for (const ms of [0, 1_000, 999]) {
    now += ms
    await status({ muted_again: true })
  }
  await status({ muted_again: true }, other)
  now += 1
  await status({ muted_again: true })
  expect(await noticed()).toEqual([phone.id, other.id, phone.id])
})

test("not of a user who is not muted, nor of the host's own phone", async () => {
  await call(server, 'PUT', '/host/app-info', { as: host, body: { password: PASSWORD } })
  const own = (await phoneLogin(server, host, { username: host.user_id })).body.data
  await status({ muted_again: true }, own)
  await call(server, 'POST', `/host/users/${phone.id}/unmute`, { as: host })
  await status({ muted_again: true })
  expect(await noticed()).toEqual([])
})

test.each([[{}], [{ muted_again: false }]])('not with %j', async (body) => {
  await status(body)
  expect(await noticed()).toEqual([])
})

test.each([['yes'], [1], [null], [{}]])('%j is refused', async (muted_again) => {
  expect((await status({ muted_again })).status).toBe(422)
  expect(await noticed()).toEqual([])
})

test('a phone that says so is online', async () => {
  now += 30_001
  await call(server, 'POST', '/host/cleanup-stale-users', { as: host })
  await status({ muted_again: true })
  await stream.next('user-online', { is_online: true })
  expect(await noticed()).toEqual([phone.id])
})
