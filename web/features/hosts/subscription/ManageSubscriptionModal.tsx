import { Box, Button, Divider, Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Host } from '../../../../shared/hosts.ts'
import { monthsText } from '../../../../shared/subscription-display.ts'
import { OFFERED_MONTHS } from '../../../../shared/subscriptions.ts'
import { isOutcomeUnknown, messageOf } from '../../../lib/api-client.ts'
import cells from '../../../ui/cells.module.css'
import { confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatUtcDay } from '../../../ui/format-date.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { SubscriptionCell } from '../host-badges.tsx'
import { useCancelSubscription, useExtendSubscription } from '../queries.ts'
import { useCloseAfter } from '../use-close-after.ts'
import { endAfter, endsAsForetold } from './extension.ts'

/** An extension without an answer, and the end that was foretold for it. */
type Unanswered = { months: number; end: string }

/** `chosen`: the months to add that are chosen first. */
type ManageSubscriptionModalProps = { host: Host; chosen?: number | undefined; onClose: () => void }

export function ManageSubscriptionModal({ host, chosen = 1, onClose }: ManageSubscriptionModalProps) {
  const [months, setMonths] = useState(String(chosen))
  const [unanswered, setUnanswered] = useState<Unanswered | null>(null)
  const extension = useExtendSubscription()
  const cancel = useCancelSubscription()
  const end = endAfter(host, Number(months))
  const wasExtended = unanswered !== null && endsAsForetold(host, unanswered.end)
  const cancelled = host.subscription_status === 'cancelled'
  const wasCancelled = cancelled && isOutcomeUnknown(cancel.error)
  const done = doneText()
  const isPending = extension.isPending || cancel.isPending
  const busy = isPending || done !== null

  useCloseAfter(done !== null, onClose)

  function doneText(): string | null {
    if (unanswered && wasExtended) return `Subscription extended by ${monthsText(unanswered.months)}`
    if (wasCancelled) return 'Subscription cancelled'
    if (extension.isSuccess || cancel.isSuccess)
      return extension.data?.message ?? cancel.data?.message ?? 'Subscription changed'
    return null
  }

  function handleExtend() {
    cancel.reset()
    const call = { months: Number(months), end }
    extension.mutate(
      { id: host.id, months: call.months, seenEnd: host.subscription_end_date },
      { onError: (error) => setUnanswered(isOutcomeUnknown(error) ? call : null) },
    )
  }

  async function handleCancel() {
    const seenEnd = host.subscription_end_date // the list may change while the confirmation is open
    const agreed = await confirm({
      title: `Cancel the subscription of ${host.username}?`,
      body: 'The host can no longer sign in, and every phone in its room is signed out. You can undo it by extending the subscription.',
      confirmLabel: 'Cancel subscription',
      cancelLabel: 'Keep it',
      danger: true,
    })
    if (!agreed) return
    extension.reset()
    cancel.mutate({ id: host.id, seenEnd })
  }

  const failed = extension.isError
    ? messageOf(extension.error, 'Failed to extend subscription')
    : cancel.isError
      ? messageOf(cancel.error, 'Failed to cancel subscription')
      : null

  return (
    <Dialog onClose={onClose} title="Manage Subscription" size="md" busy={isPending}>
      <Group justify="space-between" wrap="nowrap" pb="sm" data-align="end">
        <PersonText text={host.username} className={cells.name} wraps />
        <SubscriptionCell host={host} />
      </Group>
      <Divider />

      <Box component="section" py="sm" aria-labelledby="extend-subscription">
        <Title order={3} fz="md" id="extend-subscription">
          Extend
        </Title>
        <Text size="sm" c="dimmed">
          {cancelled
            ? 'The months start today, and the host can sign in again.'
            : 'The months are added to the current period.'}
        </Text>
        <Group justify="space-between" gap="xs" mt="sm">
          <SegmentedControl
            aria-label="Months to add"
            value={months}
            onChange={setMonths}
            disabled={busy}
            data={OFFERED_MONTHS.map((count) => ({ value: String(count), label: monthsText(count) }))}
          />
          <Button onClick={handleExtend} loading={extension.isPending} disabled={busy}>
            Extend
          </Button>
        </Group>
        {extension.isSuccess || wasExtended ? null : (
          <Text size="sm" mt="sm" aria-live="polite">
            After extending: <strong>Active</strong> until <strong>{formatUtcDay(end)}</strong> (UTC)
          </Text>
        )}
      </Box>

      {cancelled || host.subscription_status === 'none' ? null : (
        <>
          <Divider />
          <Box component="section" py="sm" aria-labelledby="cancel-subscription">
            <Title order={3} fz="md" id="cancel-subscription">
              Cancel
            </Title>
            <Text size="sm" c="dimmed">
              Takes effect immediately: the host can no longer sign in. You can undo it by extending the subscription.
            </Text>
            <Button
              variant="light"
              color="red"
              mt="sm"
              onClick={() => void handleCancel()}
              loading={cancel.isPending}
              disabled={busy}
            >
              Cancel subscription
            </Button>
          </Box>
        </>
      )}

      {failed && !done ? <Notice tone="bad">{failed}</Notice> : null}
      {done ? <Notice tone="good">{done}</Notice> : null}
    </Dialog>
  )
}
