import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { buildHost, buildRoomUser, call, PASSWORD, type TestHost } from '../../../test/factories/accounts.ts'
import { countLockWaits } from '../../../test/servers/lock-waits.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let user: { id: string; username: string }

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
  host = await buildHost(server)
  user = await buildRoomUser(server, host)
  await call(server, 'PUT', '/host/app-info', { as: host, body: { password: PASSWORD } })
})

const MISMATCH = { status: 403, body: { code: 'device_mismatch' } }
const OWNERS = ["a user's phone", "the host's own phone"] as const
type Owner = (typeof OWNERS)[number]

/** Sends `device_secret` as an app of this API does; an older app leaves it out. */
function signIn(owner: Owner, fields: { device_id?: string; device_secret?: string | null; password?: string } = {}) {
  const username = owner === "a user's phone" ? user.username : host.user_id
  const body = { host_id: host.user_id, username, password: PASSWORD, device_id: 'own', platform: 'android', ...fields }
  return call(server, 'POST', '/mobile/login', { body, headers: { 'idempotency-key': 'a-tap' } })
}
const rowOf = (owner: Owner) =>
  owner === "a user's phone" ? { table: 'room_users' as const, id: user.id } : { table: 'hosts' as const, id: host.id }
const report = (as: { token: string }) => call(server, 'POST', '/mobile/status', { as, body: {} })
const clearBinding = (owner: Owner) =>
  owner === "a user's phone"
    ? call(server, 'POST', `/host/users/${user.id}/switch`, { as: host })
    : call(server, 'POST', '/host/profile/change-phone', { as: host })

async function bindPhone(owner: Owner): Promise<{ token: string; device_secret: string }> {
  const { data } = (await signIn(owner, { device_secret: null })).body
  expect((await report(data)).status).toBe(200)
  return data
}

describe.each(OWNERS)('%s', (owner) => {
  test('gets a secret at its binding, and logs in with it from then on', async () => {
    const { device_secret } = await bindPhone(owner)
    expect(Buffer.from(device_secret, 'base64url')).toHaveLength(32)
    for (let again = 0; again < 2; again++) {
      const { status, body } = await signIn(owner, { device_secret })
      expect(status).toBe(200)
      expect(body.data).not.toHaveProperty('device_secret') // the present one stays valid
      expect((await report(body.data)).status).toBe(200)
    }
  })

  test.each([
    ['no secret', {}],
    ['none yet', { device_secret: null }],
    ['an empty one', { device_secret: '' }],
    ['a made-up one', { device_secret: 'x'.repeat(43) }],
    ['its id as the secret', { device_secret: 'own' }],
  ])('cannot be impersonated by its id with %s', async (_what, fields) => {
    const phone = await bindPhone(owner)
    expect(await signIn(owner, fields)).toMatchObject({
      ...MISMATCH,
      body: { message: 'This account is linked to another phone. Ask your host to switch it.' },
    })
    expect((await report(phone)).status).toBe(200) // the attempt did not end its session
    const { device_secret } = phone
    expect(await signIn(owner, { device_id: 'another', device_secret })).toMatchObject(MISMATCH)
    expect((await signIn(owner, { device_secret: '', password: 'wrong' })).body.code).toBe('wrong_credentials')
  })

  test('is not locked out by lost answers; the secret of the last one counts', async () => {
    const lost = (await signIn(owner, { device_secret: null })).body.data.device_secret
    const received = (await signIn(owner, { device_secret: null })).body.data
    expect(received.device_secret).not.toBe(lost)
    await report(received)
    expect(await signIn(owner, { device_secret: lost })).toMatchObject(MISMATCH)
    expect((await signIn(owner, { device_secret: received.device_secret })).status).toBe(200)
  })

  test('keeps a presented secret even if its session was never used', async () => {
    const { device_secret } = (await signIn(owner, { device_secret: null })).body.data
    expect((await signIn(owner, { device_secret })).body.data).not.toHaveProperty('device_secret')
    expect(await signIn(owner, { device_secret: null })).toMatchObject(MISMATCH)
  })

  test('continues as before with an app that has no secrets', async () => {
    for (let again = 0; again < 3; again++) {
      const { status, body } = await signIn(owner)
      expect(status).toBe(200)
      expect((await report(body.data)).status).toBe(200)
    }
    expect(await signIn(owner, { device_id: 'another' })).toMatchObject(MISMATCH)
  })

  test('bound before secrets existed logs in and gets one', async () => {
    await server.deps.db.updateTable(rowOf(owner).table).set({ device_id: 'own' }).execute()
    const { device_secret } = await bindPhone(owner)
    expect(await signIn(owner)).toMatchObject(MISMATCH)
    expect((await signIn(owner, { device_secret })).status).toBe(200)
  })

  test('can be bound again after its binding was cleared, and its old secret is invalid', async () => {
    const old = await bindPhone(owner)
    expect((await clearBinding(owner)).status).toBe(200)
    const stored = await server.deps.db.selectFrom(rowOf(owner).table).selectAll().executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ device_id: null, device_secret_hash: null, device_secret_required: false })

    const next = (await signIn(owner, { device_secret: old.device_secret })).body.data
    await report(next)
    expect(next.device_secret).not.toBe(old.device_secret)
    expect(await signIn(owner, { device_secret: old.device_secret })).toMatchObject(MISMATCH)
    expect((await signIn(owner, { device_secret: next.device_secret })).status).toBe(200)
  })

  test('does not disturb a new binding with its first status call', async () => {
    const { data } = (await signIn(owner, { device_secret: null })).body
    const { table, id } = rowOf(owner)
    const reported = await server.deps.db.transaction().execute(async (tx) => {
      await tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute()
      const answer = { isDue: report(data) } // waits for the lock before it writes
      for (let n = 0; n < 50; n++) await sql`select 1`.execute(tx)
      await tx.updateTable(table).set({ device_id: 'next', device_secret_required: false }).execute()
      await tx
        .updateTable('sessions')
        .set({ ended_at: new Date(now) })
        .where('role', '=', 'phone')
        .execute()
      return answer
    })
    await reported.isDue
    expect((await signIn(owner, { device_id: 'next' })).status).toBe(200)
  })

  test('is signed out at once, also while the first calls of its session run', async () => {
    const { data } = (await signIn(owner, { device_secret: null })).body
    const { table, id } = rowOf(owner)
    const calls = await server.deps.db.transaction().execute(async (tx) => {
      await tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute()
      const answers = [report(data), report(data)]
      await eventually(async () => expect(await countLockWaits(server.deps.db)).toBe(2))
      const phone = owner === "a user's phone" ? { room_user_ids: [id] } : { host_phone_of: id }
      await server.deps.sessions.end(phone, 'signed_in_elsewhere')
      return { answers }
    })
    const ended = { status: 401, body: { reason: 'signed_in_elsewhere' } }
    expect(await Promise.all(calls.answers)).toMatchObject([ended, ended])
    expect(await report(data)).toMatchObject(ended)
  })

  test('may begin its session with several calls at once', async () => {
    const { data } = (await signIn(owner, { device_secret: null })).body
    const answers = await Promise.all([report(data), report(data), report(data)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

test('stores only a hash of a secret, and shows it in no list or history', async () => {
  const { device_secret } = await bindPhone("a user's phone")
  await signIn("a user's phone", { device_secret })
  await signIn("a user's phone")
  await clearBinding("a user's phone")
  await bindPhone("a user's phone")
  await call(server, 'POST', `/host/users/${user.id}/delete`, { as: host })

  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public'`.execute(server.deps.db)
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(server.deps.db)
    expect(JSON.stringify(rows), name).not.toContain(device_secret)
    if (name === 'audit') expect(JSON.stringify(rows)).not.toMatch(/secret/)
  }
  for (const path of ['/host/users', '/host/online-users', '/host/profile'])
    expect(JSON.stringify((await call(server, 'GET', path, { as: host })).body)).not.toMatch(/secret/)
})

test('while others guess, a phone logs in by its secret, not by its id', async () => {
  const { device_secret } = await bindPhone("a user's phone")
  const from = (n: number) => `127.0.1.${n}`
  const body = { host_id: host.user_id, username: user.username, device_id: 'own', platform: 'android' }
  const at = (n: number, fields: object) =>
    call(server, 'POST', '/mobile/login', { body: { ...body, password: 'a guess', ...fields }, from: from(n) })
  for (let n = 0; n < 100; n++) expect((await at(n, {})).status).toBe(400)
  expect((await at(100, {})).status).toBe(429)
  expect((await at(101, { device_secret: null })).status).toBe(429)
  expect((await at(102, { password: PASSWORD, device_secret })).status).toBe(200)
})
