import { expect, test } from 'vitest'
import { buildHost, buildMaster, readAudit } from '../../../test/factories.ts'
import { setup } from '../../../test/setup.ts'

const server = await setup({ now: () => Date.parse('2026-11-21T10:00:00Z') })

test.each([
  ['/host/audit', 'audit_exported', 'a host'],
  ['/host/attendance', 'attendance_exported', 'a host'],
  ['/admin/audit', 'audit_exported', 'a master'],
])('GET %s gives 20 files a minute, and no more rows of %s, to %s', async (path, action, who) => {
  const as = who === 'a host' ? await buildHost(server) : await buildMaster(server)
  const get = (format: string) =>
    server.app.inject({
      url: `/api${path}?format=${format}`,
      headers: { host: 'localhost:3000', authorization: `Bearer ${as.token}` },
    })
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await get('csv')).statusCode))
  expect(statuses.toSorted()).toEqual([...Array(20).fill(200), ...Array(10).fill(429)])
  expect((await get('json')).statusCode).toBe(200)
  const log = who === 'a host' ? '/host/audit' : '/admin/audit'
  const { entries } = await readAudit(server, as, `action=${action}&actor=${who.slice(2)}&limit=200`, log)
  expect(entries).toHaveLength(20)
})
