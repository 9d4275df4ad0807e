import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, openSession } from '../factories/accounts.ts'
import { TestSeat } from '../factories/seat.ts'
import { buildZoomHost } from '../zoom/emulated-zoom.ts'
import { type DocumentedCall, documentedCalls } from './documented-calls.ts'
import { buildWorld, exampleRequest, type RouteTestData, sendRequest, tokenOf } from './route-world.ts'

/** These change nothing, or end the session itself. */
const WITHOUT_EFFECT = [
  'POST /api/auth/verify',
  'POST /api/auth/logout',
  'POST /api/auth/host/logout',
  'POST /api/account/confirm/options',
  'POST /api/admin/system/check',
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

test('gives up the seat of its console', async () => {
  const { db } = world.deps
  const host = await buildZoomHost(world)
  const console = { token: await openSession(world, host.id) }
  const seat = new TestSeat(world, console)
  expect((await seat.take()).status).toBe(200)
  expect((await seat.report({ full: true })).status).toBe(200)
  await call(world, 'POST', '/auth/host/logout', { as: console })
  const as = { token: await openSession(world, host.id) }
  const state = async () => (await call(world, 'GET', '/host/attendees', { as })).body.data.seat.state
  await expect.poll(state).toBe('off')
  const seats = db.selectFrom('seats').innerJoin('rooms', 'rooms.id', 'seats.room_id')
  const lease = seats.where('host_id', '=', host.id).select(['seats.seat_id', 'seats.session_id'])
  expect(await lease.executeTakeFirst()).toEqual({ seat_id: null, session_id: null })
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
