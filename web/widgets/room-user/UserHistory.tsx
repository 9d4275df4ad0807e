import { Badge, Button, Text } from '@mantine/core'
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/api-client.ts'
import { formatSpan } from '../../lib/periods.ts'
import { userAudit, userHistory } from '../../queries/room-users.ts'
import { Loading } from '../../ui/base/Loading.tsx'
import facts from '../../ui/Facts.module.css'
import { formatMoment } from '../../ui/format-date.ts'
import { auditSentenceText } from '../audit/audit-sentence.ts'
import { FactsSection } from './UserFacts.tsx'
import classes from './UserPanel.module.css'

export function UserVisits({ id }: { id: string }) {
  const query = useInfiniteQuery(userHistory(id))
  const [newest] = query.data?.pages ?? []
  const stays = query.data?.pages.flatMap((page) => page.stays) ?? []
  return (
    <FactsSection title="Visits">
      <Pages query={query} isEmpty={stays.length === 0} none="This user has not been online yet." more="Earlier visits">
        {newest ? (
          <Text size="sm" mb="xs">
            {newest.visits === 1 ? '1 visit' : `${newest.visits.toLocaleString('en')} visits`},{' '}
            {formatSpan(newest.total_seconds)} in all
          </Text>
        ) : null}
        <ul className={facts.lines}>
          {stays.map(({ joined_at, left_at, seconds }) => (
            <li key={joined_at}>
              <time dateTime={joined_at}>{formatMoment(joined_at)}</time>
              {left_at === null ? (
                <Badge color="good">Online now</Badge>
              ) : (
                <Text component="span" flex="none" size="xs" c="dimmed">
                  {formatSpan(seconds)}
                </Text>
              )}
            </li>
          ))}
        </ul>
      </Pages>
    </FactsSection>
  )
}

/** The user's own actions, and the actions of others on the user. */
export function UserAudit({ id }: { id: string }) {
  const query = useInfiniteQuery(userAudit(id))
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <FactsSection title="Activity">
      <Pages query={query} isEmpty={entries.length === 0} none="Nothing yet." more="Earlier entries">
        <ul className={facts.lines}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <span className={classes.entry}>{auditSentenceText(entry)}</span>
              <Text component="time" flex="none" size="xs" c="dimmed" ta="end" dateTime={entry.at}>
                {formatMoment(entry.at)}
              </Text>
            </li>
          ))}
        </ul>
      </Pages>
    </FactsSection>
  )
}

type PagesProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'isPending' | 'error' | 'data' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >
  isEmpty: boolean
  none: string
  more: string
  children: ReactNode
}

function Pages({ query, isEmpty, none, more, children }: PagesProps) {
  if (query.isPending) return <Loading />
  if (query.data === undefined)
    return (
      <Text size="sm" role="alert">
        {messageOf(query.error, 'This could not be fetched.')}{' '}
        <Button size="compact-sm" variant="default" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Text>
    )
  if (isEmpty)
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )
  return (
    <>
      {children}
      {query.hasNextPage ? (
        <Button
          mt="xs"
          size="compact-sm"
          variant="subtle"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {more}
        </Button>
      ) : null}
    </>
  )
}
