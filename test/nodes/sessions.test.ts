import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { BusMessage } from '../../server/lib/bus.ts'
import { MINUTE_MS } from '../../shared/dates.ts'
import { CONSOLE_SESSIONS_MAX } from '../../shared/session-end.ts'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  phoneLogin,
  requestStream,
  type TestHost,
} from '../factories/accounts.ts'
import { countLockWaits } from '../servers/lock-waits.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodes, type TestNode } from './setup.ts'

let ahead = 0
const { a, b, redis } = await setupNodes({ now: () => Date.now() + ahead })

let host: TestHost
beforeEach(async () => {
  host = await buildHost(a)
})

const details = (node: typeof a) => call(node, 'GET', '/host/details', { as: host })

describe('a session that ends at one server', () => {
  test('ends at the other, with its streams', async () => {
    const unread = vi.spyOn(b.deps.sessions, 'forgetEndedElsewhere').mockResolvedValue(0) // only the message can end it
    expect((await details(b)).status).toBe(200)
    const stream = await openStream(b.origin + (await requestStream(b, host)).body.sseUrl)
    await call(a, 'POST', '/auth/logout', { as: host })
    await stream.ended
    expect((await details(b)).status).toBe(401)
    unread.mockRestore()
  })

  test('from the list of sessions ends at the other, with its streams', async () => {
    const other = { ...host, token: await openSession(a, host.id) }
    const stream = await openStream(b.origin + (await requestStream(b, other)).body.sseUrl)
    const { body } = await call(a, 'GET', '/account/sessions', { as: host })
    const [listed] = body.data.sessions.filter((session: { is_current: boolean }) => !session.is_current)
    expect((await call(a, 'DELETE', `/account/sessions/${listed.id}`, { as: host })).status).toBe(200)
    await stream.ended
    expect(await call(b, 'GET', '/host/details', { as: other })).toMatchObject({
      status: 401,
      body: { reason: 'ended' },
    })
    expect((await details(b)).status).toBe(200)
  })

  test('ends at the other without Redis', async () => {
    expect((await details(b)).status).toBe(200)
    await redis.kill()
    await call(a, 'POST', '/auth/logout', { as: host })
    await expect.poll(async () => (await details(b)).status).toBe(401)
    await redis.start()
  })

  test('ends at the other without Redis when its user is deleted, with its stream', async () => {
    const phone = await buildPhone(a, host, await buildRoomUser(a, host))
    const askForStream = () => requestStream(b, host, phone)
    const stream = await openStream(b.origin + (await askForStream()).body.sseUrl)
    await redis.kill()
    await call(a, 'POST', `/host/users/${phone.id}/delete`, { as: host })
    await stream.ended
    await expect.poll(async () => (await askForStream()).status).toBe(401)
    await redis.start()
  })

  test('ends at the other without Redis, whatever other jobs do', async () => {
    expect((await details(b)).status).toBe(200)
    const slow = Promise.withResolvers<number>()
    b.deps.jobs.wake({ name: 'slow', every: 60_000, run: () => slow.promise })
    await redis.kill()
    await call(a, 'POST', '/auth/logout', { as: host })
    await expect.poll(async () => (await details(b)).status).toBe(401)
    slow.resolve(0)
    await redis.start()
  })

  test('has ended at the other when that has been frozen meanwhile', async () => {
    expect((await details(b)).status).toBe(200)
    const unread = vi.spyOn(b.deps.sessions, 'forgetEndedElsewhere').mockResolvedValue(0)
    await redis.kill()
    await call(a, 'POST', '/auth/logout', { as: host })
    ahead += 8_000
    expect((await details(b)).status).toBe(401)
    unread.mockRestore()
    await redis.start()
  })

  test('does not leave a stream behind that was being opened', async () => {
    const { sseUrl } = (await requestStream(a, host)).body
    const get = b.deps.rooms.get.bind(b.deps.rooms)
    const ended = Promise.withResolvers<void>()
    const slow = vi.spyOn(b.deps.rooms, 'get').mockImplementation(async (id) => {
      await ended.promise
      return get(id)
    })
    const opening = openStream(b.origin + sseUrl).catch(() => null)
    await expect.poll(() => slow.mock.calls.length).toBeGreaterThan(0)
    const id = (await a.deps.sessions.find(host.token))?.id ?? ''
    await call(a, 'POST', '/auth/logout', { as: host })
    await expect.poll(() => b.deps.sessions.findById(id)).toBeNull()
    ended.resolve()
    expect(await opening).toBeNull()
    slow.mockRestore()
  })
})

describe('of console sessions that several servers have opened, as many stay as an account may have', () => {
  const signIn = (node: TestNode) =>
    call(node, 'POST', '/auth/host/login', { body: { username: host.username, password: PASSWORD } })
  const openSessions = async () =>
    a.deps.db.selectFrom('sessions').select('id').where('host_id', '=', host.id).where('ended_at', 'is', null).execute()

  test('and the one unused for longest at all servers ends, with its streams', async () => {
    const unread = vi.spyOn(b.deps.sessions, 'forgetEndedElsewhere').mockResolvedValue(0) // only the message can end it
    const tokens = [host.token]
    while (tokens.length < CONSOLE_SESSIONS_MAX) tokens.push(await openSession(tokens.length % 2 ? a : b, host.id))
    const [oldest = '', unused = '', ...others] = tokens
    const read = (node: TestNode, token: string) => call(node, 'GET', '/host/details', { as: { token } })
    for (const node of [a, b]) for (const token of tokens) expect((await read(node, token)).status).toBe(200)
    ahead += 2 * MINUTE_MS
    for (const token of [oldest, ...others])
      expect((await call(b, 'POST', '/host/trigger-bulk-mute/unmute', { as: { token } })).status).toBe(200)
    const stream = await openStream(b.origin + (await requestStream(b, { token: unused })).body.sseUrl)

    const { status, body } = await signIn(a)
    expect(status).toBe(200)
    await stream.ended
    for (const node of [a, b]) {
      expect(await read(node, unused)).toMatchObject({ status: 401, body: { reason: 'signed_in_elsewhere' } })
      for (const token of [oldest, ...others, body.data.token]) expect((await read(node, token)).status).toBe(200)
    }
    unread.mockRestore()
  })

  test('after sign-ins at both servers at once', async () => {
    while ((await openSessions()).length < CONSOLE_SESSIONS_MAX) await openSession(a, host.id)
    const signIns = await a.deps.db.transaction().execute(async (tx) => {
      await tx.selectFrom('hosts').select('id').where('id', '=', host.id).forUpdate().execute()
      const waiting = [a, b, a, b].map(signIn)
      await expect.poll(() => countLockWaits(a.deps.db)).toBe(4)
      return waiting
    })
    const answers = await Promise.all(signIns)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await openSessions()).toHaveLength(CONSOLE_SESSIONS_MAX)
    for (const { body } of answers)
      for (const node of [a, b]) expect((await call(node, 'GET', '/host/details', { as: body.data })).status).toBe(200)
  })
})

describe('the address of a stream', () => {
  test('opens it at the other server, and again there after the first has gone', async () => {
    const { sseUrl } = (await requestStream(a, host)).body
    const first = await openStream(a.origin + sseUrl)
    await first.next('test')
    const second = await openStream(b.origin + sseUrl)
    await second.next('test')
    await first.ended
  })

  test('is refused where its signature is wrong', async () => {
    const { sseUrl } = (await requestStream(a, host)).body
    await expect(openStream(`${b.origin}${sseUrl.slice(0, -2)}xx`)).rejects.toThrow('401')
  })
})

describe('limits', () => {
  /** Counts the messages of this kind that a server gets from now on. */
  function counted(node: TestNode, type: BusMessage['type']) {
    let count = 0
    node.deps.bus.subscribe((message) => {
      if (message.type === type) count++
    })
    return () => count
  }

  test('of wrong passwords count at all servers', async () => {
    const user = await buildRoomUser(a, host)
    const guess = async (node: TestNode) => (await phoneLogin(node, host, user, undefined, 'wrong password')).status
    const checked = counted(b, 'sign-in-checked')
    for (let tries = 0; tries < 5; tries++) expect(await guess(a)).toBe(400)
    await expect.poll(checked).toBe(5)
    const statuses: number[] = []
    await expect.poll(async () => statuses[statuses.push(await guess(b)) - 1]).toBe(429)
    expect(statuses.length).toBeLessThan(5) // the first, unless it outlasts the wait that is due
  })

  test('of calls count at all servers', async () => {
    const calls = [counted(a, 'call-counted'), counted(b, 'call-counted')]
    for (let round = 0; round < 15; round++)
      for (const node of [a, b]) expect((await requestStream(node, host)).status).toBe(200)
    for (const count of calls) await expect.poll(count).toBe(15)
    for (const node of [a, b]) expect((await requestStream(node, host)).status).toBe(429)
  })

  test('of opened streams count at all servers', async () => {
    const { sseUrl } = (await requestStream(a, host)).body
    const opened = [counted(a, 'stream-opened'), counted(b, 'stream-opened')]
    for (let round = 0; round < 30; round++) for (const { origin } of [a, b]) await openStream(origin + sseUrl)
    for (const count of opened) await expect.poll(count).toBe(30)
    for (const { origin } of [a, b]) await expect(openStream(origin + sseUrl)).rejects.toThrow('429')
  })
})

test('a one-time link signs in one of the phones that use it at both servers at once', async () => {
  for (let round = 0; round < 10; round++) {
    const user = await buildRoomUser(a, host)
    const made = await call(a, 'POST', `/host/users/${user.id}/sign-in-link`, { as: host })
    const link_token = made.body.data.url.split('#link=')[1]
    const device = { host_id: host.user_id, link_token, platform: 'web' }
    const answers = await Promise.all(
      [a, b, a, b].map((node, n) =>
        call(node, 'POST', '/mobile/link-login', {
          body: { ...device, device_id: `phone ${n}` },
          from: `127.1.${round}.${n}`,
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
  }
})

test('a session that is confirmed at one server is so at the other', async () => {
  const master = await buildMaster(a)
  const deleteHost = () => call(b, 'DELETE', `/admin/hosts/${host.id}`, { as: master })
  await call(b, 'GET', '/account', { as: master })
  ahead += 15 * MINUTE_MS
  expect(await deleteHost()).toMatchObject({ status: 403, body: { code: 'confirm_needed' } })
  expect((await call(a, 'POST', '/account/confirm', { as: master, body: { password: PASSWORD } })).status).toBe(200)
  expect((await deleteHost()).status).toBe(200)
})
