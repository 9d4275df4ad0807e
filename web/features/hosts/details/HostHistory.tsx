import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { monthsText } from '../../../../shared/subscription-display.ts'
import type { Subscription, SubscriptionChange } from '../../../../shared/subscriptions.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { Loading } from '../../../ui/base/Loading.tsx'
import facts from '../../../ui/Facts.module.css'
import { Failed } from '../../../ui/Failed.tsx'
import { formatMoment, formatUtcDay } from '../../../ui/format-date.ts'
import { actorWords } from '../../../widgets/audit/actor-words.ts'
import { auditActionText, timesText } from '../../../widgets/audit/audit-words.ts'
import { foldEntries } from '../../../widgets/audit/fold-entries.ts'
import { recentAudit, subscriptionHistory } from '../queries.ts'

/** The changes of a host's subscription, and the recent actions by the host or on it. */
export function HostHistory({ id }: { id: string }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      <SubscriptionHistory id={id} />
      <Stack gap="xs">
        <RecentAudit id={id} />
        <Anchor component={Link} to={`/master/log?host=${id}`} size="sm" fw={600}>
          All history of this host
        </Anchor>
      </Stack>
    </SimpleGrid>
  )
}

function SubscriptionHistory({ id }: { id: string }) {
  const history = useQuery(subscriptionHistory(id))
  const changes = history.data?.data.history
  return (
    <Part title="Subscription history" query={history} isEmpty={changes?.length === 0}>
      {changes?.map((change) => (
        <li key={change.id}>
          <Stack component="span" gap={0} miw={0}>
            <Text inherit component="span" fw={600}>
              {changeWords(change)}
            </Text>
            <Text component="span" size="sm" c="dimmed">
              {stateWords(change.before)} → {stateWords(change.after)}
            </Text>
          </Stack>
          <When at={change.at} by={change.by.name} />
        </li>
      ))}
    </Part>
  )
}

/** The number of lines shown. More entries are fetched, since many of them may fold into one line. */
const SHOWN = 20

function RecentAudit({ id }: { id: string }) {
  const audit = useQuery(recentAudit(id))
  const entries = audit.data?.data.entries
  const lines = entries && foldEntries(entries).slice(0, SHOWN)
  return (
    <Part title="Recent activity" query={audit} isEmpty={entries?.length === 0}>
      {lines?.map(({ entry, users }) => (
        <li key={entry.id}>
          <Stack component="span" gap={0} miw={0}>
            <Text inherit component="span" fw={600}>
              {auditActionText(entry.action) + timesText(entry)}
            </Text>
            {entry.target?.name && entry.target.id !== id ? (
              <Text component="span" size="sm" c="dimmed">
                {entry.target.name}
              </Text>
            ) : users.length > 1 ? (
              <Text component="span" size="sm" c="dimmed">
                {users.length.toLocaleString('en')} users
              </Text>
            ) : null}
          </Stack>
          <When at={entry.at} by={actorWords(entry)} />
        </li>
      ))}
    </Part>
  )
}

type PartProps = {
  title: string
  query: { isPending: boolean; isFetching: boolean; error: unknown; data: unknown; refetch: () => unknown }
  isEmpty: boolean
  children: ReactNode
}

function Part({ title, query, isEmpty, children }: PartProps) {
  const failed = query.error !== null && query.data === undefined
  return (
    <section>
      <Title order={2} fz="xs" c="dimmed" mb={6}>
        {title}
      </Title>
      {query.isPending ? <Loading /> : null}
      {failed ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching}>
          {messageOf(query.error, 'Failed to load data')}
        </Failed>
      ) : null}
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          Nothing yet
        </Text>
      ) : (
        <ul className={facts.lines}>{children}</ul>
      )}
    </section>
  )
}

function When({ at, by }: { at: string; by: string }) {
  return (
    <Stack component="span" gap={0} align="flex-end" flex="none" maw="50%" fz="xs" c="dimmed">
      <time dateTime={at}>{formatMoment(at)}</time>
      <span>{by}</span>
    </Stack>
  )
}

const CHANGES = {
  created: 'Created',
  extended: 'Extended',
  reduced: 'Reduced',
  date_set: 'End date set',
  cancelled: 'Cancelled',
  edited: 'Edited',
}

function changeWords({ action, months }: z.infer<typeof SubscriptionChange>): string {
  return months ? `${CHANGES[action]}, ${monthsText(months)}` : CHANGES[action]
}

function stateWords({ subscription_status, subscription_end_date: end }: Subscription): string {
  if (!end) return 'none'
  return `${subscription_status === 'active' ? 'until' : subscription_status} ${formatUtcDay(end)}`
}
