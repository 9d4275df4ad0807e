import { beforeEach, describe, expect, test } from 'vitest'
import { AuditEntry } from '../../../shared/audit.ts'
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

let host: TestHost

const server = await setup()
beforeEach(async () => {
  host = await buildHost(server)
})

async function lines(path: string, as: SignedIn): Promise<AuditEntry[]> {
  const answer = await server.app.inject({
    url: `/api${path}`,
    headers: { host: 'localhost:3000', authorization: `Bearer ${as.token}` },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  expect(answer.headers['content-disposition']).toBe('attachment; filename="audit.jsonl"')
  expect(answer.body.endsWith('\n')).toBe(true)
  return answer.body
    .trimEnd()
    .split('\n')
    .map((line) => AuditEntry.parse(JSON.parse(line)))
}

describe('GET /api/admin/audit?format=jsonl', () => {
  test('a master gets the entries of the JSON answer, oldest first, all pages of them, and the file is audited', async () => {
    const master = await buildMaster(server)
    for (let time = 0; time < 60; time++) await call(server, 'POST', '/host/trigger-bulk-mute/unmute', { as: host })
    const listed = await readAudit(server, master, 'limit=200')
    const written = await lines('/admin/audit?format=jsonl&limit=1', master)
    expect(written.slice(0, -1)).toEqual(listed.entries.toReversed())
    expect(written.at(-1)).toMatchObject({ action: 'audit_exported', after: { format: 'jsonl' } })
  })

  test('filters narrow it, also to one user', async () => {
    const user = await buildRoomUser(server, host)
    const other = await buildRoomUser(server, host)
    const userIds = [user.id, other.id]
    const actions = Array.from({ length: 60 }, (_, time) => (time % 2 === 0 ? 'mute' : 'unmute'))
    for (const action of actions)
      await call(server, 'POST', `/host/users/bulk/${action}`, { as: host, body: { userIds } })
    await call(server, 'POST', `/host/users/${other.id}/unmute`, { as: host })
    const written = await lines(`/admin/audit?format=jsonl&user=${user.id}`, await buildMaster(server))
    expect(written.map(({ action }) => action)).toEqual(['user_created', ...actions.map((action) => `user_${action}`)])
    const nothing = await server.app.inject({
      url: '/api/admin/audit?format=jsonl&to=2020-01-01',
      headers: { host: 'localhost:3000', authorization: `Bearer ${(await buildMaster(server)).token}` },
    })
    expect([nothing.statusCode, nothing.body]).toEqual([200, ''])
  })
})

test('a host gets its own rows alone, without which master acted', async () => {
  const other = await buildHost(server)
  const written = await lines('/host/audit?format=jsonl', host)
  expect(written.map(({ host_id }) => host_id).filter((id) => id !== host.id)).toEqual([])
  expect(written[0]).toMatchObject({
    action: 'subscription_created',
    actor: { role: 'master', id: null, name: null },
    ip: null,
  })
  expect(JSON.stringify(written)).not.toContain(other.id)
})
