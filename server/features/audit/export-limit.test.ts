import { expect, test } from 'vitest'
import { buildHost, buildMaster, call, openSession, readAudit } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

const server = await setup({ now: () => now })

test.each([
  ['/host/audit', 'audit_exported', 'a host', 'csv'],
  ['/host/attendance', 'attendance_exported', 'a host', 'csv'],
  ['/admin/audit', 'audit_exported', 'a master', 'csv'],
  ['/admin/audit', 'audit_exported', 'a master', 'jsonl'],
])('GET %s gives 20 files a minute, and no more rows of %s, to %s (%s)', async (path, action, who, file) => {
  const as = who === 'a host' ? await buildHost(server) : await buildMaster(server)
  const get = (format: string) =>
    server.app.inject({
      url: `/api${path}?format=${format}`,
      headers: { host: 'localhost:3000', authorization: `Bearer ${as.token}` },
    })
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await get(file)).statusCode))
  expect(statuses.toSorted()).toEqual([...Array(20).fill(200), ...Array(10).fill(429)])
  expect((await get('json')).statusCode).toBe(200)
  const log = who === 'a host' ? '/host/audit' : '/admin/audit'
  const { entries } = await readAudit(server, as, `action=${action}&actor=${who.slice(2)}&limit=200`, log)
  expect(entries).toHaveLength(20)
})

test.each(['/host/audit', '/admin/audit'])(
  'GET %s gives 300 pages a minute to a session, and files besides',
  async (path) => {
    const [host, master] = [await buildHost(server), await buildMaster(server)]
    const as = path === '/host/audit' ? host : master
    const other = path === '/host/audit' ? { token: await openSession(server, host.id) } : await buildMaster(server)
    const get = (query = '', by: { token: string } = as) => call(server, 'GET', `${path}?${query}`, { as: by })
    for (let n = 0; n < 300; n++) expect((await get('limit=1')).status).toBe(200)
    expect(await get()).toMatchObject({ status: 429, headers: { 'retry-after': '60' }, body: { code: 'too_many' } })
    expect((await get('', other)).status).toBe(200)
    expect((await get('format=csv')).status).toBe(200)
    now += 60_001
    expect((await get()).status).toBe(200)
  },
)
