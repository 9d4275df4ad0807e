import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, buildMaster, buildPhone, buildRoomUser, call, openSession } from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'
import { withJobLock } from '../db/job-lock.ts'
import { clearStays } from '../features/attendance/jobs.ts'
import { clearAudit } from '../features/audit/jobs.ts'
import { clearSessions, endExpiredSessions } from '../features/auth/jobs.ts'
import { clearOAuthResults } from '../features/zoom-accounts/clear-oauth-results.ts'
import { clearOAuthStates } from '../features/zoom-accounts/jobs.ts'
import { JOBS } from '../jobs.ts'
import { clearIdempotencyKeys } from '../plugins/idempotency.ts'
import type { Job } from './job.ts'
import { JobRunner } from './job-runner.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 1000 * DAY
})

const run = (job: Job) => job.run(server.deps)
const countOf = async (table: 'audit' | 'stays' | 'sessions' | 'idempotency_keys' | 'oauth_states' | 'oauth_results') =>
  (await server.deps.db.selectFrom(table).selectAll().execute()).length

/** Expects the row to be kept at its age limit, and removed a moment later. */
async function goesAfter(age: number, job: Job, table: Parameters<typeof countOf>[0]) {
  const before = await countOf(table)
  expect(before).toBeGreaterThan(0)
  now += age
  expect(await run(job)).toBe(0)
  expect(await countOf(table)).toBe(before)
  now += 1
  expect(await run(job)).toBe(before)
  expect(await countOf(table)).toBe(0)
}

async function insertOAuthResult(host_id: string | null) {
  const { id: master_id } = await buildMaster(server)
  const account = { email: 'a@example.com', email_key: 'a@example.com', zoom_user_id: 'u', zoom_account_id: 'a' }
  const tokens = { access_token_ciphertext: 'x', refresh_token_ciphertext: 'y', access_expires_at: new Date(now) }
  await server.deps.db
    .insertInto('oauth_results')
    .values({
      id: `${Math.random()}`,
      master_id,
      host_id,
      ...account,
      ...tokens,
      expires_at: new Date(now),
      warnings: '[]',
    })
    .execute()
}

describe('removes', () => {
  test('an expired OAuth state', async () => {
    const { id: master_id } = await buildMaster(server)
    await server.deps.db
      .insertInto('oauth_states')
      .values({
        ...{ state_hash: 'h', master_id, email: 'a@example.com', return_url: 'x', verifier_ciphertext: 'y' },
        expires_at: new Date(now + 10 * MINUTE),
      })
      .execute()
    await goesAfter(10 * MINUTE - 1, clearOAuthStates, 'oauth_states')
  })

  test('an unclaimed OAuth result at once, a linked one after a day', async () => {
    await insertOAuthResult(null)
    await insertOAuthResult((await buildHost(server)).id)
    expect(await run(clearOAuthResults)).toBe(1)
    await goesAfter(DAY - 1, clearOAuthResults, 'oauth_results')
  })

  test('a stored answer after a day', async () => {
    const host = await buildHost(server)
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, headers: { 'idempotency-key': 'one' } })
    await goesAfter(DAY, clearIdempotencyKeys, 'idempotency_keys')
  })

  test('a session 30 days after its end, and never a running one', async () => {
    const host = await buildHost(server)
    await call(server, 'POST', '/auth/host/logout', { as: host })
    await server.deps.db.deleteFrom('sessions').where('ended_at', 'is', null).execute()
    await goesAfter(30 * DAY, clearSessions, 'sessions')
    await openSession(server, host.id)
    now += 100 * DAY
    expect(await run(clearSessions)).toBe(0)
  })

  test('a stay 396 days after its end, and never a running one', async () => {
    const host = await buildHost(server)
    await buildPhone(server, host, await buildRoomUser(server, host))
    const leaving = await buildPhone(server, host, await buildRoomUser(server, host))
    await call(server, 'POST', '/mobile/logout', { as: leaving })
    await server.deps.stays.flush()
    now += 396 * DAY + 1
    expect(await run(clearStays)).toBe(1)
    expect(await countOf('stays')).toBe(1)
    await server.deps.rooms.sweep()
    await server.deps.stays.flush()
  })

  test('an audit row after two years', async () => {
    await buildHost(server)
    await goesAfter(731 * DAY, clearAudit, 'audit')
  })

  test('many rows in batches', async () => {
    const keys = Array.from({ length: 2_500 }, (_, index) => ({
      scope: 's',
      key: `${index}`,
      claim: 'c',
      body_hash: 'h',
    }))
    for (let at = 0; at < keys.length; at += 500)
      await server.deps.db
        .insertInto('idempotency_keys')
        .values(keys.slice(at, at + 500).map((key) => ({ ...key, created_at: new Date(now - 2 * DAY) })))
        .execute()
    const stop = new AbortController()
    const { db } = server.deps
    const transaction = db.transaction()
    vi.spyOn(db, 'transaction').mockImplementationOnce(() => {
      stop.abort()
      return transaction
    })
    expect(await clearIdempotencyKeys.run(server.deps, stop.signal)).toBe(1_000)
    expect(await run(clearIdempotencyKeys)).toBe(1_500)
  })
})

describe('an expired session', () => {
  test('ends without another request, and closes its streams', async () => {
    const host = await buildHost(server)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    await call(server, 'GET', '/host/profile', { as: host })
    const ended: (string | null)[] = []
    server.deps.sessions.onEnd((session, reason) => ended.push(`${session.role} ${reason}`))

    now += 2 * HOUR
    expect(await run(endExpiredSessions)).toBe(0) // the row lags behind the cache by up to a minute
    now += 2 * MINUTE + 1
    expect(await run(endExpiredSessions)).toBe(2) // the host's, and the session of the master who created it
    expect(ended.sort()).toEqual(['host expired', 'master expired'])
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).status).toBe(200)
    now += 30 * DAY
    expect(await run(endExpiredSessions)).toBe(1)
    const open = server.deps.db.selectFrom('sessions').selectAll().where('ended_at', 'is', null)
    expect(await open.execute()).toEqual([])
  })
})

describe('the job runner', () => {
  test('frees a job when its node has failed', async () => {
    const { db } = server.deps
    await expect(withJobLock(db, 'a job', () => Promise.reject(new Error('cut off')))).rejects.toThrow('cut off')
    expect(await withJobLock(db, 'a job', async () => 'done')).toBe('done')
  })

  test('runs a job on one of many nodes at a time', async () => {
    let inside = 0
    let most = 0
    const nodes = Array.from({ length: 8 }, () =>
      withJobLock(server.deps.db, 'a job', async (tx) => {
        most = Math.max(most, ++inside)
        for (let query = 0; query < 10; query++) await tx.selectFrom('hosts').select('id').execute()
        inside--
        return 'done'
      }),
    )
    const outcomes = await Promise.all(nodes)
    expect(outcomes).toContain('done')
    expect(most).toBe(1)
  })

  test('runs jobs one after another at start, and continues after one fails', async () => {
    const ran: string[] = []
    const job = (name: string, work: () => Promise<number>): Job => ({
      name,
      every: HOUR,
      async run() {
        ran.push(`${name} begins`)
        const count = await work()
        ran.push(`${name} ends`)
        return count
      },
    })
    const jobs = new JobRunner()
    await jobs.start(server.deps, [
      job('one', async () => {
        await turn()
        return 0
      }),
      job('two', () => Promise.reject(new Error('The database is down'))),
      job('three', async () => 1),
    ])
    while (ran.length < 5) await turn()
    await jobs.close()
    expect(ran).toEqual(['one begins', 'one ends', 'two begins', 'three begins', 'three ends'])
  })

  test('finishes the current step when closing, and starts no other', async () => {
    const ran: string[] = []
    const jobs = new JobRunner()
    await jobs.start(server.deps, [
      {
        name: 'long',
        every: HOUR,
        async run(_deps, signal) {
          while (!signal?.aborted) await turn()
          ran.push('long')
          return 0
        },
      },
      {
        name: 'next',
        every: HOUR,
        async run() {
          ran.push('next')
          return 0
        },
      },
    ])
    await turn()
    await jobs.close()
    expect(ran).toEqual(['long'])
  })

  test('requires a unique name for each job, which is its lock', () => {
    expect(new Set(JOBS.map((job) => job.name)).size).toBe(JOBS.length)
  })
})
