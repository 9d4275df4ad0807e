import { CompiledQuery, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { buildHost, buildMaster, buildRoomUser, readAudit } from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'

const server = await setup()
const ENTRIES = 20_000
const NOBODY = '00000000-0000-4000-8000-0000000000ff'

const Plan = z.object({
  'Relation Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  get Plans() {
    return z.array(Plan).optional()
  },
})
const Explained = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan })]) })

/** Returns how many rows of the audit a query reads. */
function rowsReadBy(plan: z.infer<typeof Plan>): number {
  const own = plan['Relation Name'] === 'audit' ? plan['Actual Rows'] + plan['Rows Removed by Filter'] : 0
  return own * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, inner) => sum + rowsReadBy(inner), 0)
}

test.each([
  ['/host/audit', `user=${NOBODY}`],
  ['/admin/audit', `user=${NOBODY}`],
  ['/admin/audit', 'search=zenobia'],
])('a search at %s with %s reads few entries of a large log', async (path, search) => {
  const { db } = server.deps
  const host = await buildHost(server)
  await sql`
    insert into audit (actor_role, actor_id, host_id, action, target, before, after)
    select 'host', ${host.id}, ${host.id}::uuid, 'user_mute', 'user ' || n % 900, '{"is_muted": false}', '{"is_muted": true}'
    from generate_series(1, ${ENTRIES}::int) n`.execute(db)
  const sent = vi.spyOn(db.getExecutor(), 'executeQuery')
  const as = path.startsWith('/host') ? host : await buildMaster(server)
  await buildRoomUser(server, host, { username: 'Zenobia' })
  const { entries } = await readAudit(server, as, search, path)
  expect(entries).toHaveLength(search.startsWith('user') ? 0 : 1)
  const [query] = sent.mock.calls
    .map(([{ sql, parameters }]) => ({ sql, parameters }))
    .filter(({ sql }) => sql.includes('"audit"') && sql.startsWith('select'))
  sent.mockRestore()
  const explained = await db.executeQuery(
    CompiledQuery.raw(`explain (analyze, format json) ${query?.sql}`, [...(query?.parameters ?? [])]),
  )
  const [row] = explained.rows
  expect(rowsReadBy(Explained.parse(row)['QUERY PLAN'][0].Plan)).toBeLessThan(100)
})
