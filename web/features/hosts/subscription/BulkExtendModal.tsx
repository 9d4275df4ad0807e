import { Button, Group, List, Progress, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Host } from '../../../../shared/hosts.ts'
import { monthsText } from '../../../../shared/subscription-display.ts'
import { OFFERED_MONTHS } from '../../../../shared/subscriptions.ts'
import { hosts as hostsQuery } from '../../../queries/hosts.ts'
import { CancelButton, Dialog } from '../../../ui/Dialog.tsx'
import { formatUtcDay } from '../../../ui/format-date.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { endAfter, endsAsForetold } from './extension.ts'
import { type FailedExtension, useBulkExtend } from './use-bulk-extend.ts'

const SHOWN = 200

type BulkExtendModalProps = { hosts: Host[]; onClose: () => void }

/** Adds months to many subscriptions, after a preview of each new end. */
export function BulkExtendModal({ hosts: given, onClose }: BulkExtendModalProps) {
  const [hosts] = useState(given) // a copy, in case the list changes
  const [months, setMonths] = useState('1')
  const { progress, run } = useBulkExtend()
  const { state, done, total } = progress
  const listed = useQuery(hostsQuery).data?.data.hosts
  const failures = progress.failures.filter((failure) => !wasDone(failure))
  const unanswered = failures.filter(({ unansweredEnd }) => unansweredEnd !== null)
  const cancelled = hosts.filter(({ subscription_status }) => subscription_status === 'cancelled').length

  function wasDone({ host, unansweredEnd }: FailedExtension): boolean {
    if (unansweredEnd === null) return false
    return endsAsForetold(
      listed?.find(({ id }) => id === host.id),
      unansweredEnd,
    )
  }

  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      title={`Extend ${hosts.length} ${hosts.length === 1 ? 'subscription' : 'subscriptions'}`}
      size="lg"
      busy={state === 'running'}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label="Months to add"
          value={months}
          onChange={setMonths}
          disabled={state !== 'asking'}
          data={OFFERED_MONTHS.map((count) => ({ value: String(count), label: monthsText(count) }))}
        />
        <Text size="sm" c="dimmed">
          The months are added to the end date where it is still ahead, else to today.
          {cancelled > 0 ? ` ${cancelled} of these are cancelled, and their hosts can sign in again.` : ''}
        </Text>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard */}
        <section className="scroll-box" tabIndex={0} aria-label="Preview">
          <Table stickyHeader fz="sm" verticalSpacing="xs" horizontalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Host</Table.Th>
                <Table.Th scope="col">Ends now</Table.Th>
                <Table.Th scope="col">Will end</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {hosts.slice(0, SHOWN).map((host) => (
                <Table.Tr key={host.id}>
                  <Table.Td>
                    <bdi dir="auto">{host.username}</bdi>
                  </Table.Td>
                  <Table.Td>{host.subscription_end_date ? formatUtcDay(host.subscription_end_date) : 'None'}</Table.Td>
                  <Table.Td>{formatUtcDay(endAfter(host, Number(months)))}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
        {hosts.length > SHOWN ? <Text size="sm">And {hosts.length - SHOWN} more.</Text> : null}

        {state === 'running' ? <Progress aria-label="Extended so far" value={(done / total) * 100} size="sm" /> : null}
        {state === 'done' && failures.length < hosts.length ? (
          <Notice tone="good">
            {hosts.length - failures.length} of {hosts.length} extended by {monthsText(Number(months))}
          </Notice>
        ) : null}
        {failures.length > 0 ? (
          <Notice tone="bad">
            Failed to extend subscription
            <List mt={4} fz="inherit" mah="20vh" style={{ overflowY: 'auto' }}>
              {failures.map(({ host, message }) => (
                <List.Item key={host.id}>
                  <bdi dir="auto">{host.username}</bdi>: {message}
                </List.Item>
              ))}
            </List>
            {unanswered.length > 0 ? 'Trying again extends no subscription twice.' : null}
          </Notice>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <CancelButton disabled={state === 'running'}>{state === 'done' ? 'Close' : 'Cancel'}</CancelButton>
          {state === 'done' ? null : (
            <Button loading={state === 'running'} onClick={() => void run(hosts, Number(months))}>
              Extend {hosts.length}
            </Button>
          )}
          {state === 'done' && unanswered.length > 0 ? (
            <Button
              onClick={() =>
                void run(
                  unanswered.map(({ host }) => host),
                  Number(months),
                )
              }
            >
              Try again
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Dialog>
  )
}
