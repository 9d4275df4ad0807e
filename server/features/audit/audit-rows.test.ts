import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildRoomUser,
  call,
  readAudit,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let master: Awaited<ReturnType<typeof buildMaster>>
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
  master = await buildMaster(server)
  host = await buildHost(server)
})

const read = (query = '', as: SignedIn = master) => readAudit(server, as, query)

const at = () => new Date(now).toISOString()

describe('audit rows', () => {
  const run = (text: string, settings: Record<string, string> = {}) =>
    server.deps.db.transaction().execute(async (tx) => {
      for (const [name, value] of Object.entries(settings))
        await sql`select set_config(${name}, ${value}, true)`.execute(tx)
      return (await sql.raw(text).execute(tx)).numAffectedRows
    })
  const emptied = 'update audit set before = null, after = null'

  test.each([
    ['changed', "update audit set action = 'host_login'"],
    ['emptied', emptied],
    ['deleted', 'delete from audit'],
    ['truncated', 'truncate audit'],
  ])('cannot be %s', async (_name, text) => {
    await expect(run(text)).rejects.toThrow('Rows of the audit are never changed')
    expect((await read()).entries.length).toBeGreaterThan(0)
  })

  test('can be anonymized while their host is purged, and changed in no other way', async () => {
    const purging = { 'parley.purging_host': host.id }
    const other = await buildHost(server)
    for (const text of [
      `update audit set action = 'host_login' where host_id = '${host.id}'`,
      `update audit set before = null, after = null, at = now() where host_id = '${host.id}'`,
      `update audit set before = null, after = null, ip = '10.0.0.1' where host_id = '${host.id}'`,
      `update audit set before = null, after = '{}' where host_id = '${host.id}'`,
      `${emptied} where host_id = '${other.id}'`,
      `delete from audit where host_id = '${host.id}'`,
      emptied,
    ])
      await expect(run(text, purging)).rejects.toThrow('Rows of the audit are never changed')
    await run(`${emptied}, ip = null where host_id = '${host.id}'`, purging)
    await expect(run(`${emptied} where host_id = '${host.id}'`)).rejects.toThrow('Rows of the audit are never changed')
  })

  test('can be emptied while their user is erased, and changed in no other way', async () => {
    const [user, other] = [await buildRoomUser(server, host), await buildRoomUser(server, host)]
    const act = (path: string, body: object) => call(server, 'POST', path, { as: host, body })
    await act('/host/users/bulk/delete', { userIds: [user.id, other.id] })
    await server.deps.db
      .insertInto('audit')
      .values({ actor_role: 'host', host_id: host.id, action: 'person_erased', target: user.id, after: '{"stays":1}' })
      .execute()
    const erasing = { 'parley.erasing_user': user.id }
    const own = `where target = '${user.id}' and action <> 'person_erased'`
    const lists = `where action = 'user_delete' and target is null`
    for (const text of [
      `update audit set action = 'host_login', before = null, after = null, ip = null ${own}`,
      `${emptied} ${own}`, // the address stays
      `${emptied}, ip = null where target = '${other.id}'`,
      `${emptied}, ip = null where target = '${user.id}'`, // that it was erased stays
      `${emptied}, ip = null ${lists}`,
      `update audit set before = audit_without_user(before, '${other.id}') ${lists}`,
      `delete from audit ${own}`,
    ])
      await expect(run(text, erasing)).rejects.toThrow('Rows of the audit are never changed')
    expect(await run(`${emptied}, ip = null ${own}`, erasing)).toBe(1n)
    expect(await run(`update audit set before = audit_without_user(before, '${user.id}') ${lists}`, erasing)).toBe(1n)
    const [deleted] = (await read('action=user_delete')).entries
    const left = { id: other.id, user_id: other.user_id, username: other.username, reference: null }
    expect(deleted?.before?.users).toEqual(expect.arrayContaining([{ id: user.id }, left]))
    expect(deleted?.before?.users).toHaveLength(2)
    await expect(run(`${emptied}, ip = null ${own}`)).rejects.toThrow('Rows of the audit are never changed')
  })

  test('can be deleted only before the retention date', async () => {
    const kept = { 'parley.audit_kept_from': at() }
    await expect(run('delete from audit', kept)).rejects.toThrow('Rows of the audit are never changed')
    await expect(run('truncate audit', kept)).rejects.toThrow('Rows of the audit are never changed')
    await run('delete from audit', { 'parley.audit_kept_from': new Date(now + 1).toISOString() })
    expect((await read()).entries).toEqual([])
  })
})
