import { beforeEach, expect, test } from 'vitest'
import { clearSpeeches, clearStays } from '../../server/features/attendance/jobs.ts'
import { clearAudit } from '../../server/features/audit/jobs.ts'
import { clearSittings } from '../../server/features/rooms/jobs.ts'
import type { Job } from '../../server/jobs/job.ts'
import { buildHost, type TestHost } from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'

const DAY = 86_400_000
const START = Date.parse('2026-11-21T10:00:00Z')
let now = START
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  now = START
  host = await buildHost(server)
})

type Days = 'RETENTION_AUDIT_DAYS' | 'RETENTION_ATTENDANCE_DAYS'
const run = (job: Job, setting: Days, days: number) =>
  job.run({ ...server.deps, config: { ...server.deps.config, [setting]: days } })

async function roomId(): Promise<string> {
  const room = server.deps.db.selectFrom('rooms').select('id').where('host_id', '=', host.id)
  return (await room.executeTakeFirstOrThrow()).id
}

/** Writes more than one step of a job removes. */
async function addStays(count: number): Promise<void> {
  const stay = { room_id: await roomId(), user_id: 'U000001', username: 'anita', joined_at: new Date(START) }
  const stays = Array.from({ length: count }, () => ({
    ...stay,
    room_user_id: crypto.randomUUID(),
    left_at: new Date(START),
  }))
  await server.deps.db.insertInto('stays').values(stays).execute()
}

async function addSpeech(): Promise<void> {
  const times = { began_at: new Date(START), ended_at: new Date(START) }
  const speech = { room_id: await roomId(), room_user_id: crypto.randomUUID(), ...times }
  await server.deps.db.insertInto('speeches').values(speech).execute()
}

async function addSitting(): Promise<void> {
  const times = { began_at: new Date(START), live_reported_at: new Date(START) }
  const sitting = { room_id: await roomId(), meeting_uuid: 'one', meeting_id: '1', is_live: false, ...times }
  await server.deps.db.insertInto('sittings').values(sitting).execute()
}

const countOf = async (table: 'audit' | 'stays' | 'speeches' | 'sittings') =>
  (await server.deps.db.selectFrom(table).selectAll().execute()).length

test('the audit goes after RETENTION_AUDIT_DAYS', async () => {
  const written = await countOf('audit')
  expect(written).toBeGreaterThan(0)
  now = START + 30 * DAY
  expect(await run(clearAudit, 'RETENTION_AUDIT_DAYS', 30)).toBe(0)
  now += 1
  expect(await run(clearAudit, 'RETENTION_AUDIT_DAYS', 31)).toBe(0)
  expect(await run(clearAudit, 'RETENTION_AUDIT_DAYS', 30)).toBe(written)
  expect(await countOf('audit')).toBe(0)
})

test('attendance, with the times of meetings, goes after RETENTION_ATTENDANCE_DAYS, in steps', async () => {
  await addStays(1_200)
  await addSpeech()
  await addSitting()
  now = START + DAY
  expect(await run(clearStays, 'RETENTION_ATTENDANCE_DAYS', 1)).toBe(0)
  expect(await run(clearSpeeches, 'RETENTION_ATTENDANCE_DAYS', 1)).toBe(0)
  expect(await run(clearSittings, 'RETENTION_ATTENDANCE_DAYS', 1)).toBe(0)
  now += 1
  expect(await run(clearStays, 'RETENTION_ATTENDANCE_DAYS', 2)).toBe(0)
  expect(await run(clearStays, 'RETENTION_ATTENDANCE_DAYS', 1)).toBe(1_200)
  expect(await run(clearSpeeches, 'RETENTION_ATTENDANCE_DAYS', 1)).toBe(1)
  expect(await run(clearSittings, 'RETENTION_ATTENDANCE_DAYS', 1)).toBe(1)
  expect([await countOf('stays'), await countOf('speeches'), await countOf('sittings')]).toEqual([0, 0, 0])
})
