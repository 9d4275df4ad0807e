import { beforeEach, describe, expect, test } from 'vitest'
import { parseCsv } from '../../../shared/parse-csv.ts'
import {
  buildHost,
  buildMaster,
  buildRoomUser,
  call,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let host: TestHost

const server = await setup()
beforeEach(async () => {
  host = await buildHost(server)
})

async function csv(path: string, as: SignedIn) {
  const answer = await server.app.inject({
    url: `/api${path}`,
    headers: { host: 'localhost:3000', authorization: `Bearer ${as.token}` },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toContain('text/csv')
  expect(answer.headers['content-disposition']).toBe('attachment; filename="audit.csv"')
  const [heads, ...rows] = parseCsv(answer.body).map(({ cells }) => cells)
  return {
    text: answer.body,
    rows: rows.map((cells) => Object.fromEntries((heads ?? []).map((head, i) => [head, cells[i]]))),
  }
}

describe('GET /api/host/audit?format=csv', () => {
  test('a host gets all pages of its own audit in one file', async () => {
    const other = await buildHost(server)
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: other })
    const ids = Array.from({ length: 150 }, (_, index) => ({
      username: `p${index}`,
      user_id: `P-${index}`,
      password: 'lamp',
    }))
    for (const users of [ids.slice(0, 100), ids.slice(100)])
      await call(server, 'POST', '/host/users/import', { as: host, body: { users } })
    for (let time = 0; time < 60; time++) await call(server, 'POST', '/host/trigger-bulk-mute/unmute', { as: host })

    const { rows } = await csv('/host/audit?format=csv&limit=1', host)
    const counted = (action: string) => rows.filter((row) => row.action === action).length
    expect([counted('user_created'), counted('unmute_all'), counted('mute_all')]).toEqual([150, 60, 0])
    expect(rows[0]).toMatchObject({ action: 'audit_exported', actor_role: 'host', actor: host.username })
    expect(rows.at(-1)).toMatchObject({ actor_role: 'master', actor: '', ip: '' })
  })

  test.each(['/host/audit', '/host/attendance', '/host/attendance?table=stays'])(
    'a file of %s reads no page while another file of the host reads one',
    async (path) => {
      const other = await buildHost(server)
      const { promise: held, resolve: go } = Promise.withResolvers<void>()
      const reading = server.deps.filePages.run(`host:${host.id}`, () => held)
      const get = (as: SignedIn) => call(server, 'GET', `${path}${path.includes('?') ? '&' : '?'}format=csv`, { as })
      const order: string[] = []
      const waiting = get(host).then(({ status }) => order.push(`host ${status}`))
      await get(other)
      await get(other).then(({ status }) => order.push(`other ${status}`))
      order.push('page read')
      go()
      await Promise.all([reading, waiting])
      expect(order).toEqual(['other 200', 'page read', 'host 200'])
    },
  )

  test('filters narrow the file, and formulas in it are neutralized', async () => {
    await buildRoomUser(server, host, { username: '=cmd|1', reference: '@SUM(A1)' })
    const { rows, text } = await csv('/host/audit?format=csv&action=user_created', host)
    expect(rows).toMatchObject([{ action: 'user_created', target: '=cmd|1' }])
    expect(text).toContain("'=cmd|1")
    expect((await csv('/host/audit?format=csv&to=2020-01-01', host)).rows).toEqual([])
  })

  test('a master gets the audit of all hosts', async () => {
    const other = await buildHost(server)
    const master = await buildMaster(server)
    const { rows } = await csv('/admin/audit?format=csv&action=host_created', master)
    expect(rows.map((row) => row.host)).toEqual([other.username, host.username])
    expect(await call(server, 'GET', '/admin/audit?action=audit_exported', { as: master })).toMatchObject({
      body: { data: { entries: [{ actor: { role: 'master' }, after: { action: 'host_created' } }] } },
    })
  })

  test.each(['/host/audit?format=xml', '/admin/audit?format='])('refuses %s', async (path) => {
    const as = path.startsWith('/host') ? host : await buildMaster(server)
    expect(await call(server, 'GET', path, { as })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'format' }] },
    })
  })
})
