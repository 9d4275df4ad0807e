import { Readable } from 'node:stream'
import type { AttendanceQuery } from '../../../shared/attendance.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../shared/csv.ts'
import type { Deps } from '../../deps.ts'
import { listAbsentees, listAttendees, listStays, type Period, toStay } from './attendance.ts'

const STAYS_AT_ONCE = 5_000

/** Streamed: the stays are read from the database while the file is sent. */
export function attendanceCsv(deps: Deps, period: Period, table: AttendanceQuery['table']): Readable {
  return Readable.from(table === 'stays' ? staysTable(deps, period) : usersTable(deps, period))
}

export function csvFileName({ from, to }: Period, table: AttendanceQuery['table']): string {
  const what = table === 'stays' ? 'stays' : 'attendance'
  return `${what}-${from === to ? from : `${from}-to-${to}`}.csv`
}

/** Absentees have no times and no visits. */
async function* usersTable(deps: Deps, period: Period): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK +
    csvLine(['user_id', 'username', 'reference', 'first_joined', 'last_left', 'total_seconds', 'visits'])
  for (const one of await listAttendees(deps, period)) {
    const { user_id, username, reference, first_joined, last_left, total_seconds, visits } = one
    yield csvLine([user_id, username, reference, first_joined, last_left, total_seconds, visits])
  }
  for (const { user_id, username, reference } of await listAbsentees(deps, period))
    yield csvLine([user_id, username, reference, null, null, 0, 0])
}

async function* staysTable(deps: Deps, period: Period): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(['user_id', 'username', 'joined_at', 'left_at', 'seconds'])
  let page = await listStays(deps, period, null, STAYS_AT_ONCE)
  for (;;) {
    for (const { user_id, username, joined_at, left_at, seconds } of page.map(toStay))
      yield csvLine([user_id, username, joined_at, left_at, seconds])
    const last = page.at(-1)
    if (!last || page.length < STAYS_AT_ONCE) return
    page = await listStays(deps, period, last, STAYS_AT_ONCE)
  }
}
