import { randomUUID } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { DefaultQueryExecutor } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildHost, buildMaster, buildRoomUser, call, openSession, PASSWORD } from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'
import { sha256 } from '../lib/secrets.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })

async function extending() {
  const master = await buildMaster(server)
  const host = await buildHost(server)
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

test('a repeat gets the first answer and has no second effect', async () => {
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

test('simultaneous repeats have one effect and one answer', async () => {
  const { extend, changes } = await extending()
  const before = await changes()
  const answers = await Promise.all(Array.from({ length: 8 }, () => extend('key-1')))
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
  expect(await changes()).toBe(before + 1)
})

/** Skips pauses of up to a second and runs `during` in each. Returns their intended lengths. */
function skipPauses(during: (pause: number) => unknown = () => {}): number[] {
  const pauses: number[] = []
  const pause = timers.setTimeout
  const skip: typeof pause = async (ms = 0, value, options) => {
    if (ms > 1_000) return pause(ms, value, options)
    pauses.push(ms)
    await during(pauses.length)
    return value as never
  }
  vi.spyOn(timers, 'setTimeout').mockImplementation(skip)
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  return pauses
}

test('a repeat waits for the first call at this server, and asks the database only before and after', async () => {
  const { extend, changes } = await extending()
  const before = await changes()
  const pauses = skipPauses()
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reads: string[] = []
  const execute = DefaultQueryExecutor.prototype.executeQuery
  vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery').mockImplementation(async function (
    this: DefaultQueryExecutor,
    query,
    options,
  ) {
    if (query.sql.startsWith('select * from "idempotency_keys"')) {
      const found = await execute.call(this, query, options)
      reads.push(query.sql)
      if (reads.length === 7) go.resolve() // all have seen that the first call still runs
      return found
    }
    if (query.sql.startsWith('insert into "subscription_changes"')) {
      begun.resolve()
      await go.promise
    }
    return execute.call(this, query, options)
  })
  const first = extend('key-1')
  await begun.promise
  const repeats = Array.from({ length: 7 }, () => extend('key-1'))
  expect((await first).status).toBe(200)
  const answers = (await Promise.all(repeats)).map(({ body }) => body)
  expect(answers).toEqual(Array(7).fill((await first).body))
  expect([pauses, reads.length]).toEqual([[], 14])
  expect(await changes()).toBe(before + 1)
})

test('a repeat of a call at another server asks the database less and less often', async () => {
  const { extend } = await extending()
  const first = await extend('key-1')
  const setStatus = (status: number | null) => server.deps.db.updateTable('idempotency_keys').set({ status }).execute()
  await setStatus(null)
  const pauses = skipPauses(async (pause) => pause === 7 && (await setStatus(200)))
  expect(await extend('key-1')).toMatchObject({ status: 200, body: first.body })
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_000, 1_000])
})

test('refuses the same key with another body', async () => {
  const { extend, changes } = await extending()
  await extend('key-1', 1)
  const before = await changes()
  expect(await extend('key-1', 3)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  expect(await changes()).toBe(before)
})

test('a key can be used again after a day', async () => {
  const host = await buildHost(server)
  const mute = async () => {
    const as = { token: await openSession(server, host.id) }
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

const keptKeys = async () => (await server.deps.db.selectFrom('idempotency_keys').select('key').execute()).length

test('keeps no key of a call that is refused before it has an effect', async () => {
  const host = await buildHost(server)
  const user = await buildRoomUser(server, host)
  const headers = { 'idempotency-key': 'key-1' }
  const mute = (id: string) => call(server, 'POST', `/host/users/${id}/mute`, { as: host, headers })
  const edit = (body: object) => call(server, 'PUT', `/host/users/${user.id}`, { as: host, headers, body })
  expect((await mute(randomUUID())).status).toBe(404)
  expect((await edit({})).status).toBe(422)
  expect(await keptKeys()).toBe(0)
  expect((await mute(user.id)).status).toBe(200) // the key is unused
  expect(await keptKeys()).toBe(1)
})

test('writes nothing for a call that a limit refuses', async () => {
  const host = await buildHost(server)
  const user = await buildRoomUser(server, host)
  const mute = (key: string) =>
    call(server, 'POST', `/host/users/${user.id}/mute`, { as: host, headers: { 'idempotency-key': key } })
  for (let n = 0; n < 20; n++) expect((await mute(`key-${n}`)).status).toBe(200)
  const inserted: string[] = []
  const execute = DefaultQueryExecutor.prototype.executeQuery
  vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery').mockImplementation(function (
    this: DefaultQueryExecutor,
    query,
    options,
  ) {
    if (/^(insert|update|delete)/.test(query.sql)) inserted.push(query.sql)
    return execute.call(this, query, options)
  })
  expect((await mute('key-20')).status).toBe(429)
  vi.restoreAllMocks()
  expect(inserted).toEqual([])
})

test('keeps the newest 1,000 answers of one caller', async () => {
  const [host, other] = [await buildHost(server), await buildHost(server)]
  const mute = (as: typeof host, key: string) =>
    call(server, 'POST', '/host/trigger-bulk-mute/mute', { as, headers: { 'idempotency-key': key } })
  await mute(other, 'of another')
  await mute(host, 'oldest')
  const { scope } = await server.deps.db
    .selectFrom('idempotency_keys')
    .select('scope')
    .where('key', '=', 'oldest')
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: 999 }, (_, n) => ({ scope, key: `${n}`, claim: 'c', body_hash: 'h', status: 200 }))
  await server.deps.db
    .insertInto('idempotency_keys')
    .values(rows.map((row) => ({ ...row, created_at: new Date(now + 1) })))
    .execute()
  now += 2
  await mute(host, 'newest')
  const keys = (await server.deps.db.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key)
  expect(keys).toHaveLength(1_001)
  expect(keys).toContain('newest')
  expect(keys).toContain('of another')
  expect(keys).not.toContain('oldest')
})

test('keys of two callers do not collide, and answers are stored encrypted', async () => {
  const [one, other] = [await buildHost(server), await buildHost(server)]
  const add = (as: typeof one) =>
    call(server, 'POST', '/host/users', {
      as,
      body: { username: 'amina', user_id: 'U000001', password: 'lamp' },
      headers: { 'idempotency-key': 'key-1' },
    })
  const [mine, theirs] = [await add(one), await add(other)]
  expect(mine.body.data.user.id).not.toBe(theirs.body.data.user.id)
  const rows = await server.deps.db.selectFrom('idempotency_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('amina')
})

describe('a repeat after a lost answer', () => {
  const lost = { status: 409, body: { code: 'conflict', message: expect.stringContaining('its answer was lost') } }

  /** Makes the database unreachable for this statement. */
  function failTo(statement: string) {
    const execute = DefaultQueryExecutor.prototype.executeQuery
    vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery').mockImplementation(function (
      this: DefaultQueryExecutor,
      query,
      options,
    ) {
      if (query.sql.startsWith(statement)) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
      return execute.call(this, query, options)
    })
  }

  const KEEP = '\n    with superseded'

  test.each([
    ['extending a subscription', async () => (await extending()).extend],
    [
      'muting everyone',
      async () => {
        const host = await buildHost(server)
        return (key: string) => {
          const headers = { 'idempotency-key': key }
          return call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, headers })
        }
      },
    ],
  ])('does not execute again: %s', async (_what, prepare) => {
    const act = await prepare()
    const acts = async () => (await server.deps.db.selectFrom('audit').select('id').execute()).length
    const before = await acts()
    failTo(KEEP)
    expect((await act('key-1')).status).toBe(200)
    vi.restoreAllMocks()
    now += 61_000
    expect(await act('key-1')).toMatchObject(lost)
    expect(await acts()).toBe(before + 1)
  })

  test('executes a call that failed before its effect', async () => {
    const { extend, changes } = await extending()
    const before = await changes()
    failTo('insert into "subscription_changes"')
    expect((await extend('key-1')).status).toBe(503)
    vi.restoreAllMocks()
    expect(await changes()).toBe(before)
    expect((await extend('key-1')).status).toBe(200)
    expect((await extend('key-1')).status).toBe(200)
    expect(await changes()).toBe(before + 1)
  })

  test('does not execute a call that failed after its effect', async () => {
    const { extend, changes } = await extending()
    const before = await changes()
    failTo('select "hosts".*')
    expect((await extend('key-1')).status).toBe(503)
    vi.restoreAllMocks()
    expect(await extend('key-1')).toMatchObject(lost)
    expect(await changes()).toBe(before + 1)
  })

  test('waits a minute for a call that was interrupted before its effect, then executes it', async () => {
    const { extend, changes } = await extending()
    const before = await changes()
    await extend('key-1')
    const cutOff = { status: null, response_ciphertext: null, has_effect: false }
    await server.deps.db.updateTable('idempotency_keys').set(cutOff).execute()
    now += 61_000
    expect((await extend('key-1')).status).toBe(200)
    expect(await changes()).toBe(before + 2)
    expect((await extend('key-1')).status).toBe(200)
    expect(await changes()).toBe(before + 2)
  })
})

test('never replays a revealed password, which is current, audited, and ends with the user', async () => {
  const host = await buildHost(server)
  const user = await buildRoomUser(server, host)
  const headers = { 'idempotency-key': 'key-1' }
  const reveal = () => call(server, 'POST', `/host/users/${user.id}/credentials`, { as: host, headers })
  const reveals = async () =>
    (await server.deps.db.selectFrom('audit').select('id').where('action', '=', 'user_credentials_revealed').execute())
      .length
  expect((await reveal()).body.data.password).toBe(PASSWORD)
  const { username, user_id } = user
  const body = { username, user_id, password: 'another one' }
  expect((await call(server, 'PUT', `/host/users/${user.id}`, { as: host, body })).status).toBe(200)
  expect((await reveal()).body.data.password).toBe('another one')
  expect(await reveals()).toBe(2)
  await call(server, 'POST', `/host/users/${user.id}/delete`, { as: host })
  expect((await reveal()).status).toBe(404)
})

test('stores a keyed hash of the body, which cannot be guessed', async () => {
  const host = await buildHost(server)
  const body = { username: 'amina', user_id: 'U000001', password: 'lamp' }
  const headers = { 'idempotency-key': 'key-1' }
  await call(server, 'POST', '/host/users', { as: host, body, headers })
  const { body_hash } = await server.deps.db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow()
  const text = JSON.stringify([{}, {}, body])
  expect(body_hash).not.toBe(sha256(text))
  expect(body_hash).toBe(server.deps.secrets.sign('idempotent-bodies', text))
})
