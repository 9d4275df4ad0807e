import { Button, Group, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ATTENDANCE_DAYS_MAX } from '../../../../shared/attendance.ts'
import { AuditKind } from '../../../../shared/audit.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { downloadFile } from '../../../lib/download.ts'
import { periodFault } from '../../../lib/periods.ts'
import { Page } from '../../../ui/Page.tsx'
import { PeriodPicker } from '../../../ui/PeriodPicker.tsx'
import { SearchField } from '../../../ui/SearchField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { KIND_LABELS } from '../kind-labels.ts'
import { LogPages } from '../LogPages.tsx'
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
          disabled={fault !== null || !log.data}
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
      <LogPages
        log={log}
        isNarrowed={isNarrowed}
        noneHint="Nothing was done on these days."
        onShowAll={() => change({ kind: null, host: null, words: '' })}
      >
        {(shown, empty) => <AllHostsLogTable entries={shown} empty={empty} />}
      </LogPages>
    </Page>
  )
}
