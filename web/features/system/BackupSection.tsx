import { Button } from '@mantine/core'
import { IconDatabaseExport } from '@tabler/icons-react'
import type { SystemReport } from '../../../shared/system.ts'
import { messageOf } from '../../lib/api-client.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { toast } from '../../ui/toast.tsx'
import { useBackUp } from './queries.ts'
import { SystemSection } from './SystemSection.tsx'

export function BackupSection({ backup }: { backup: SystemReport['backup'] }) {
  const { to, kept, last_success_at, last_error, next_at, is_running } = backup
  const backUp = useBackUp()
  const begin = () =>
    backUp.mutate(undefined, {
      onSuccess: () => toast.success('The backup has begun'),
      onError: (error) => toast.error(messageOf(error, 'The backup could not begin')),
    })
  const action = to ? (
    <Button
      variant="default"
      leftSection={<IconDatabaseExport size={17} aria-hidden="true" />}
      loading={backUp.isPending || is_running}
      onClick={begin}
    >
      Back up now
    </Button>
  ) : null
  return (
    <SystemSection title="Backups" beside={is_running ? 'One is being made' : undefined} action={action}>
      <Facts>
        <Fact label="Last backup">{last_success_at ? formatMoment(last_success_at) : null}</Fact>
        {last_error ? <Fact label="Last failure">{last_error}</Fact> : null}
        {to ? (
          <Fact label="Scheduled backups">
            {kept} in {to}
            {next_at ? `, the next ${formatMoment(next_at)}` : null}
          </Fact>
        ) : null}
      </Facts>
    </SystemSection>
  )
}
