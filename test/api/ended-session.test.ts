import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DocumentedCall, documentedCalls } from './documented-calls.ts'
import { buildWorld, exampleRequest, type RouteTestData, sendRequest, tokenOf } from './route-world.ts'

/** These change nothing, or end the session itself. */
const WITHOUT_EFFECT = [
  'POST /api/auth/verify',
  'POST /api/auth/logout',
  'POST /api/auth/host/logout',
  'POST /api/account/confirm/options',
  'POST /api/host/cleanup-stale-users',
  'POST /api/mobile/sse-session',
  'POST /api/mobile/host-mute-all-status',
]

let world: RouteTestData
beforeAll(async () => {
  world = await buildWorld()
})
afterAll(() => world.close())

test('no act of a console takes effect after its session has ended, even if its call was let in before', async () => {
  const acts = (await documentedCalls(world)).filter(
    ({ method, operation, key }) =>
      method !== 'GET' &&
      operation['x-roles'].some((access) => access === 'host' || access === 'master') &&
      !WITHOUT_EFFECT.includes(key),
  )
  expect(acts.length).toBeGreaterThan(25)
  const let_in: unknown[] = []
  for (const act of acts) {
    const { status, body, audited } = await callAsItsSessionEnds(act)
    if (status !== 401 || body.code !== 'not_signed_in' || audited !== 0)
      let_in.push(`${act.key}: ${status} ${JSON.stringify(body)} ${audited}`)
  }
  expect(let_in).toEqual([])
})

async function callAsItsSessionEnds({ key, method, operation }: DocumentedCall) {
  const route = key.replaceAll(/\{(\w+)\}/g, ':$1')
  const { db, sessions } = world.deps
  const token = (await tokenOf(world, operation['x-roles'].includes('host') ? 'host' : 'master')) ?? ''
  const request = await exampleRequest(world, route)
  const session = await sessions.find(token) // the server lets the call in by what it remembers
  await db
    .updateTable('sessions')
    .set({ ended_at: new Date(), end_reason: 'password_changed' })
    .where('id', '=', session?.id ?? '')
    .execute()
  const count = async () => (await db.selectFrom('audit').select('id').execute()).length
  const before = await count()
  const { status, body } = await sendRequest(world, method, request, token)
  return { status, body, audited: (await count()) - before }
}
