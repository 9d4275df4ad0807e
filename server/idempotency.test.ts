import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aHost, aMaster, aRoomUser, aSession, call } from '../test/build.ts'
import { startTestApp, type TestServer } from '../test/start.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let server: TestServer

beforeAll(async () => {
  server = await startTestApp({ now: () => now })
})
afterAll(() => server.close())
beforeEach(() => server.truncate())

async function extending() {
  const master = await aMaster(server)
  const host = await aHost(server)
  const extend = (key: string, months = 1) =>
    call(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, {
      as: master,
      body: { additional_months: months },
      headers: { 'idempotency-key': key },
    })
  const changes = async () =>
    (await call(server, 'GET', `/admin/hosts/${host.id}/subscription-history`, { as: master })).body.data.history.length
  return { extend, changes }
}

test('REL-05 REL-52 a repeat gets the first answer and has no second effect', async () => {
  const { extend, changes } = await extending()
  const before = await changes()
  const first = await extend('key-1')
  now += 60_000
  const second = await extend('key-1')
  expect(second).toMatchObject({ status: 200, body: first.body })
  expect(await changes()).toBe(before + 1)
  expect((await extend('key-2')).body).not.toEqual(first.body)
  expect(await changes()).toBe(before + 2)
})

test('repeats at the same time have one effect and one answer', async () => {
  const { extend, changes } = await extending()
  const before = await changes()
  const answers = await Promise.all(Array.from({ length: 8 }, () => extend('key-1')))
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
  expect(await changes()).toBe(before + 1)
})

test('the same key for another body is refused', async () => {
  const { extend, changes } = await extending()
  await extend('key-1', 1)
  const before = await changes()
  expect(await extend('key-1', 3)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  expect(await changes()).toBe(before)
})

test('after a day a key is new again', async () => {
  const host = await aHost(server)
  const mute = async () => {
    const as = { token: await aSession(server, host.id) }
    return call(server, 'POST', '/host/trigger-bulk-mute/mute', { as, headers: { 'idempotency-key': 'key-1' } })
  }
  const acts = async () =>
    (await server.deps.db.selectFrom('audit').select('id').where('action', '=', 'mute_all').execute()).length
  await mute()
  now += 24 * 3_600_000
  await mute()
  expect(await acts()).toBe(1)
  now += 1
  await mute()
  expect(await acts()).toBe(2)
})

test('refusals are repeated too', async () => {
  const host = await aHost(server)
  const user = await aRoomUser(server, host)
  const headers = { 'idempotency-key': 'key-1' }
  const remove = () => call(server, 'POST', `/host/users/${user.id}/delete`, { as: host, headers })
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 200])
  const unknown = () => call(server, 'POST', `/host/users/${user.id}/mute`, { as: host, headers })
  expect([(await unknown()).status, (await unknown()).status]).toEqual([404, 404])
})

test('a key is its caller’s own, and what it answered is stored sealed', async () => {
  const [one, other] = [await aHost(server), await aHost(server)]
  const add = (as: typeof one) =>
    call(server, 'POST', '/host/users', {
      as,
      body: { username: 'amina', user_id: 'U000001', password: 'x' },
      headers: { 'idempotency-key': 'key-1' },
    })
  const [mine, theirs] = [await add(one), await add(other)]
  expect(mine.body.data.user.id).not.toBe(theirs.body.data.user.id)
  const rows = await server.deps.db.selectFrom('idempotency_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('amina')
})
