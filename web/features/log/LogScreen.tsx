import { Button, Group, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ATTENDANCE_DAYS_MAX } from '../../../shared/attendance.ts'
import { AuditKind } from '../../../shared/audit.ts'
import { messageOf } from '../../lib/api-client.ts'
import { downloadFile } from '../../lib/download.ts'
import { periodFault } from '../../lib/periods.ts'
import { Page } from '../../ui/Page.tsx'
import { PeriodPicker } from '../../ui/PeriodPicker.tsx'
import { toast } from '../../ui/toast.tsx'
import { KIND_LABELS } from './kind-labels.ts'
import { LogDays } from './LogDays.tsx'
import { LogPages } from './LogPages.tsx'
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
  const isNarrowed = view.kind !== null || view.user !== null

  return (
    <Page
      title="Log"
      subtitle="Who did what in your room, and when."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden="true" />}
          disabled={fault !== null || !log.data}
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
      <LogPages
        log={log}
        isNarrowed={isNarrowed}
        noneHint="Nothing was done in your room on these days."
        onShowAll={() => change({ kind: null, user: null })}
      >
        {(shown, empty) => <LogDays entries={shown} empty={empty} />}
      </LogPages>
    </Page>
  )
}
