import { DefaultQueryExecutor } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { documentedCalls } from './documented-calls.ts'
import { buildWorld, type RouteTestData, tokenOf } from './route-world.ts'

let world: RouteTestData

beforeAll(async () => {
  world = await buildWorld()
})
afterAll(() => world.close())

test('an exception inside any call is a 500 without detail, and the process continues', async () => {
  const tokens = new Map<string, string>()
  for (const caller of ['host', 'master', 'phone'] as const) {
    const token = (await tokenOf(world, caller)) ?? ''
    tokens.set(caller, token)
    await world.deps.sessions.find(token) // caches the session, so that the fault strikes behind the guard
  }
  const calls = await documentedCalls(world)
  vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery').mockRejectedValue(
    new Error('boom: select secret from hosts'),
  )
  let faults = 0
  for (const { key: route, method, path } of calls) {
    for (const token of tokens.values()) {
      const answer = await world.app.inject({
        method,
        url: path.replaceAll(/\{\w+\}/g, world.user.id),
        headers: { host: 'localhost', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method !== 'GET' && { payload: '{}' }),
      })
      expect(answer.body, route).not.toMatch(/boom|select secret/)
      if (answer.statusCode < 500) continue
      faults++
      expect(answer.json(), route).toMatchObject({ success: false, message: expect.any(String) })
      if (answer.statusCode === 500) expect(answer.json(), route).toMatchObject({ code: 'internal', request_id: /./ })
    }
  }
  expect(faults).toBeGreaterThan(30)
  vi.restoreAllMocks()
  const alive = await world.app.inject({ url: '/readyz', headers: { host: 'localhost' } })
  expect(alive.statusCode).toBe(200)
})
