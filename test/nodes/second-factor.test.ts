import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../shared/dates.ts'
import { buildHost, buildMaster, call, PASSWORD, type TestHost } from '../factories/accounts.ts'
import { addTotp, totpCode } from '../factories/second-factor.ts'
import { setupNodes } from './setup.ts'

let ahead = 0
const { a, b } = await setupNodes({ now: () => Date.now() + ahead })

let host: TestHost
beforeEach(async () => {
  ahead += 2 * HOUR_MS
  host = await buildHost(a)
})

const begin = async (node: typeof a) => {
  const body = { username: host.username, password: PASSWORD }
  return (await call(node, 'POST', '/auth/host/login', { body })).body.second_factor.challenge
}
const show = (node: typeof a, challenge: string, code: string, from: string) =>
  call(node, 'POST', '/auth/second-factor', { body: { challenge, code }, from })

describe('two servers', () => {
  test('count wrong codes of an account together, and take a code once', async () => {
    const { secret } = await addTotp(a, host)
    const code = totpCode(secret, a.deps.now())
    const [one, two] = [await begin(a), await begin(b)]
    const both = await Promise.all([show(a, one, code, '203.0.113.1'), show(b, two, code, '203.0.113.2')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const tries = Array.from({ length: 12 }, async (_, count) => {
      const node = count % 2 === 0 ? a : b
      return (await show(node, await begin(node), '000000', `198.51.100.${count}`)).status
    })
    const statuses = await Promise.all(tries)
    expect(statuses.filter((status) => status === 400)).toHaveLength(9) // the code that came twice was the first wrong one
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  })

  test('require a second factor by the rule of either', async () => {
    const master = await buildMaster(a)
    await addTotp(a, master)
    const online = (node: typeof a) => call(node, 'GET', '/host/online-users', { as: host })
    expect((await online(b)).status).toBe(200)
    const body = { require_second_factor: 'masters_and_hosts' }
    expect((await call(a, 'PUT', '/admin/security', { as: master, body })).status).toBe(200)
    expect((await online(a)).status).toBe(403)
    await expect.poll(async () => (await online(b)).body.code).toBe('second_factor_required')
    await addTotp(b, host)
    await expect.poll(async () => (await online(a)).status).toBe(200)
  })
})
