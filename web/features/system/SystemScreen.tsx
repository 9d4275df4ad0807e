import { Anchor, Badge, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconDatabaseExport, IconRefresh, IconSend } from '@tabler/icons-react'
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
import { system, useBackUp, useCheckSystem, useSendTestMail } from './queries.ts'

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
        <Section title="Hosts that need you">
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
        </Section>
      ) : null}
      <Section title="Checks" beside={`${summaryOf(checks)}, checked ${formatSince(checked_at)}`}>
        <LineList>
          {sorted.map((one) => (
            <CheckLine key={one.name} check={one} />
          ))}
        </LineList>
      </Section>
      <BackupSection backup={report.backup} />
      {report.mail.is_on ? <MailSection mail={report.mail} /> : null}
      <Section title="This server">
        <Versions report={report} />
      </Section>
    </>
  )
}

function BackupSection({ backup }: { backup: SystemReport['backup'] }) {
  const { to, kept, last_success_at, last_error, next_at, is_running } = backup
  const backUp = useBackUp()
  const begin = () =>
    backUp.mutate(undefined, {
      onSuccess: () => toast.success('The backup has begun'),
      onError: (error) => toast.error(messageOf(error, 'The backup could not begin')),
    })
  return (
    <Section title="Backups" beside={is_running ? 'One is being made' : undefined}>
      <Group justify="space-between" gap="md">
        <Facts>
          <Fact label="Last backup">{last_success_at ? formatMoment(last_success_at) : null}</Fact>
          {last_error ? <Fact label="It failed since">{last_error}</Fact> : null}
          {to ? (
            <Fact label="Scheduled backups">
              {kept} in {to}
              {next_at ? `, the next ${formatMoment(next_at)}` : null}
            </Fact>
          ) : null}
        </Facts>
        {to ? (
          <Button
            variant="default"
            leftSection={<IconDatabaseExport size={17} aria-hidden="true" />}
            loading={backUp.isPending || is_running}
            onClick={begin}
          >
            Back up now
          </Button>
        ) : null}
      </Group>
    </Section>
  )
}

function MailSection({ mail: { waiting, last_error } }: { mail: SystemReport['mail'] }) {
  const test = useSendTestMail()
  const send = () =>
    test.mutate(undefined, {
      onSuccess: ({ accepted, answer }) =>
        accepted
          ? toast.success(`The mail server took the mail: ${answer}`)
          : toast.error(`The mail was not taken: ${answer}`),
      onError: (error) => toast.error(messageOf(error, 'The mail could not be sent')),
    })
  return (
    <Section title="Mail">
      <Group justify="space-between" gap="md">
        <Facts>
          <Fact label="Waiting">{waiting}</Fact>
          {last_error ? <Fact label="Last error">{last_error}</Fact> : null}
        </Facts>
        <Button
          variant="default"
          leftSection={<IconSend size={17} aria-hidden="true" />}
          loading={test.isPending}
          onClick={send}
        >
          Send test mail
        </Button>
      </Group>
    </Section>
  )
}

type SectionProps = { title: string; beside?: string | undefined; children: ReactNode }

function Section({ title, beside, children }: SectionProps) {
  return (
    <Paper component="section" p="lg" aria-label={title}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} fz="md">
          {title}
        </Title>
        {beside ? (
          <Text size="sm" c="dimmed" role="status">
            {beside}
          </Text>
        ) : null}
      </Group>
      {children}
    </Paper>
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
