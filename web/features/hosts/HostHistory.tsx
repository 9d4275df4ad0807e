import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { AuditEntry } from '../../../shared/audit.ts'
import type { Subscription, SubscriptionChange } from '../../../shared/subscriptions.ts'
import { messageOf } from '../../lib/api-client.ts'
import { monthsWords } from '../../lib/subscription-display.ts'
import { Failed } from '../../ui/Failed.tsx'
import { formatMoment, formatUtcDay } from '../../ui/format-date.ts'
import { Loading } from '../../ui/Loading.tsx'
import { auditWords } from './audit-words.ts'
import classes from './HostHistory.module.css'
import { recentAudit, subscriptionHistory } from './queries.ts'

/** What happened to a host's subscription, and what was lately done in its name or to it. */
export function HostHistory({ id }: { id: string }) {
  return (
    <div className={classes.parts}>
      <SubscriptionHistory id={id} />
      <RecentAudit id={id} />
    </div>
  )
}

function SubscriptionHistory({ id }: { id: string }) {
  const history = useQuery(subscriptionHistory(id))
  const changes = history.data?.data.history
  return (
    <Part title="Subscription history" query={history} isEmpty={changes?.length === 0}>
      {changes?.map((change) => (
        <li key={change.id}>
          <span>
            <strong>{changeWords(change)}</strong>
            <Text component="span" size="sm" c="dimmed">
              {stateWords(change.before)} → {stateWords(change.after)}
            </Text>
          </span>
          <When at={change.at} by={change.by.name} />
        </li>
      ))}
    </Part>
  )
}

function RecentAudit({ id }: { id: string }) {
  const audit = useQuery(recentAudit(id))
  const entries = audit.data?.data.entries
  return (
    <Part title="Recent activity" query={audit} isEmpty={entries?.length === 0}>
      {entries?.map((entry) => (
        <li key={entry.id}>
          <span>
            <strong>{auditWords(entry.action)}</strong>
            {entry.target?.name && entry.target.id !== id ? (
              <Text component="span" size="sm" c="dimmed">
                {entry.target.name}
              </Text>
            ) : null}
          </span>
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
      <h2 className={classes.heading}>{title}</h2>
      {query.isPending ? <Loading /> : null}
      {failed ? (
        <Failed onRetry={() => void query.refetch()} retrying={query.isFetching}>
          {messageOf(query.error, 'Failed to load data')}
        </Failed>
      ) : null}
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          Nothing yet
        </Text>
      ) : (
        <ul className={classes.list}>{children}</ul>
      )}
    </section>
  )
}

function When({ at, by }: { at: string; by: string }) {
  return (
    <span className={classes.when}>
      <time dateTime={at}>{formatMoment(at)}</time>
      <span>{by}</span>
    </span>
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
  return months ? `${CHANGES[action]}, ${monthsWords(months)}` : CHANGES[action]
}

function stateWords({ subscription_status, subscription_end_date: end }: Subscription): string {
  if (!end) return 'none'
  return `${subscription_status === 'active' ? 'until' : subscription_status} ${formatUtcDay(end)}`
}

const ACTORS = { master: 'A master', host: 'The host', phone: 'A phone', nobody: 'Somebody unknown', system: 'Parley' }

function actorWords({ actor }: AuditEntry): string {
  return actor.name ?? ACTORS[actor.role]
}
