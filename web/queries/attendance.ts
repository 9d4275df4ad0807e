import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { AttendanceAnswer, type AttendanceFile, MeetingsAnswer } from '../../shared/attendance.ts'
import { AttendanceChartsAnswer } from '../../shared/attendance-charts.ts'
import { api } from '../lib/api-client.ts'
import type { Period } from '../lib/periods.ts'
import { ownTimeZone } from '../lib/time-zone.ts'

/** Polling interval of a live period. It updates past attendance; the poll of the users shows who is present. */
const LIVE_MS = 10_000

const queryOf = (period: Period) => ({ ...period, zone: ownTimeZone() })

export const attendance = (period: Period, enabled: boolean, isLive = false) =>
  queryOptions({
    queryKey: ['attendance', period],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams(queryOf(period))
      return (await api(AttendanceAnswer, 'GET', `/host/attendance?${query}`, undefined, { signal })).data
    },
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: isLive && LIVE_MS,
  })

/** Reads far more than the list does. */
const LIVE_CHARTS_MS = 30_000

export const attendanceCharts = (period: Period, isLive: boolean) =>
  queryOptions({
    queryKey: ['attendance', 'charts', period],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams(queryOf(period))
      return (await api(AttendanceChartsAnswer, 'GET', `/host/attendance/charts?${query}`, undefined, { signal })).data
    },
    placeholderData: keepPreviousData,
    refetchInterval: isLive && LIVE_CHARTS_MS,
  })

export const meetings = (period: Period, enabled: boolean, isLive = false) =>
  queryOptions({
    queryKey: ['attendance', 'meetings', period],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams(queryOf(period))
      return (await api(MeetingsAnswer, 'GET', `/host/attendance/meetings?${query}`, undefined, { signal })).data
    },
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: isLive && LIVE_MS,
  })

export function attendanceFile(period: Period, table: AttendanceFile): string {
  return `/host/attendance?${new URLSearchParams({ ...queryOf(period), format: 'csv', table })}`
}
