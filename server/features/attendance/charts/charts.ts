import type { AttendanceChartsAnswer } from '../../../../shared/attendance-charts.ts'
import type { Deps } from '../../../deps.ts'
import type { RoomPeriod } from '../attendance.ts'
import { countDaily } from './days.ts'
import { countLengths } from './lengths.ts'
import { countPresence } from './presence.ts'
import { listFirstTimers, listLapsed } from './regulars.ts'

export async function readCharts(deps: Deps, period: RoomPeriod): Promise<AttendanceChartsAnswer['data']> {
  const { from, to, zone } = period
  return {
    ...{ from, to, zone },
    presence: await countPresence(deps, period),
    days: await countDaily(deps, period),
    lengths: await countLengths(deps, period),
    first_timers: await listFirstTimers(deps, period),
    lapsed: await listLapsed(deps, period),
  }
}
