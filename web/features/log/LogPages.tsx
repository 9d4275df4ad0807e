import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditAnswer, AuditEntry } from '../../../shared/audit.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'

type LogPagesProps = {
  log: UseInfiniteQueryResult<InfiniteData<AuditAnswer['data']>>
  isNarrowed: boolean
  /** Said where nothing was done on these days. */
  noneHint: string
  onShowAll: () => void
  /** Draws the entries, or what stands in their place. */
  children: (entries: AuditEntry[], empty: ReactNode) => ReactNode
}

/** Shows the pages of a log that are loaded, with the button for older ones. */
export function LogPages({ log, isNarrowed, noneHint, onShowAll, children }: LogPagesProps) {
  const entries = log.data?.pages.flatMap((page) => page.entries)
  const empty = (
    <Empty
      icon={<IconHistory size={22} stroke={1.75} aria-hidden="true" />}
      hint={isNarrowed ? 'No action matches this choice.' : noneHint}
      action={
        isNarrowed ? (
          <Button variant="default" onClick={onShowAll}>
            Show all actions
          </Button>
        ) : null
      }
    >
      No actions found
    </Empty>
  )
  return (
    <>
      {entries && log.isError && !log.isFetchNextPageError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      {entries ? (
        children(entries, empty)
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
    </>
  )
}
