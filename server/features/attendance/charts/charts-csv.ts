import type { AttendanceFile } from '../../../../shared/attendance.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../../shared/csv.ts'
import type { Deps } from '../../../deps.ts'
import type { ReadFilePage } from '../../auth/file-pages.ts'
import type { RoomPeriod } from '../attendance.ts'
import { timeIn } from '../local-time.ts'
import { countDaily } from './days.ts'
import { countLengths } from './lengths.ts'
import { countPresence } from './presence.ts'
import { listFirstTimers, listLapsed } from './regulars.ts'

type Table = (deps: Deps, readPage: ReadFilePage, period: RoomPeriod) => AsyncGenerator<string>

/** The tables of the charts. Each has at most a row for a user, a day or a step of the time. */
export const chartTables: Record<Exclude<AttendanceFile, 'users' | 'speakers' | 'stays'>, Table> = {
  async *presence(deps, readPage, period) {
    const time = timeIn(period.zone)
    yield BYTE_ORDER_MARK + csvLine(['time', 'present', 'joined', 'left', 'time_zone'])
    const chart = await readPage(() => countPresence(deps, period))
    for (const { at, present, joined, left } of chart?.points ?? [])
      yield csvLine([time(at), present, joined, left, period.zone])
  },
  async *days(deps, readPage, period) {
    yield BYTE_ORDER_MARK + csvLine(['day', 'users', 'time_zone'])
    for (const { day, users } of await readPage(() => countDaily(deps, period)))
      yield csvLine([day, users, period.zone])
  },
  async *lengths(deps, readPage, period) {
    yield BYTE_ORDER_MARK + csvLine(['from_seconds', 'to_seconds', 'visits'])
    const { bands } = await readPage(() => countLengths(deps, period))
    for (const { from_seconds, to_seconds, visits } of bands) yield csvLine([from_seconds, to_seconds, visits])
  },
  async *first_timers(deps, readPage, period) {
    const time = timeIn(period.zone)
    yield BYTE_ORDER_MARK + csvLine(['user_id', 'username', 'reference', 'first_joined', 'time_zone'])
    for (const { user_id, username, reference, first_joined } of await readPage(() => listFirstTimers(deps, period)))
      yield csvLine([user_id, username, reference, time(first_joined), period.zone])
  },
  async *lapsed(deps, readPage, period) {
    const time = timeIn(period.zone)
    yield BYTE_ORDER_MARK + csvLine(['user_id', 'username', 'reference', 'last_joined', 'time_zone'])
    const { users } = await readPage(() => listLapsed(deps, period))
    for (const { user_id, username, reference, last_joined } of users)
      yield csvLine([user_id, username, reference, time(last_joined), period.zone])
  },
}
