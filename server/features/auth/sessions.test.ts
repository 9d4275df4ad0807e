import { beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { buildHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import type { Db } from '../../db/client.ts'
import { noopBus } from '../../lib/bus.ts'
import type { Session } from './session-rows.ts'
import { Sessions } from './sessions.ts'

const server = await setup()

const openForHost = async (signedInAt?: number) => {
  const { id: host_id } = await buildHost(server)
  const owner = { role: 'host' as const, master_id: null, host_id, room_user_id: null }
  return server.deps.sessions.open(server.deps.db, owner, '127.0.0.1', signedInAt)
}

test('a session is found while others end all the time', async () => {
  const token = await openForHost()
  const { sessions } = server.deps
  let found: unknown
  let isOver = false
  const endOthers = () => {
    sessions.forget([], 'signed_in_elsewhere')
    if (!isOver) setImmediate(endOthers)
  }
  endOthers()
  const finding = sessions.find(token).then((session) => {
    found = session
  })
  await eventually(() => expect(found).toMatchObject({ role: 'host' })).finally(() => {
    isOver = true
  })
  await finding
})

test('a session that ends while its row is read is not found', async () => {
  const { sessions } = server.deps
  const session = await sessions.find(await openForHost())
  if (!session) throw new Error('The session was not found')
  sessions.forget([session], 'logout') // the row stays open, as for a query that began before the commit
  const finding = sessions.findById(session.id)
  sessions.forget([session], 'logout')
  expect(await finding).toBeNull()
})

test('an ended session is looked up once in 10 s, however often its token comes', async () => {
  let now = Date.parse('2026-11-21T10:00:00Z')
  const token = await openForHost(now)
  const db = server.deps.db.withoutPlugins()
  const sessions = new Sessions({ ...server.deps, db, bus: noopBus, now: () => now, isShared: true })
  const ended = await new Sessions({ ...server.deps, bus: noopBus, now: () => now, isShared: true }).find(token)
  await server.deps.sessions.end({ session_id: ended?.id ?? '' }, 'logout')
  const reads = vi.spyOn(db, 'selectFrom')
  for (let time = 0; time < 20; time++) expect(await sessions.find(token)).toBeNull()
  expect(reads).toHaveBeenCalledOnce()
  now += 10_001
  expect(await sessions.find(token)).toBeNull()
  expect(reads).toHaveBeenCalledTimes(2)
})

describe('a server that was paused', () => {
  let now = Date.parse('2026-11-21T10:00:00Z')
  let db: Db
  let paused: Sessions
  let sessions: Session[]
  let tokens: string[]
  beforeEach(async () => {
    db = server.deps.db.withoutPlugins() // a copy, which nothing else reads
    paused = new Sessions({ ...server.deps, db, bus: noopBus, now: () => now, isShared: true })
    await paused.heartbeat()
    tokens = await Promise.all([1, 2, 3].map(() => openForHost(now)))
    sessions = await Promise.all(tokens.map(requireSession))
  })

  const requireSession = async (token: string) => {
    const session = await paused.find(token)
    if (!session) throw new Error('The session was not found')
    return session
  }
  const endElsewhere = (session = sessions[0]) => server.deps.sessions.end({ session_id: session?.id ?? '' }, 'logout')
  const cached = () => tokens.map((token) => paused.findCached(token)?.id)
  const ids = () => sessions.map(({ id }) => id)
  const isAway = () => {
    throw new Error('Connection terminated')
  }

  test('finds no session that ended meanwhile, and one query finds all others', async () => {
    const heard = vi.fn()
    paused.onEnd(heard)
    await endElsewhere()
    expect(cached()).toEqual(ids())
    now += 3_001
    expect(cached()).toEqual([undefined, undefined, undefined])
    const reads = vi.spyOn(db, 'selectFrom')
    const [id, ...others] = ids()
    const [ended = '', ...live] = tokens
    const found = await Promise.all(live.map((token) => paused.find(token)))
    expect(found).toMatchObject(others.map((other) => ({ id: other })))
    expect(reads).toHaveBeenCalledOnce()
    expect([await paused.find(ended), await paused.findById(id ?? '')]).toEqual([null, null])
    expect(cached()).toEqual([undefined, ...others])
    expect(heard.mock.calls).toMatchObject([[{ id }, 'logout']])
  })

  test('finds no session that was deleted with its user, and ends its streams before anybody asks', async () => {
    const heard = vi.fn()
    paused.onEnd(heard)
    const [id = '', ...others] = ids()
    await server.deps.db.deleteFrom('sessions').where('id', '=', id).execute()
    now += 3_001
    expect(await paused.heartbeat()).toBe(1)
    expect(heard.mock.calls).toMatchObject([[{ id }, 'deleted']])
    expect(cached()).toEqual([undefined, ...others])
  })

  test('finds no session whose row was being read, and which ended meanwhile', async () => {
    const isRead = Promise.withResolvers<void>()
    const isOver = Promise.withResolvers<void>()
    const slow = server.deps.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        isRead.resolve()
        await isOver.promise
        return result
      },
    })
    const other = new Sessions({ ...server.deps, db: slow, bus: noopBus, now: () => now, isShared: true })
    await other.heartbeat()
    const finding = other.find(tokens[0] ?? '')
    await isRead.promise
    await endElsewhere()
    now += 3_001
    isOver.resolve()
    expect(await finding).toBeNull()
  })

  test('lets nobody in before it has read what ended, and then everybody', async () => {
    now += 3_001
    const reads = vi.spyOn(db, 'selectFrom').mockImplementation(isAway)
    await expect(paused.find(tokens[0] ?? '')).rejects.toThrow('terminated')
    await expect(paused.heartbeat()).rejects.toThrow('terminated')
    expect(cached()).toEqual([undefined, undefined, undefined])
    reads.mockRestore()
    expect(await paused.heartbeat()).toBe(0)
    expect(cached()).toEqual(ids())
  })

  test('differs from one whose database is away, which lets in whom it knows', async () => {
    const reads = vi.spyOn(db, 'selectFrom').mockImplementation(isAway)
    for (let second = 0; second < 30; second++) {
      now += 1_000
      await expect(paused.forgetEndedElsewhere()).rejects.toThrow('terminated')
      await paused.heartbeat()
      expect(cached()).toEqual(ids())
    }
    reads.mockRestore()
  })
})
