import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, type SignedIn, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')
let clock = NOON
let master: SignedIn
let host: TestHost

const server = await setup({ now: () => clock++ })
beforeEach(async () => {
  clock = NOON
  master = await buildMaster(server)
  host = await buildHost(server, { subscription_type: 1 })
})

const extend = (additional_months: unknown, headers: Record<string, string> = {}, as = master) =>
  call(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, { as, body: { additional_months }, headers })
const history = async () =>
  (await call(server, 'GET', `/admin/hosts/${host.id}/subscription-history`, { as: master })).body.data.history

describe('POST /api/admin/hosts/:id/extend-subscription', () => {
  test('records every change with its actor, time, and values before and after', async () => {
    expect((await extend(3)).body).toMatchObject({
      success: true,
      message: 'Subscription extended by 3 months',
      data: { subscription_end_date: expect.stringMatching(/^2027-03-21/), subscription_status: 'active' },
    })
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
    const [cancelled, extended, created] = await history()
    expect([created.action, extended.action, cancelled.action]).toEqual(['created', 'extended', 'cancelled'])
    expect(extended).toMatchObject({ before: { subscription_end_date: expect.stringMatching(/^2026-12-21/) } })
    expect(cancelled).toMatchObject({ after: { subscription_status: 'cancelled' } })
  })

  test('two extensions with one Idempotency-Key count once, fifty without one count fifty times', async () => {
    const key = { 'idempotency-key': 'a-click' }
    const twice = await Promise.all([extend(1, key), extend(1, key)])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect(twice[0]?.body).toEqual(twice[1]?.body)
    expect(await history()).toHaveLength(2)

    const fifty = await Promise.all(Array.from({ length: 50 }, () => extend(1)))
    expect(fifty.every(({ status }) => status === 200)).toBe(true)
    expect(await history()).toHaveLength(52)
    const { body } = await call(server, 'GET', '/host/subscription', { as: host })
    expect(body.data.subscription_end_date).toMatch(/^2031-03-21/) // one month, and fifty-one more
  })

  test('serializes simultaneous extensions and cancellations', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        extend(1),
        call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master }),
        extend(3),
      ])
      const rows: { before: object; after: object }[] = (await history()).toReversed()
      for (const [index, row] of rows.entries()) {
        if (index > 0) expect(row.before).toEqual(rows[index - 1]?.after)
      }
    }
  })

  test.each([[0], [-1], [7], [1.5], ['3'], [null], [undefined]])('refuses %j months', async (months) => {
    expect((await extend(months)).status).toBe(422)
    expect(await history()).toHaveLength(1)
  })

  test('refuses hosts, and returns 404 for an unknown host', async () => {
    expect((await extend(1, {}, host)).status).toBe(403)
    const absent = await call(server, 'POST', '/admin/hosts/00000000-0000-4000-8000-000000000000/extend-subscription', {
      as: master,
      body: { additional_months: 1 },
    })
    expect(absent.status).toBe(404)
  })
})

describe('POST /api/admin/hosts/:id/cancel-subscription', () => {
  const cancel = (body?: unknown) =>
    call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master, body })
  const seeing = (subscription_end_date: unknown) => ({ expect: { subscription_end_date } })

  test('cancels nothing if the end date is another than was seen', async () => {
    const seen = host.subscription_end_date
    await extend(1)
    expect(await cancel(seeing(seen))).toMatchObject({
      status: 409,
      body: {
        code: 'state_changed',
        message: 'This subscription was just changed. Check the new end date before cancelling it.',
      },
    })
    expect((await history())[0].action).toBe('extended')
    const [extended] = await history()
    expect((await cancel(seeing(extended.after.subscription_end_date))).status).toBe(200)
  })

  test('a press whose answer was lost may be repeated', async () => {
    const seen = host.subscription_end_date
    for (let press = 0; press < 2; press++) expect((await cancel(seeing(seen))).status).toBe(200)
    expect(await history()).toHaveLength(2)
  })

  test('cancels whatever there is without a word of what was seen', async () => {
    expect((await cancel()).status).toBe(200)
    await extend(1)
    expect((await cancel({})).status).toBe(200)
  })

  test.each([['yesterday'], [5], [undefined]])('refuses the end date %j', async (end) => {
    expect((await cancel(seeing(end))).status).toBe(422)
    expect(await history()).toHaveLength(1)
  })
})
