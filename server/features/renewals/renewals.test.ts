import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, type SignedIn, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')
const clock = { now: NOW }
const server = await setup({ now: () => clock.now })
const at = (days: number) => new Date(NOW + days * DAY).toISOString()

let master: SignedIn
const built: Record<string, TestHost> = {}

async function hostEnding(username: string, days: number): Promise<void> {
  const host = await buildHost(server, { username, mobile: '+44 20 7946 0958' })
  await server.deps.db
    .updateTable('hosts')
    .set({ subscription_type: 3, subscription_end_date: new Date(at(days)) })
    .where('id', '=', host.id)
    .execute()
  built[username] = host
}

async function addHosts(): Promise<void> {
  await hostEnding('in-31-days', 31)
  await hostEnding('in-30-days', 30)
  await hostEnding('=tomorrow', 0.5)
  await hostEnding('long-ago', -31)
  await hostEnding('last-week', -7)
  await hostEnding('was-cancelled', 2)
  await hostEnding('was-deleted', 3)
  for (const [name, path, method] of [
    ['was-cancelled', '/cancel-subscription', 'POST'],
    ['was-deleted', '', 'DELETE'],
  ] as const)
    expect((await call(server, method, `/admin/hosts/${built[name]?.id}${path}`, { as: master })).status).toBe(200)
}

beforeEach(async () => {
  clock.now = NOW
  master = await buildMaster(server)
})

const get = (path: string) => call(server, 'GET', path, { as: master })
const csv = () =>
  server.app.inject({
    url: '/api/admin/renewals?format=csv&days=30',
    headers: { host: 'master.localhost:3000', authorization: `Bearer ${master.token}` },
  })

describe('GET /api/admin/renewals', () => {
  test('lists who ends soon and who ended and was not renewed, earliest first', async () => {
    await addHosts()
    const { body } = await get('/admin/renewals')
    expect(
      body.data.hosts.map(({ username, days_left }: { username: string; days_left: number }) => [username, days_left]),
    ).toEqual([
      ['last-week', -7],
      ['=tomorrow', 1],
      ['in-30-days', 30],
    ])
    expect(body.data.hosts[0]).toEqual({
      id: built['last-week']?.id,
      username: 'last-week',
      email: built['last-week']?.email,
      mobile: '+44 20 7946 0958',
      subscription_type: 3,
      subscription_status: 'expired',
      subscription_end_date: at(-7),
      days_left: -7,
    })
    expect((await get('/admin/renewals?days=1')).body.data.hosts).toMatchObject([{ username: '=tomorrow' }])
    expect((await get('/admin/renewals?days=366')).body.data.hosts).toHaveLength(5)
  })

  test('leaves out whoever was extended', async () => {
    await hostEnding('=tomorrow', 0.5)
    await hostEnding('renewed', -1)
    const { id } = built.renewed ?? {}
    const extension = { additional_months: 12, expect: { subscription_end_date: at(-1) } }
    const extend = () => call(server, 'POST', `/admin/hosts/${id}/extend-subscription`, { as: master, body: extension })
    expect((await get('/admin/renewals?days=2')).body.data.hosts).toMatchObject([
      { username: 'renewed' },
      { username: '=tomorrow' },
    ])
    expect((await extend()).status).toBe(200)
    expect(await extend()).toMatchObject({ status: 409, body: { code: 'state_changed' } })
    expect((await get('/admin/renewals?days=2')).body.data.hosts).toMatchObject([{ username: '=tomorrow' }])
  })

  test('is a file too, with formulas neutralized, in the audit', async () => {
    await hostEnding('=tomorrow', 0.5)
    const { headers, body } = await csv()
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="renewals-2026-11-20.csv"',
    })
    const [head, ...lines] = body.split('\r\n').slice(0, -1)
    expect(head).toBe(
      '\uFEFFid,username,email,mobile,subscription_type,subscription_status,subscription_end_date,days_left',
    )
    expect(lines).toEqual([expect.stringContaining(",'=tomorrow,")])
    expect((await get('/admin/audit?action=renewals_exported')).body.data.entries).toMatchObject([
      { after: { days: 30 } },
    ])
  })

  test.each(['days=0', 'days=367', 'days=1.5', 'days=x', 'format=xml'])('refuses %s', async (query) => {
    expect((await get(`/admin/renewals?${query}`)).status).toBe(422)
  })

  test('gives 20 files a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 21 }, csv))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(20).fill(200), 429])
  })
})

describe('GET /api/admin/renewals/sold', () => {
  test('counts by months of UTC, with those that had no sale', async () => {
    await server.deps.db.deleteFrom('subscription_changes').execute()
    const sell = async (when: string, months: number) => {
      clock.now = Date.parse(when)
      master = await buildMaster(server)
      const { body } = await call(server, 'POST', '/admin/hosts/integrate', {
        as: master,
        body: {
          email: `${when}@parley.example`.replaceAll(':', '-'),
          username: `h${when}`,
          password: 'lantern-1',
          subscription_type: months,
        },
      })
      return body.data.id as string
    }
    const first = await sell('2026-08-31T23:59:59.999Z', 12)
    const second = await sell('2026-09-01T00:00:00.000Z', 3)
    await call(server, 'POST', `/admin/hosts/${first}/extend-subscription`, {
      as: master,
      body: { additional_months: 6 },
    })
    clock.now = NOW
    master = await buildMaster(server)
    const edit = { subscription_action: 'reduce', subscription_months: 2, subscription_end_date: '2027-07-01' }
    expect((await call(server, 'PUT', `/admin/hosts/${first}`, { as: master, body: edit })).status).toBe(200)
    await call(server, 'POST', `/admin/hosts/${second}/cancel-subscription`, { as: master })

    const none = { extensions: 0, new: 0, months_sold: 0, cancelled: 0 }
    expect((await get('/admin/renewals/sold?months=4')).body.data.months).toEqual([
      { ...none, month: '2026-08', new: 1, months_sold: 12 },
      { month: '2026-09', extensions: 1, new: 1, months_sold: 9, cancelled: 0 },
      { ...none, month: '2026-10' },
      { ...none, month: '2026-11', months_sold: -2, cancelled: 1 },
    ])
    expect((await get('/admin/renewals/sold?months=2')).body.data.months).toHaveLength(2)
    const year = (await get('/admin/renewals/sold')).body.data.months
    expect([year.length, year[0].month, year[11].month]).toEqual([12, '2025-12', '2026-11'])
  })

  test.each(['months=0', 'months=61', 'months=x'])('refuses %s', async (query) => {
    expect((await get(`/admin/renewals/sold?${query}`)).status).toBe(422)
  })
})
