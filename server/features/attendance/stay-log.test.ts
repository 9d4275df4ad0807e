import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { readAttendance, stayOnline } from '../../../test/factories/attendance.ts'
import { setup } from '../../../test/servers/setup.ts'
import { StayLog } from './stay-log.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const TODAY = Date.parse('2026-11-21T10:00:00Z')
const clock = { now: TODAY }
let host: TestHost

const server = await setup({ now: () => clock.now })
beforeEach(async () => {
  clock.now = TODAY
  host = await buildHost(server)
})

const attendance = (query = '') => readAttendance(server, host, query)

const at = (ms: number) => new Date(ms).toISOString()

const stayFor = (ms: number, ...phones: TestPhone[]) => stayOnline(server, clock, ms, ...phones)

describe('after a kill', () => {
  test('stays end at the last sign of life, and continue when the phone is back at once', async () => {
    const [early, late] = [await buildRoomUser(server, host), await buildRoomUser(server, host)]
    const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
    const killed = new StayLog(server.deps)
    killed.record(room_id, early, true)
    await killed.flush()
    clock.now += HOUR
    await killed.heartbeat()
    clock.now += 9_000
    killed.record(room_id, late, true)
    await killed.flush()
    clock.now += 5_000 // the process dies here

    clock.now += 10_000
    const next = new StayLog(server.deps)
    await next.start()
    const { stays, attendance: came } = await attendance()
    const died = TODAY + HOUR + 9_000
    expect(stays).toMatchObject([
      { id: late.id, left_at: at(died), seconds: 0 },
      { id: early.id, left_at: at(died), seconds: 3609 },
    ])
    expect(came).toHaveLength(2)

    next.record(room_id, early, true)
    await next.flush()
    clock.now += MINUTE
    await next.close()
    expect((await attendance()).attendance).toMatchObject([
      { id: early.id, visits: 1, last_left: at(clock.now), total_seconds: 3609 + 15 + 60 },
      { id: late.id, visits: 1, last_left: at(died) },
    ])
    expect(await server.deps.db.selectFrom('nodes').selectAll().execute()).toEqual([])
  })
})

test('retries failed writes later, in their order', async () => {
  const user = await buildRoomUser(server, host)
  const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
  let isDown = true
  const needs = {
    ...server.deps,
    get db() {
      if (isDown) throw new Error('The database is down')
      return server.deps.db
    },
  }
  const log = new StayLog(needs)
  for (let time = 0; time < 3; time++) {
    log.record(room_id, user, true)
    clock.now += MINUTE
    log.record(room_id, user, false)
    await log.flush()
    clock.now += HOUR
  }
  isDown = false
  await log.flush()
  expect((await attendance()).attendance).toMatchObject([{ visits: 3, total_seconds: 180, first_joined: at(TODAY) }])
})

test('writes nothing for a host that has been deleted', async () => {
  const user = await buildRoomUser(server, host)
  const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
  const phone = await buildPhone(server, host, user)
  await stayFor(MINUTE, phone)
  await server.deps.stays.flush()
  await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
  server.deps.stays.record(room_id, user, true)
  await server.deps.stays.flush()
  const stays = await server.deps.db.selectFrom('stays').selectAll().execute()
  expect(stays).toMatchObject([{ left_at: new Date(clock.now) }])
  server.deps.stays.record(room_id, user, false)
})
