import { Readable } from 'node:stream'
import type { AttendanceFile } from '../../../shared/attendance.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../shared/csv.ts'
import { isDay } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import type { ReadFilePage } from '../auth/file-pages.ts'
import {
  listAbsentees,
  listAttendees,
  listSpeakers,
  listStays,
  type RoomPeriod,
  toAttendance,
  toStay,
} from './attendance.ts'
import { chartTables } from './charts/charts-csv.ts'
import { localTime, timeIn } from './local-time.ts'

const STAYS_AT_ONCE = 5_000

/** Streams: the stays are read from the database while the file is sent. */
export function attendanceCsv(deps: Deps, readPage: ReadFilePage, period: RoomPeriod, table: AttendanceFile): Readable {
  const tables = { users: usersTable, speakers: speakersTable, stays: staysTable, ...chartTables }
  return Readable.from(tables[table](deps, readPage, period))
}

export function csvFileName(period: RoomPeriod, table: AttendanceFile): string {
  const what = table === 'users' ? 'attendance' : table.replace('_', '-')
  const [from, to] = [nameOf(period.from, period), nameOf(period.to, period)]
  return `${what}-${from === to ? from : `${from}-to-${to}`}.csv`
}

/** Names a day by its date, a time by date and clock. */
function nameOf(dayOrTime: string, { zone }: RoomPeriod): string {
  return isDay(dayOrTime) ? dayOrTime : localTime(new Date(dayOrTime), zone).slice(0, 16).replace(':', '')
}

/** Lists absentees without times and visits. */
async function* usersTable(deps: Deps, readPage: ReadFilePage, period: RoomPeriod): AsyncGenerator<string> {
  const { zone } = period
  const time = timeIn(zone)
  yield BYTE_ORDER_MARK +
    csvLine(['user_id', 'username', 'reference', 'first_joined', 'last_left', 'total_seconds', 'visits', 'time_zone'])
  for (const row of await readPage(() => listAttendees(deps, period))) {
    const { user_id, username, reference, first_joined, last_left, total_seconds, visits } = toAttendance(row)
    yield csvLine([user_id, username, reference, time(first_joined), time(last_left), total_seconds, visits, zone])
  }
  for (const { user_id, username, reference } of await readPage(() => listAbsentees(deps, period)))
    yield csvLine([user_id, username, reference, null, null, 0, 0, zone])
}

/** Lists who spoke, the longest first. */
async function* speakersTable(deps: Deps, readPage: ReadFilePage, period: RoomPeriod): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(['user_id', 'username', 'reference', 'spoke_seconds'])
  for (const { user_id, username, reference, spoke_seconds } of await readPage(() => listSpeakers(deps, period)))
    yield csvLine([user_id, username, reference, spoke_seconds])
}

async function* staysTable(deps: Deps, readPage: ReadFilePage, period: RoomPeriod): AsyncGenerator<string> {
  const { zone } = period
  const time = timeIn(zone)
  yield BYTE_ORDER_MARK + csvLine(['user_id', 'username', 'joined_at', 'left_at', 'seconds', 'time_zone'])
  let page = await readPage(() => listStays(deps, period, null, STAYS_AT_ONCE))
  for (;;) {
    for (const { user_id, username, joined_at, left_at, seconds } of page.map(toStay))
      yield csvLine([user_id, username, time(joined_at), time(left_at), seconds, zone])
    const last = page.at(-1)
    if (!last || page.length < STAYS_AT_ONCE) return
    page = await readPage(() => listStays(deps, period, last, STAYS_AT_ONCE))
  }
}
