import { Anchor, Badge, Button, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { CheckName, CheckStatus, SystemCheck, SystemReport } from '../../../shared/system.ts'
import { messageOf } from '../../lib/api-client.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { formatMoment, formatSince } from '../../ui/format-date.ts'
import { LineList, ListLine } from '../../ui/LineList.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import type { Tone } from '../../ui/theme.ts'
import { toast } from '../../ui/toast.tsx'
import { BackupSection } from './BackupSection.tsx'
import { MailSection } from './MailSection.tsx'
import { system, useCheckSystem } from './queries.ts'
import { SystemSection } from './SystemSection.tsx'

/** The worst comes first. */
const STATUSES: CheckStatus[] = ['problem', 'warn', 'note', 'ok']
const BADGES: Record<CheckStatus, { label: string; color: Tone }> = {
  problem: { label: 'Problem', color: 'bad' },
  warn: { label: 'Warning', color: 'warn' },
  note: { label: 'Note', color: 'quiet' },
  ok: { label: 'OK', color: 'good' },
}
const NAMES: Record<CheckName, string> = {
  settings: 'Settings',
  version: 'Version',
  database: 'Database',
  migrations: 'Tables',
  redis: 'Redis',
  disk: 'Disk',
  'data-dir': 'Data folder',
  clock: 'Clock',
  names: 'Addresses',
  certificate: 'Certificate',
  'zoom-app': 'Zoom app',
  'zoom-hosts': 'Zoom accounts of hosts',
  webhook: 'Events of Zoom',
  sdk: 'Meeting SDK of Zoom',
  mail: 'Mail',
  backup: 'Backup',
  key: 'Key',
}

/** Shows what the installation finds of itself, and what to do about it. */
export function SystemScreen() {
  const query = useQuery(system)
  const check = useCheckSystem()

  return (
    <Page
      title="System"
      subtitle="What this installation finds when it checks itself, and what to do about it."
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={17} aria-hidden="true" />}
          loading={check.isPending}
          onClick={() =>
            check.mutate(undefined, { onError: (error) => toast.error(messageOf(error, 'Could not be checked')) })
          }
        >
          Check again
        </Button>
      }
    >
      {query.data ? (
        <Report report={query.data} />
      ) : (
        <NotLoaded query={query} loading="Checking the system..." title="Failed to load the checks" />
      )}
    </Page>
  )
}

function Report({ report }: { report: SystemReport }) {
  const { checks, checked_at, hosts_in_trouble } = report
  const sorted = STATUSES.flatMap((status) => checks.filter((one) => one.status === status))
  return (
    <>
      {hosts_in_trouble.length > 0 ? (
        <SystemSection title="Hosts that need you">
          <LineList>
            {hosts_in_trouble.map(({ host_id, username, problem }) => (
              <ListLine
                key={host_id}
                words={
                  <>
                    <Anchor component={Link} to={`/master/hosts?host=${host_id}`} fw={600}>
                      <bdi dir="auto">{username}</bdi>
                    </Anchor>
                    <Words>{problem}</Words>
                  </>
                }
              >
                {null}
              </ListLine>
            ))}
          </LineList>
        </SystemSection>
      ) : null}
      <SystemSection title="Checks" beside={`${summaryOf(checks)}, checked ${formatSince(checked_at)}`}>
        <LineList>
          {sorted.map((one) => (
            <CheckLine key={one.name} check={one} />
          ))}
        </LineList>
      </SystemSection>
      <BackupSection backup={report.backup} />
      {report.mail.is_on ? <MailSection mail={report.mail} /> : null}
      <SystemSection title="This server">
        <Versions report={report} />
      </SystemSection>
    </>
  )
}

function CheckLine({ check: { name, status, message, advice } }: { check: SystemCheck }) {
  const { label, color } = BADGES[status]
  return (
    <ListLine
      words={
        <>
          <Text fw={600}>{NAMES[name]}</Text>
          <Words>{message}</Words>
          {advice ? <Text size="sm">{advice}</Text> : null}
        </>
      }
    >
      <Badge color={color}>{label}</Badge>
    </ListLine>
  )
}

function Words({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  )
}

function Versions({ report }: { report: SystemReport }) {
  const { version, commit, previous_version, started_at, nodes } = report
  return (
    <Facts>
      <Fact label="Version">{commit ? `${version} (${commit})` : version}</Fact>
      {previous_version ? <Fact label="Version before">{previous_version}</Fact> : null}
      <Fact label="Running since">{formatMoment(started_at)}</Fact>
      <Fact label="Servers">{nodes}</Fact>
    </Facts>
  )
}

function summaryOf(checks: SystemCheck[]): string {
  const count = (status: CheckStatus) => checks.filter((one) => one.status === status).length
  const words = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  return `${count('ok')} OK, ${words(count('warn'), 'warning')}, ${words(count('problem'), 'problem')}`
}
