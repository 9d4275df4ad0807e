import { beforeEach, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildRoomUser,
  call,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { addGroup } from '../../../test/factories/groups.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let master: Awaited<ReturnType<typeof buildMaster>>

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 86_400_000
  host = await buildHost(server, { mobile: '+44 20 7946 0000' })
  master = await buildMaster(server)
})

const exported = (id: string, as: { token: string } = master) =>
  server.app.inject({
    url: `/api/admin/hosts/${id}/export`,
    headers: { host: 'localhost:3000', authorization: `Bearer ${as.token}` },
  })

test('the file of a host has its account, history and acts, and no user of its room, master or secret', async () => {
  const other = await buildHost(server)
  const user = await buildRoomUser(server, host, { username: 'Somebody', reference: 'Soprano' })
  const act = (path: string, body?: object) => call(server, 'POST', path, { as: host, ...(body && { body }) })
  await act(`/host/users/${user.id}/mute`)
  await act('/host/users/bulk/delete', { userIds: [user.id, crypto.randomUUID()] })
  await act('/host/assistants', { name: 'Deputy', role: 'manager' })
  await call(server, 'PUT', '/host/app-info', { as: host, body: { message: 'Welcome', password: 'a-phone-password' } })
  await addGroup(server, host, { name: 'Altos', colour: 'red' })
  await addGroup(server, other, { name: 'Of others' })
  const answer = await exported(host.id)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="host-${host.id}.json"`)
  const file = answer.json()
  expect(file).toMatchObject({
    account: { id: host.id, username: host.username, email: host.email, mobile: '+44 20 7946 0000' },
    app_info: { message: 'Welcome' },
    subscription_changes: [{ action: expect.any(String) }],
    user_groups: [{ name: 'Altos', colour: 'red' }],
  })
  const actions = file.audit.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(expect.arrayContaining(['host_created', 'user_mute', 'user_delete', 'app_info_edited']))
  expect(file.audit.at(-1)).toEqual({
    at: expect.any(String),
    by: 'master',
    action: 'host_exported',
  })
  const foreign = [
    user.id,
    'Somebody',
    'Soprano',
    'Deputy',
    'Of others',
    other.id,
    other.username,
    master.id,
    master.email,
  ]
  expect([...foreign, '$argon2', 'a-phone-password'].filter((text) => answer.body.includes(text))).toEqual([])
})

test('is audited, limited to 20 a minute, confirmed, and for masters alone', async () => {
  for (const id of ['x', crypto.randomUUID()]) expect((await exported(id)).statusCode).toBe(404)
  expect((await exported(host.id, host)).statusCode).toBe(403)
  const statuses = await Promise.all(Array.from({ length: 22 }, async () => (await exported(host.id)).statusCode))
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(20)
  expect(statuses).toContain(429)
  const { entries } = await readAudit(server, master, 'action=host_exported&limit=50')
  expect(entries).toHaveLength(statuses.filter((status) => status === 200).length)
  expect(entries[0]).toMatchObject({ actor: { id: master.id }, host_id: host.id, target: { id: host.id } })
  now += 16 * 60_000
  expect((await exported(host.id)).json()).toMatchObject({ code: 'confirm_needed' })
})
