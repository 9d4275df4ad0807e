import { Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { AttendanceFile, SpeakingTime } from '../../../../shared/attendance.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { downloadFile } from '../../../lib/download.ts'
import type { Period } from '../../../lib/periods.ts'
import { attendanceCharts, attendanceFile } from '../../../queries/attendance.ts'
import { ChartGrid } from '../../../ui/charts/ChartCard.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { toast } from '../../../ui/toast.tsx'
import { DaysCard } from './DaysCard.tsx'
import { LengthsCard } from './LengthsCard.tsx'
import { FirstTimersCard, LapsedCard } from './NamesCards.tsx'
import { PresenceCard } from './PresenceCard.tsx'
import { SpeakersCard } from './SpeakersCard.tsx'

type AttendanceChartsProps = {
  bounds: Period
  isLive: boolean
  when: string
  /** Undefined until the lists have loaded. */
  speakers: SpeakingTime[] | undefined
}

export function AttendanceCharts({ bounds, isLive, when, speakers }: AttendanceChartsProps) {
  const query = useQuery(attendanceCharts(bounds, isLive))
  const saving = useMutation({
    mutationFn: (table: AttendanceFile) => downloadFile(attendanceFile(bounds, table)),
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })
  const { data } = query
  if (!data) return <NotLoaded query={query} loading="Loading charts..." title="Failed to load the charts" />
  const download = (table: AttendanceFile) => () => saving.mutate(table)
  return (
    <>
      {query.isError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      <Text fw={600}>{when}</Text>
      <ChartGrid>
        <PresenceCard presence={data.presence} onDownload={download('presence')} />
        <DaysCard days={data.days} onDownload={download('days')} />
        <LengthsCard lengths={data.lengths} onDownload={download('lengths')} />
        {speakers ? <SpeakersCard speakers={speakers} onDownload={download('speakers')} /> : null}
        <FirstTimersCard
          users={data.first_timers}
          hasVisits={data.lengths.median_seconds !== null}
          onDownload={download('first_timers')}
        />
        <LapsedCard lapsed={data.lapsed} onDownload={download('lapsed')} />
      </ChartGrid>
    </>
  )
}
