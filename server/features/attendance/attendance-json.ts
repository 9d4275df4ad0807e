import { Readable } from 'node:stream'
import { Absentee, Attendance, SpeakingTime, Stay } from '../../../shared/attendance.ts'
import type { Deps } from '../../deps.ts'
import { jsonSlices } from '../../lib/json-slices.ts'
import {
  listAbsentees,
  listAttendees,
  listSpeakers,
  listStays,
  type RoomPeriod,
  toAttendance,
  toStay,
} from './attendance.ts'

/** Returns the answer's text in slices: a large room has thousands of users and stays. */
export async function attendanceJson(deps: Deps, period: RoomPeriod): Promise<Readable> {
  const { from, to, zone } = period
  const attendees = await listAttendees(deps, period)
  const absentees = await listAbsentees(deps, period)
  const speakers = await listSpeakers(deps, period)
  const stays = await listStays(deps, period, null)
  const stays_total = stays[0]?.total ?? 0

  async function* text() {
    yield `{"success":true,"data":${JSON.stringify({ from, to, zone }).slice(0, -1)},"attendance":`
    yield* jsonSlices(Attendance, attendees, toAttendance)
    yield ',"absent":'
    yield* jsonSlices(Absentee, absentees, (absentee) => absentee)
    yield ',"speakers":'
    yield* jsonSlices(SpeakingTime, speakers, (speaker) => speaker)
    yield ',"stays":'
    yield* jsonSlices(Stay, stays, toStay)
    yield `,"stays_total":${stays_total}}}`
  }
  return Readable.from(text())
}
