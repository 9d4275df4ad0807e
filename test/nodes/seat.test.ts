import { beforeEach, expect, test } from 'vitest'
import { buildHost, buildRoomUser, call, openSession, requestStream, type TestHost } from '../factories/accounts.ts'
import { seen, TestSeat } from '../factories/seat.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodes, type TestNode } from './setup.ts'

let ahead = 0
const { a, b, start } = await setupNodes({ now: () => Date.now() + ahead })

let host: TestHost
let seat: TestSeat
beforeEach(async () => {
  host = await buildHost(a)
  seat = new TestSeat(a, host)
  await hold()
})

/** Gives the seat to the console without asking Zoom for a ticket. */
async function hold(): Promise<void> {
  const { db, now, sessions } = a.deps
  const session = await sessions.find(host.token)
  const { room_id } = (await call(a, 'GET', '/host/details', { as: host })).body
  const times = { taken_at: new Date(now()), expires_at: new Date(now() + 15_000) }
  const row = { room_id, seat_id: seat.seat_id, epoch: 1, session_id: session?.id ?? null, by: 'host', ...times }
  await db.insertInto('seats').values(row).execute()
  seat.epoch = 1
}

const listAt = async (node: TestNode) => (await call(node, 'GET', '/host/attendees', { as: host })).body.data
const namesAt = async (node: TestNode) => (await listAt(node)).attendees.map((one: { name: string }) => one.name)
const SEEN = { timeout: 1_500 }

test('everybody whom the seat sees is on the consoles of the other server within 1.5 s', async () => {
  const console = await openStream(b.origin + (await requestStream(b, host, host)).body.sseUrl)
  await seat.report({ full: true, attendees: [seen('Lee')] })
  await expect.poll(() => namesAt(b), SEEN).toEqual(['Lee'])
  expect((await console.next('attendees')).data).toMatchObject({ epoch: 1, changed: [{ name: 'Lee' }] })
  await seat.report({ speaking: ['key-Lee'] })
  await console.next('attendees-speaking')
  await seat.report({ left: ['key-Lee'] })
  await console.next('attendees', {})
  expect(await listAt(b)).toEqual(await listAt(a))
})

test('a command that the other server gives reaches the seat with its next report', async () => {
  await seat.report({ full: true, attendees: [seen('Lee')] })
  await expect.poll(() => namesAt(b), SEEN).toEqual(['Lee'])
  const { status, body } = await call(b, 'POST', '/host/attendees/key-Lee/mute', { as: host })
  expect(status).toBe(202)
  const { commands } = (await seat.report()).body.data
  expect(commands).toMatchObject([{ id: body.data.command_id, do: 'mute', key: 'key-Lee' }])
  await seat.report({ done: [{ id: body.data.command_id, outcome: 'done' }] })
  await expect.poll(async () => (await listAt(b)).attendees.length, SEEN).toBe(1)
})

test('the seat goes on at another server when its own has stopped', async () => {
  const c = await start()
  seat.moveTo(c)
  await seat.report({ full: true, attendees: [seen('Lee')] })
  await expect.poll(() => namesAt(b), SEEN).toEqual(['Lee'])
  await c.close()
  seat.moveTo(b)
  expect((await seat.report({ attendees: [seen('Kim')] })).status).toBe(200)
  await expect.poll(() => namesAt(a), SEEN).toEqual(['Lee', 'Kim'])
  const gap = { status: 409, body: { code: 'seat_out_of_step' } }
  expect(await seat.report({ seq: seat.seq + 1, left: ['key-Lee'] })).toMatchObject(gap)
  await seat.report({ full: true, attendees: [seen('Kim')] })
  await expect.poll(() => namesAt(a), SEEN).toEqual(['Kim'])
})

test('the end of its session at one server gives up the seat that reports to the other', async () => {
  const as = { token: await openSession(a, host.id) }
  seat.moveTo(b)
  await seat.report({ full: true, attendees: [seen('Lee')] })
  const stateAt = async (node: TestNode) => (await call(node, 'GET', '/host/attendees', { as })).body.data.seat.state
  for (const node of [a, b]) await expect.poll(() => stateAt(node), SEEN).toBe('in')
  await call(a, 'POST', '/auth/host/logout', { as: host })
  for (const node of [a, b]) await expect.poll(() => stateAt(node), SEEN).toBe('off')
  const audited = a.deps.db.selectFrom('audit').select('action').where('action', 'like', 'seat%')
  expect(await audited.execute()).toEqual([{ action: 'seat_released' }])
})

test('a speech in Zoom is one, whichever servers the reports of the seat come to', async () => {
  const user = await buildRoomUser(a, host)
  await seat.report({ full: true, attendees: [seen('Lee')] })
  const link = await call(a, 'PUT', '/host/attendees/key-Lee/user', {
    as: host,
    body: { user_id: user.id, remember: false },
  })
  expect(link.status).toBe(200)
  for (const [node, speaking] of [
    [a, ['key-Lee']],
    [b, ['key-Lee']],
    [a, ['key-Lee']],
    [b, []],
  ] as const) {
    seat.moveTo(node)
    await expect.poll(async () => (await listAt(node)).attendees, SEEN).toMatchObject([{ user_id: user.id }])
    await expect.poll(async () => (await seat.report({ speaking: [...speaking] })).status, SEEN).toBe(200)
    for (const one of [a, b]) await expect.poll(async () => (await listAt(one)).speaking, SEEN).toEqual(speaking)
    ahead += 3_000
  }
  for (const { deps } of [a, b]) await deps.speeches.flush()
  const speeches = await a.deps.db.selectFrom('speeches').selectAll().execute()
  expect(speeches.map(({ began_at, ended_at }) => Math.floor((+ended_at - +began_at) / 3_000))).toEqual([3])
})
