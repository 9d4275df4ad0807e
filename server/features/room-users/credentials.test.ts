import { beforeEach, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

const ABSENT = '00000000-0000-4000-8000-000000000000'
const reveal = (userIds: unknown, as: { token: string } = host, headers = {}) =>
  call(server, 'POST', '/host/users/bulk/credentials', { as, headers, body: { userIds } })

test('shows the passwords of many, in the order of the call, and names all of them in the audit', async () => {
  const amina = await buildRoomUser(server, host, { username: 'amina', password: 'secret-of-amina' })
  const bela = await buildRoomUser(server, host, { username: 'bela', password: 'secret-of-bela' })
  const foreign = await buildRoomUser(server, await buildHost(server), { password: 'secret-of-another' })
  const { status, body, headers } = await reveal([bela.id.toUpperCase(), amina.id, foreign.id, ABSENT, 'U1', bela.id])
  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(body.data).toEqual({
    host_id: host.user_id,
    room_name: host.room_name,
    app_title: null,
    credentials: [
      { id: bela.id, user_id: bela.user_id, username: 'bela', password: 'secret-of-bela' },
      { id: amina.id, user_id: amina.user_id, username: 'amina', password: 'secret-of-amina' },
    ],
    failed: [foreign.id, ABSENT, 'u1'].map((id) => ({ id, code: 'not_found', message: 'User not found' })),
  })
  for (const { id } of [amina, bela]) {
    const { entries } = await readAudit(server, host, `user=${id}&action=user_credentials_revealed`, '/host/audit')
    expect(entries).toMatchObject([{ actor: { role: 'host' }, before: { users: [{ id: bela.id }, { id: amina.id }] } }])
    expect(JSON.stringify(entries)).not.toContain('secret')
  }
})

test('one of them is audited as that user', async () => {
  const amina = await buildRoomUser(server, host)
  await reveal([amina.id])
  const { entries } = await readAudit(server, host, 'action=user_credentials_revealed', '/host/audit')
  expect(entries).toMatchObject([{ target: { id: amina.id } }])
})

test('keeps in the audit what they were fetched for, where the caller says so', async () => {
  const amina = await buildRoomUser(server, host)
  await call(server, 'POST', `/host/users/${amina.id}/credentials`, { as: host })
  await call(server, 'POST', `/host/users/${amina.id}/credentials`, { as: host, body: { purpose: 'copy' } })
  const body = { userIds: [amina.id], purpose: 'cards' }
  await call(server, 'POST', '/host/users/bulk/credentials', { as: host, body })
  const { entries } = await readAudit(server, host, 'action=user_credentials_revealed', '/host/audit')
  expect(entries.map(({ after }) => after)).toEqual([{ purpose: 'cards' }, { purpose: 'copy' }, null])
  const other = await call(server, 'POST', `/host/users/${amina.id}/credentials`, { as: host, body: { purpose: 'x' } })
  expect(other.status).toBe(422)
})

test("shows and audits nothing of another host's users", async () => {
  const amina = await buildRoomUser(server, host)
  const other = await buildHost(server)
  const { status, body } = await reveal([amina.id], other)
  expect([status, body.data.credentials]).toEqual([200, []])
  expect((await readAudit(server, other, 'action=user_credentials_revealed', '/host/audit')).entries).toEqual([])
})

test('uses the title that phones show', async () => {
  await call(server, 'PUT', '/host/app-info', { as: host, body: { user_title: 'Evening circle' } })
  const amina = await buildRoomUser(server, host)
  expect((await reveal([amina.id])).body.data.app_title).toBe('Evening circle')
})

test('an answer is not kept for a repeat', async () => {
  const amina = await buildRoomUser(server, host, { password: 'secret-of-amina' })
  const headers = { 'idempotency-key': 'cards' }
  expect([(await reveal([amina.id], host, headers)).status, (await reveal([], host, headers)).status]).toEqual([
    200, 422,
  ])
  expect(
    await server.deps.db.selectFrom('idempotency_keys').select('key').where('key', '=', 'cards').execute(),
  ).toEqual([])
})

test.each([
  [undefined, 'Please select users first'],
  [[], 'Please select users first'],
  [Array.from({ length: 501 }, () => 'x'), 'At most 500 users at a time'],
  ['all', 'Please select users first'],
])('refuses %j', async (userIds, message) => {
  expect(await reveal(userIds)).toMatchObject({ status: 422, body: { errors: [{ path: 'userIds', msg: message }] } })
})

test('refuses masters and phones', async () => {
  const amina = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, amina)
  const statuses = [await reveal([amina.id], await buildMaster(server)), await reveal([amina.id], phone)]
  expect(statuses.map(({ status }) => status)).toEqual([403, 403])
})
