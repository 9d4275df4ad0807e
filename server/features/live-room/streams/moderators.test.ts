import { beforeEach, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openAssistantSession,
  PASSWORD,
  requestStream,
  type SignedIn,
  type TestAssistant,
  type TestHost,
} from '../../../../test/factories/accounts.ts'
import { setup } from '../../../../test/servers/setup.ts'
import { openStream } from '../../../../test/servers/stream.ts'

const server = await setup()
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })

let host: TestHost
let deputy: TestAssistant
beforeEach(async () => {
  host = await buildHost(server)
  deputy = await buildAssistant(server, host, 'moderator', 'Deputy')
})

const streamFor = async (as: SignedIn) => openStream(origin + (await requestStream(server, host, as)).body.sseUrl)
const poll = (as: SignedIn = host, known?: string) =>
  call(server, 'GET', '/host/online-users', { as, ...(known && { headers: { 'if-none-match': known } }) })
const moderators = async () => (await poll()).body.moderators
const names = async () => (await moderators()).map(({ name }: { name: string }) => name)

test('are the people whose console has a stream, the caller too', async () => {
  expect(await moderators()).toEqual([])
  const own = await streamFor(host)
  await own.next('moderators')
  const theirs = await streamFor(deputy)
  const present = [
    { id: host.id, name: host.username, role: 'host', since: expect.any(String) },
    { id: deputy.id, name: 'Deputy', role: 'moderator', since: expect.any(String) },
  ]
  expect(await own.next('moderators')).toMatchObject({ id: '', data: { moderators: present } })
  expect(await theirs.next('moderators')).toMatchObject({ data: { moderators: present } })
  expect(await moderators()).toEqual(present)
  theirs.close()
  expect(await own.next('moderators')).toMatchObject({ data: { moderators: present.slice(0, 1) } })
  expect(await names()).toEqual([host.username])
})

test('change the tag of the list, which stays the same while they do', async () => {
  const alone = await poll()
  const stream = await streamFor(deputy)
  await stream.next('moderators')
  const both = await poll(host, alone.headers.etag)
  expect(both.status).toBe(200)
  expect((await poll(deputy, both.headers.etag)).status).toBe(304)
})

test('are each listed once, whatever number of streams, until the last has closed', async () => {
  const own = await streamFor(host)
  await own.next('moderators')
  const first = await streamFor(deputy)
  await first.next('moderators')
  const [since] = (await moderators()).map((one: { since: string }) => one.since).slice(-1)
  const elsewhere = await openAssistantSession(server, { id: deputy.id, role: 'moderator', host_id: host.id })
  const second = await streamFor({ token: elsewhere })
  await second.next('test')
  first.close()
  await first.ended
  expect(await moderators()).toMatchObject([{ id: host.id }, { id: deputy.id, since }])
  second.close()
  await expect.poll(names).toEqual([host.username])
})

test('are no longer listed when they are removed, and the meeting goes on', async () => {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  const heard = await openStream(origin + (await requestStream(server, host, phone)).body.sseUrl)
  const theirs = await streamFor(deputy)
  await theirs.next('moderators')
  expect((await call(server, 'DELETE', `/host/assistants/${deputy.id}`, { as: host })).status).toBe(200)
  await theirs.ended
  await expect.poll(moderators).toEqual([])
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await heard.next('host-mute-all', { active: true })
  expect(heard.received.map(({ name }) => name)).not.toContain('moderators')
})

test('of the role moderator do not hear of new phones, which a manager does', async () => {
  const manager = await buildAssistant(server, host, 'manager')
  const streams = { moderator: await streamFor(deputy), manager: await streamFor(manager) }
  const user = await buildRoomUser(server, host)
  await buildPhone(server, host, user)
  const device = { device_id: 'new', device_model: 'iPhone 17', platform: 'web', device_secret: null }
  const body = { host_id: host.user_id, username: user.username, password: PASSWORD, ...device }
  expect((await call(server, 'POST', '/mobile/phone-requests', { body })).status).toBe(200)
  await streams.manager.next('phone-requests')
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await streams.moderator.next('host-mute-all', { active: true })
  expect(streams.moderator.received.map(({ name }) => name)).not.toContain('phone-requests')
})
