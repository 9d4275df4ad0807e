import { Button, Group, NativeSelect } from '@mantine/core'
import { IconDownload, IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ATTENDANCE_DAYS_MAX } from '../../../shared/attendance.ts'
import { AuditKind } from '../../../shared/audit.ts'
import { messageOf } from '../../lib/api-client.ts'
import { downloadFile } from '../../lib/download.ts'
import { periodFault } from '../../lib/periods.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PeriodPicker } from '../../ui/PeriodPicker.tsx'
import { toast } from '../../ui/toast.tsx'
import { KIND_LABELS } from './kind-labels.ts'
import { LogDays } from './LogDays.tsx'
import { hostLog, logFileUrl } from './queries.ts'
import { UserPicker } from './UserPicker.tsx'
import { useLogFilters } from './use-log-filters.ts'

export function LogScreen() {
  const [view, change] = useLogFilters()
  const fault = periodFault(view.period, ATTENDANCE_DAYS_MAX)
  const log = useInfiniteQuery(hostLog(view, fault === null))
  const saving = useMutation({
    mutationFn: () => downloadFile(logFileUrl(view)),
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })
  const entries = log.data?.pages.flatMap((page) => page.entries)
  const isNarrowed = view.kind !== null || view.user !== null

  return (
    <Page
      title="Log"
      subtitle="Who did what in your room, and when."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden="true" />}
          disabled={fault !== null || !entries}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Download CSV
        </Button>
      }
    >
      <PeriodPicker period={view.period} fault={fault} onChange={(period) => change({ period })} />
      <Group gap="sm">
        <NativeSelect
          aria-label="Show"
          flex={{ base: '1 1 100%', sm: '0 1 16rem' }}
          value={view.kind ?? ''}
          data={[
            { value: '', label: 'All actions' },
            ...AuditKind.options.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
          ]}
          onChange={({ currentTarget: { value } }) => change({ kind: AuditKind.safeParse(value).data ?? null })}
        />
        <UserPicker chosen={view.user} onChoose={(user) => change({ user })} />
      </Group>
      {entries && log.isError && !log.isFetchNextPageError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      {entries ? (
        <LogDays
          entries={entries}
          empty={
            <Empty
              icon={<IconHistory size={22} stroke={1.75} aria-hidden="true" />}
              hint={isNarrowed ? 'No action matches this choice.' : 'Nothing was done in your room on these days.'}
              action={
                isNarrowed ? (
                  <Button variant="default" onClick={() => change({ kind: null, user: null })}>
                    Show all actions
                  </Button>
                ) : null
              }
            >
              No actions found
            </Empty>
          }
        />
      ) : (
        <NotLoaded query={log} loading="Loading log..." title="Failed to load the log" />
      )}
      {log.isFetchNextPageError ? (
        <Notice tone="bad">Older actions could not be loaded. Please try again.</Notice>
      ) : null}
      {log.hasNextPage ? (
        <Button
          variant="default"
          mx="auto"
          loading={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage({ cancelRefetch: false })}
        >
          Show older
        </Button>
      ) : null}
    </Page>
  )
}
