import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildRoomUser,
  call,
  readAudit,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let master: SignedIn
let choir: TestHost
let circle: TestHost

beforeEach(async () => {
  master = await buildMaster(server)
  choir = await buildHost(server, { username: 'choir', email: 'anna@choir.example' })
  circle = await buildHost(server, { username: 'circle', email: 'circle@example.com' })
})

const found = async (query: string) =>
  (await readAudit(server, master, `limit=200&${query}`, '/admin/audit')).entries.map(
    ({ action, host_name }) => `${host_name} ${action}`,
  )

describe('GET /api/admin/audit?search=', () => {
  test('finds hosts, assistants, room users and actions by a part of the name, over all hosts', async () => {
    const ravi = await buildRoomUser(server, choir, { username: 'Ravi Kumar', user_id: 'QX77' })
    const mei = await buildRoomUser(server, circle, { username: 'Mei', user_id: 'QX78' })
    await call(server, 'POST', `/host/users/${ravi.id}/mute`, { as: choir })
    const zenobia = await buildAssistant(server, circle, 'moderator', 'Zenobia')
    await call(server, 'POST', `/host/users/${mei.id}/mute`, { as: zenobia })

    expect(await found('search=rAVI%20k')).toEqual(['choir user_mute', 'choir user_created'])
    expect(await found('search=qx78')).toEqual(['circle user_mute', 'circle user_created'])
    expect(await found('search=zenobia')).toEqual(['circle user_mute'])
    const ofChoir = await found('search=anna@choir')
    expect(ofChoir).toEqual(expect.arrayContaining(['choir user_mute', 'choir user_created', 'choir host_created']))
    expect(ofChoir.every((line) => line.startsWith('choir '))).toBe(true)
    expect(await found('search=user%20created')).toEqual(['circle user_created', 'choir user_created'])
    expect(await found('search=user_created&kind=users')).toHaveLength(2)
    expect(await found(`search=user%20created&host_id=${circle.id}`)).toEqual(['circle user_created'])
    expect(await found('search=user%20created&to=2020-01-01')).toEqual([])
  })

  test('pages through what it finds, and takes signs of patterns as they are', async () => {
    const { body } = await call(server, 'GET', '/admin/audit?search=host%20created&limit=1', { as: master })
    expect(body.data.entries).toHaveLength(1)
    const next = await found(`search=host%20created&before=${body.data.next}`)
    expect(next).toEqual(['choir host_created'])
    for (const words of ['%25', "'", 'no one is called this']) expect(await found(`search=${words}`)).toEqual([])
  })

  test('narrows the file too, whose entry in the audit keeps neither words nor names', async () => {
    const answer = await server.app.inject({
      url: '/api/admin/audit?search=circle&format=jsonl',
      headers: { host: 'localhost:3000', authorization: `Bearer ${master.token}` },
    })
    const lines = answer.body.trim().split('\n')
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(JSON.parse(line).host_name).toBe('circle')
    const { entries } = await readAudit(server, master, 'action=audit_exported', '/admin/audit')
    expect(entries[0]?.after).toMatchObject({ format: 'jsonl', searched: true })
    expect(JSON.stringify(entries[0]?.after)).not.toContain('circle')
  })

  test('refuses words that are empty or too long, and a host has no such search', async () => {
    for (const search of ['', '%20', 'x'.repeat(101)])
      expect((await call(server, 'GET', `/admin/audit?search=${search}`, { as: master })).status).toBe(422)
    expect((await call(server, 'GET', '/admin/audit?search=choir', { as: choir })).status).toBe(403)
    const own = await readAudit(server, choir, 'search=circle', '/host/audit')
    expect(own.entries.every(({ host_id }) => host_id === choir.id)).toBe(true)
  })
})
