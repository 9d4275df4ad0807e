import { Group, NativeSelect, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Host } from '../../../../shared/hosts.ts'
import { monthsText } from '../../../../shared/subscription-display.ts'
import { SUBSCRIPTION_MONTHS } from '../../../../shared/subscriptions.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { DayField } from '../../../ui/DayField.tsx'
import { formatUtcDay } from '../../../ui/format-date.ts'
import { SubscriptionCell } from '../host-badges.tsx'
import { type EditHostValues, earliestDay, editedSubscription } from './edit-host-form.ts'

type SubscriptionEditorProps = { form: UseFormReturnType<EditHostValues>; host: Host }

/** Chooses a change of the subscription that saving applies, and previews the result. */
export function SubscriptionEditor({ form, host }: SubscriptionEditorProps) {
  const { action } = form.values
  const now = serverNow()
  const after = editedSubscription(form.values, host, now)?.after

  return (
    <Paper component="section" shadow="none" p="md" bg="var(--surface-sunken)" aria-labelledby="edit-subscription">
      <Group justify="space-between" wrap="nowrap" pb="xs" data-align="end">
        <Title order={3} fz="md" id="edit-subscription">
          Subscription
        </Title>
        <SubscriptionCell host={host} now={now} />
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NativeSelect
          label="Action"
          data={[
            { value: '', label: 'No change' },
            { value: 'extend', label: 'Extend' },
            { value: 'reduce', label: 'Reduce', disabled: host.subscription_end_date === null },
            { value: 'set_date', label: 'Set end date' },
            { value: 'cancel', label: 'Cancel', disabled: host.subscription_status === 'cancelled' },
          ]}
          {...form.getInputProps('action')}
          onChange={({ currentTarget: { value } }) => {
            form.getInputProps('action').onChange(value)
            for (const field of ['months', 'day'] as const) form.clearFieldError(field) // errors of the previous action
          }}
        />
        <NativeSelect
          label="Duration"
          disabled={action !== 'extend' && action !== 'reduce'}
          data={SUBSCRIPTION_MONTHS.map((count) => ({ value: String(count), label: monthsText(count) }))}
          {...form.getInputProps('months')}
        />
        <DayField
          label="End date"
          min={earliestDay(now)}
          disabled={action !== 'set_date'}
          {...form.getInputProps('day')}
          value={form.values.day}
        />
      </SimpleGrid>
      <div aria-live="polite">
        {after ? (
          <Text size="sm" mt="sm">
            After saving: <strong>{WORDS[after.subscription_status]}</strong>
            {after.subscription_end_date ? (
              <>
                {' '}
                {after.subscription_status === 'active' ? 'until' : 'since'}{' '}
                <strong>{formatUtcDay(after.subscription_end_date)}</strong>
              </>
            ) : null}
            {action === 'cancel'
              ? '. The host can no longer sign in, and every phone in its room is signed out.'
              : null}
            {action !== 'cancel' && host.subscription_status === 'cancelled' ? '. The host can sign in again.' : null}
          </Text>
        ) : null}
      </div>
    </Paper>
  )
}

const WORDS = { active: 'Active', expired: 'Expired', cancelled: 'Cancelled', none: 'None' }
