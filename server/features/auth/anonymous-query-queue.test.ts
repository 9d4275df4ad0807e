import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY_MS } from '../../../shared/dates.ts'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { countLockWaits } from '../../../test/servers/lock-waits.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })
const { db } = server.deps
await server.deps.jobs.close() // some read each second, which would count here

let host: TestHost
let unlock = async () => {}
beforeEach(async () => {
  now += DAY_MS // after the sign-ins of other tests
  host = await buildHost(server)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await unlock()
})

/** Keeps all queries of a table waiting. */
async function lock(table: 'oauth_states' | 'known_devices'): Promise<void> {
  const locked = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
    locked.resolve()
    await ended.promise
  })
  await locked.promise
  unlock = async () => {
    ended.resolve()
    await holding
  }
}

const waitingForLock = () => countLockWaits(db)

const BUSY = { status: 503, headers: { 'retry-after': '2' }, body: { success: false, code: 'busy' } }
const returnFromZoom = () => call(server, 'GET', `/oauth/callback?state=${randomUUID()}`)
const many = <T>(times: number, ask: () => Promise<T>) => Array.from({ length: times }, ask)

describe('queries without an account', () => {
  test('run four at a time, so that signed-in people are answered', async () => {
    await lock('oauth_states')
    const strangers = many(12, returnFromZoom)
    await expect.poll(waitingForLock).toBe(4)
    expect((await call(server, 'GET', '/host/users?limit=1', { as: host })).status).toBe(200)
    expect((await call(server, 'POST', '/host/users', { as: host, body: {} })).status).toBe(422)
    expect((await server.app.inject('/readyz')).statusCode).toBe(200)
    expect(await waitingForLock()).toBe(4)
    await unlock()
    for (const { status } of await Promise.all(strangers)) expect(status).toBe(303)
  })

  test('are refused beyond 500 that wait, unless their address has fewer, without an error in the log', async () => {
    const logged = vi.spyOn(server.deps.log, 'error')
    const held = Promise.withResolvers<void>()
    const strangers = many(504, () => server.deps.strangers.run('127.0.0.1', () => held.promise))
    const refused = expect(strangers.at(-1)).rejects.toMatchObject({ code: 'busy' })
    expect(await returnFromZoom()).toMatchObject(BUSY)
    const elsewhere = server.deps.strangers.run('192.0.2.1', async () => 'answered')
    await refused
    held.resolve()
    expect(await elsewhere).toBe('answered')
    await Promise.all(strangers.slice(0, -1))
    expect((await returnFromZoom()).status).toBe(303)
    expect(logged).not.toHaveBeenCalled()
  })

  test.each([
    ['an IPv6 /48', (n: number) => `2001:db8:7:${n.toString(16)}::1`, '2001:db8:8::1'],
    ['an IPv4 /24', (n: number) => `192.0.2.${n % 256}`, '192.0.3.1'],
  ])('of all addresses of %s hold up those of no other network', async (_network, addressOf, elsewhere) => {
    const held = Promise.withResolvers<void>()
    const begun: string[] = []
    const { strangers } = server.deps
    const act = (ip: string) => async () => {
      begun.push(ip)
      await held.promise
    }
    const flood = Array.from({ length: 504 }, (_, n) => strangers.run(addressOf(n), act(addressOf(n))))
    const ended = Promise.allSettled(flood)
    const other = strangers.run(elsewhere, act(elsewhere))
    held.resolve()
    await other
    expect(begun.indexOf(elsewhere)).toBeLessThanOrEqual(5) // the four at first, and the one whose turn came before
    const refused = (await ended).filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'busy' } }])
  })

  test('are refused after a wait of six seconds', async () => {
    await lock('oauth_states')
    const strangers = many(5, returnFromZoom)
    await expect.poll(waitingForLock).toBe(4)
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_001)
    await unlock()
    const answers = await Promise.all(strangers)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 303, 303, 303, 503])
    expect(answers.find(({ status }) => status === 503)).toMatchObject(BUSY)
  })

  test('of sign-ins that are refused look up the device four at a time', async () => {
    const guess = (n: number) =>
      call(server, 'POST', '/auth/host/login', { body: { username: `H${n}`, password: 'x' } })
    for (let n = 0; n < 20; n++) expect((await guess(n)).status).toBe(400)
    await lock('known_devices')
    const guesses = Array.from({ length: 30 }, (_, n) => guess(n + 20))
    await expect.poll(waitingForLock).toBe(4)
    expect((await call(server, 'GET', '/host/users?limit=1', { as: host })).status).toBe(200)
    expect(await waitingForLock()).toBe(4)
    await unlock()
    for (const { status } of await Promise.all(guesses)) expect(status).toBe(429)
  })
})

const queries = () => vi.spyOn(db.getExecutor(), 'executeQuery')

describe('without a query', () => {
  test('a link to a recording with a false signature is refused', async () => {
    const executed = queries()
    const link = { kind: 'play', session: randomUUID(), expires: '9999999999', signature: `${host.id}.x` }
    const read = await call(server, 'GET', `/recordings/media/${randomUUID()}?${new URLSearchParams(link)}`)
    expect(read.status).toBe(404)
    expect(executed).not.toHaveBeenCalled()
  })

  test('the token of an ended session is refused again', async () => {
    await call(server, 'POST', '/auth/host/logout', { as: host })
    const executed = queries()
    const ask = () => call(server, 'GET', '/host/room', { as: host })
    const first = await ask()
    expect(first).toMatchObject({ status: 401, body: { reason: 'signed_out' } })
    expect(executed).toHaveBeenCalledTimes(2)
    now += 9_999
    expect((await ask()).body).toEqual(first.body)
    expect(executed).toHaveBeenCalledTimes(2)
    now += 10_001
    expect((await ask()).body).toEqual(first.body)
    expect(executed).toHaveBeenCalledTimes(4)
  })

  test.each([
    ['was handed over', async () => {}],
    ['is not stored any more', () => db.deleteFrom('sessions').where('host_id', '=', host.id).execute()],
  ])('the token of a session that %s is refused again', async (_how, then) => {
    await server.deps.sessions.end({ host_id: host.id }, 'handed_over')
    await then()
    now += 10_001
    const executed = queries()
    const ask = () => call(server, 'GET', '/host/room', { as: host })
    for (let time = 0; time < 3; time++) expect((await ask()).status).toBe(401)
    expect(executed).toHaveBeenCalledTimes(2)
  })
})

test('phones of a room share one look at its subscription', async () => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  await call(server, 'POST', '/mobile/status', { as: phone, body: { left: true } })
  await db.updateTable('hosts').set({ subscription_end_date: '2020-01-01' }).where('id', '=', host.id).execute()
  const executed = queries()
  const answers = await Promise.all(many(8, () => call(server, 'POST', '/mobile/status', { as: phone, body: {} })))
  for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code: 'subscription_inactive' } })
  const looks = executed.mock.calls.filter(([{ sql: text }]) => text.includes('subscription_end_date'))
  expect(looks.length).toBeLessThanOrEqual(2) // the first one's, and one that the others share
})
