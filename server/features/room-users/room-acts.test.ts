import { beforeEach, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildRoomUser,
  call,
  requestStream,
  type SignedIn,
  type TestAssistant,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()

let host: TestHost
let deputy: TestAssistant
let user: { id: string }
beforeEach(async () => {
  host = await buildHost(server)
  deputy = await buildAssistant(server, host, 'moderator', 'Deputy')
  user = await buildRoomUser(server, host)
})

const muteAll = (as: SignedIn, action = 'mute', expected: object | undefined = undefined) =>
  call(server, 'POST', `/host/trigger-bulk-mute/${action}`, { as, body: { expect: expected } })
const act = (as: SignedIn, action: string, expected: object | undefined = undefined) =>
  call(server, 'POST', `/host/users/${user.id}/${action}`, { as, body: { expect: expected } })
const lastAct = async () => (await call(server, 'GET', '/host/online-users', { as: deputy })).body.last_act

test('the last act names who did it, and changes the tag of the list', async () => {
  const before = await call(server, 'GET', '/host/online-users', { as: host })
  expect(before.body.last_act).toBeNull()
  const { body } = await muteAll(deputy)
  expect(await lastAct()).toEqual({
    act: body.data.act,
    action: 'mute_all',
    by: { id: deputy.id, name: 'Deputy', role: 'moderator' },
    at: expect.any(String),
  })
  await act(host, 'unmute')
  expect(await lastAct()).toMatchObject({
    action: 'user_unmute',
    by: { id: host.id, name: host.username, role: 'host' },
  })
  const after = await call(server, 'GET', '/host/online-users', { as: host })
  expect(after.headers.etag).not.toBe(before.headers.etag)
})

test('an act is refused if another person has acted since, and not for own acts', async () => {
  const first = (await muteAll(host)).body.data.act
  await act(host, 'unmute')
  expect((await muteAll(host, 'mute', { act: first })).status).toBe(200)
  await act(deputy, 'unmute')
  await act(host, 'mute') // the own act hides nobody else's
  const refused = await muteAll(host, 'unmute', { act: first })
  expect(refused).toMatchObject({ status: 409, body: { code: 'state_changed', last_act: { by: { id: host.id } } } })
  expect(
    (await call(server, 'POST', '/mobile/host-mute-all-status', { as: host, body: await room() })).body,
  ).toMatchObject({
    host_mute_all_active: true,
  })
  const latest = (await lastAct()).act
  expect((await muteAll(host, 'unmute', { act: latest })).status).toBe(200)
})

const room = async () => ({ room_id: (await call(server, 'GET', '/host/details', { as: host })).body.room_id })

test('a refusal of what was seen says who was quicker', async () => {
  await act(deputy, 'mute')
  const by = { by: { name: 'Deputy' } }
  expect(await act(host, 'mute', { is_muted: false })).toMatchObject({
    status: 409,
    body: { code: 'state_changed', last_act: { action: 'user_mute', ...by } },
  })
  await muteAll(deputy)
  expect(await muteAll(host, 'mute', { host_mute_all_active: false })).toMatchObject({
    status: 409,
    body: { code: 'state_changed', last_act: { action: 'mute_all', ...by } },
  })
  expect(await act(host, 'unmute', { host_mute_all_active: false })).toMatchObject({
    status: 409,
    body: { code: 'state_changed', last_act: { action: 'mute_all', ...by } },
  })
  expect((await act(host, 'unmute', { host_mute_all_active: true })).status).toBe(200)
  expect((await muteAll(host, 'unmute', { act: crypto.randomUUID() })).status).toBe(409)
})

test('two who press at once with what they saw do not undo each other', async () => {
  const seen = { host_mute_all_active: false }
  const outcomes = await Promise.all([muteAll(host, 'mute', seen), muteAll(deputy, 'mute', seen)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('a stream of a moderator opens', async () => {
  expect((await requestStream(server, deputy)).status).toBe(200)
})

test.each([[{ act: 7 }], [{ act: 'x'.repeat(65) }], [{ host_mute_all_active: 'yes' }]])(
  'an expectation of another kind is refused: %j',
  async (expected) => {
    expect((await muteAll(host, 'mute', expected)).status).toBe(422)
  },
)
