import { Button, NativeSelect } from '@mantine/core'
import { IconCalendarCheck, IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { RENEWAL_DAYS_DEFAULT, RENEWAL_DAYS_MAX } from '../../../../shared/renewals.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { downloadFile } from '../../../lib/download.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useKeptFocus } from '../../../ui/use-kept-focus.ts'
import { renewals, renewalsFile } from './queries.ts'
import { RenewalsTable } from './RenewalsTable.tsx'
import { SoldByMonth } from './SoldByMonth.tsx'

const DAYS = [7, 14, 30, 60, 90, RENEWAL_DAYS_MAX]

/** Lists whose subscription ends soon or has just ended, and counts what was sold. */
export function RenewalsScreen() {
  const [query, setQuery] = useSearchParams()
  const days = DAYS.find((one) => String(one) === query.get('days')) ?? RENEWAL_DAYS_DEFAULT
  const list = useQuery(renewals(days))
  const { heading, keepFocus } = useKeptFocus()
  const saving = useMutation({
    mutationFn: () => downloadFile(renewalsFile(days)),
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })

  return (
    <Page
      title="Renewals"
      subtitle="Subscriptions that end soon, and those that ended and were not renewed."
      heading={heading}
      actions={
        <>
          <NativeSelect
            aria-label="Days before and after the end"
            value={String(days)}
            data={DAYS.map((one) => ({
              value: String(one),
              label: one === 366 ? 'Within a year' : `Within ${one} days`,
            }))}
            onChange={({ currentTarget: { value } }) => setQuery({ days: value }, { replace: true })}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={17} aria-hidden="true" />}
            disabled={!list.data}
            loading={saving.isPending}
            onClick={() => saving.mutate()}
          >
            Download CSV
          </Button>
        </>
      }
    >
      {list.data && list.isError ? <Notice tone="warn">Failed to refresh data</Notice> : null}
      {list.data ? (
        <RenewalsTable
          hosts={list.data}
          onGone={keepFocus}
          empty={
            <Empty
              icon={<IconCalendarCheck size={22} stroke={1.75} aria-hidden="true" />}
              hint="No subscription ends in this time or has ended in it."
            >
              Nothing to renew
            </Empty>
          }
        />
      ) : (
        <NotLoaded query={list} loading="Loading subscriptions..." title="Failed to load the subscriptions" />
      )}
      <SoldByMonth />
    </Page>
  )
}
