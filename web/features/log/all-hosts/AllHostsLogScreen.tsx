import { Button, Group, NativeSelect } from '@mantine/core'
import { IconDownload, IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ATTENDANCE_DAYS_MAX } from '../../../../shared/attendance.ts'
import { AuditKind } from '../../../../shared/audit.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { downloadFile } from '../../../lib/download.ts'
import { periodFault } from '../../../lib/periods.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PeriodPicker } from '../../../ui/PeriodPicker.tsx'
import { SearchField } from '../../../ui/SearchField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { KIND_LABELS } from '../kind-labels.ts'
import { AllHostsLogTable } from './AllHostsLogTable.tsx'
import { HostPicker } from './HostPicker.tsx'
import { allHostsLog, allHostsLogFile } from './queries.ts'
import { useAllHostsFilters } from './use-all-hosts-filters.ts'

const FORMATS = [
  ['csv', 'Download CSV'],
  ['jsonl', 'JSON lines'],
] as const
type FileFormat = (typeof FORMATS)[number][0]

/** Shows a master who did what, in all rooms and in the installation. */
export function AllHostsLogScreen() {
  const [view, change] = useAllHostsFilters()
  const fault = periodFault(view.period, ATTENDANCE_DAYS_MAX)
  const log = useInfiniteQuery(allHostsLog(view, fault === null))
  const saving = useMutation({
    mutationFn: (format: FileFormat) => downloadFile(allHostsLogFile(view, format)),
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })
  const search = useCallback((words: string) => change({ words }), [change])
  const entries = log.data?.pages.flatMap((page) => page.entries)
  const isNarrowed = view.kind !== null || view.host !== null || view.words !== ''

  return (
    <Page
      title="Log"
      subtitle="Who did what in all rooms and accounts, and when."
      actions={FORMATS.map(([format, label]) => (
        <Button
          key={format}
          variant="default"
          aria-label={format === 'jsonl' ? `Download ${label}` : undefined}
          leftSection={<IconDownload size={17} aria-hidden="true" />}
          disabled={fault !== null || !entries}
          loading={saving.isPending && saving.variables === format}
          onClick={() => saving.mutate(format)}
        >
          {label}
        </Button>
      ))}
    >
      <PeriodPicker period={view.period} fault={fault} onChange={(period) => change({ period })} />
      <Group gap="sm">
        <SearchField
          aria-label="Search the log"
          placeholder="Search by name or action"
          maxLength={100}
          flex={{ base: '1 1 100%', sm: '1 1 14rem' }}
          maw={{ sm: '22rem' }}
          words={view.words}
          onSearch={search}
        />
        <HostPicker chosen={view.host} onChoose={(host) => change({ host })} />
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
      </Group>
      {entries && log.isError && !log.isFetchNextPageError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      {entries ? (
        <AllHostsLogTable
          entries={entries}
          empty={
            <Empty
              icon={<IconHistory size={22} stroke={1.75} aria-hidden="true" />}
              hint={isNarrowed ? 'No action matches this choice.' : 'Nothing was done on these days.'}
              action={
                isNarrowed ? (
                  <Button variant="default" onClick={() => change({ kind: null, host: null, words: '' })}>
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
