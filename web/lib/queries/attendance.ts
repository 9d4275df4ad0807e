import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { AttendanceAnswer, type AttendanceQuery } from '../../../shared/attendance.ts'
import { api } from '../api-client.ts'
import type { Period } from '../periods.ts'

export const attendance = (period: Period, enabled: boolean) =>
  queryOptions({
    queryKey: ['attendance', period],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams(period)
      return (await api(AttendanceAnswer, 'GET', `/host/attendance?${query}`, undefined, { signal })).data
    },
    enabled,
    placeholderData: keepPreviousData,
  })

export function attendanceFile(period: Period, table: AttendanceQuery['table']): string {
  return `/host/attendance?${new URLSearchParams({ ...period, format: 'csv', table })}`
}
