import { expect, test } from 'vitest'
import { circleMeetings, circleTurns } from '../../demo/history/circle-history.ts'
import { addCircleHistory } from '../../demo/history/evening-circle.ts'
import { SAMPLE_PEOPLE, sampleUserId } from '../../demo/sample-people.ts'
import { sampleRecordings } from '../../demo/sample-recordings.ts'
import { AttendanceChartsAnswer } from '../../shared/attendance-charts.ts'
import { MeetingListAnswer, MeetingReportAnswer } from '../../shared/meetings.ts'
import { call } from '../factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../zoom/emulated-zoom.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const server = await setupWithZoom({ now: () => NOW })

test('the first room has three weeks of meetings, in which its users came, spoke and stayed away, once', async () => {
  const host = await buildZoomHost(server)
  const { db } = server.deps
  const room = await db.selectFrom('rooms').select('id').where('host_id', '=', host.id).executeTakeFirstOrThrow()
  await db
    .insertInto('room_users')
    .values(
      SAMPLE_PEOPLE.map(({ username }, place) => ({
        ...{ room_id: room.id, username, username_key: username.toLowerCase() },
        ...{ user_id: sampleUserId(place), user_id_key: sampleUserId(place).toLowerCase() },
        ...{ password_hash: '', password_ciphertext: '', created_at: new Date(NOW) },
      })),
    )
    .execute()
  await addCircleHistory(db, host.id, NOW)
  await addCircleHistory(db, host.id, NOW)

  const read = async (path: string) => (await call(server, 'GET', path, { as: host })).body
  const { meetings } = MeetingListAnswer.parse(await read('/host/meetings')).data
  expect(meetings.map(({ id }) => id)).toEqual(
    circleMeetings(NOW)
      .map(({ uuid }) => uuid)
      .reverse(),
  )
  expect(meetings.length).toBeGreaterThan(8)
  for (const { users, peak, spoke_seconds, acts } of meetings)
    expect(Math.min(users - 15, peak - 15, spoke_seconds - 1_800, acts - 5)).toBeGreaterThanOrEqual(0)

  const { data: report } = MeetingReportAnswer.parse(
    await read(`/host/meetings/${encodeURIComponent(meetings[0]?.id ?? '')}`),
  )
  expect(report.speakers.length).toBeGreaterThan(3)
  expect(report.users.some(({ late_seconds }) => late_seconds !== null)).toBe(true)
  expect(report.absent.map(({ username }) => username)).toContain('Hannah Weiss')

  // What the transcripts of the recordings say agrees with who spoke.
  const speeches = await db
    .selectFrom('speeches')
    .innerJoin('room_users', 'room_users.id', 'speeches.room_user_id')
    .select(['username', 'began_at'])
    .execute()
  const recorded = sampleRecordings(NOW).flatMap(({ uuid, start_time }) =>
    (circleTurns(NOW).get(uuid) ?? [])
      .filter(({ from }) => from > 0)
      .map(({ speaker, from }) => ({
        speaker,
        at: Date.parse(start_time) + from * 1000,
      })),
  )
  expect(recorded.length).toBeGreaterThan(20)
  for (const { speaker, at } of recorded)
    expect(
      speeches.some(({ username, began_at }) => username === speaker && Math.abs(began_at.getTime() - at) < 10),
    ).toBe(true)

  const { data: charts } = AttendanceChartsAnswer.parse(
    await read('/host/attendance/charts?from=2026-11-01&to=2026-11-20'),
  )
  const names = charts.lapsed.users.map(({ username }) => username)
  expect(names).toEqual(expect.arrayContaining(['Esperanza Reyes', 'Tariq Mahmood']))
})
