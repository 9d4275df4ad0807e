import { Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconCalendarCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { subscriptionDisplay, UTC_DAYS } from '../../../shared/subscription-display.ts'
import { isFactorRequired } from '../../lib/api-client.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { formatUtcDay } from '../../ui/format-date.ts'
import { ownSubscription } from './queries.ts'
import classes from './SubscriptionBox.module.css'

/** The host's subscription, at the foot of the sidebar. */
export function SubscriptionBox({ folded }: { folded: boolean }) {
  const { data: answer, error, isError, isPending } = useQuery(ownSubscription)
  if (isPending) return folded ? null : <div className={classes.box} aria-hidden="true" />
  if (isFactorRequired(error)) return null
  // A failed call does not mean a missing subscription.
  if (isError) return folded ? null : <div className={classes.box}>Subscription unknown</div>

  const subscription = answer.data
  const display = subscriptionDisplay(subscription, serverNow())
  const warns = !display || display.warns
  const icon = warns ? (
    <IconAlertTriangle size={18} stroke={1.75} aria-label="Warning" />
  ) : (
    <IconCalendarCheck size={18} stroke={1.75} aria-hidden="true" />
  )
  const end = subscription.subscription_end_date
  const isPast = display?.tone === 'bad' && end !== null && Date.parse(end) <= serverNow()
  const words = !display
    ? 'No active subscription'
    : isPast
      ? `${display.status} on ${formatUtcDay(end)}`
      : [display.status, display.remaining].filter(Boolean).join(' · ')

  if (folded) {
    return (
      <Tooltip label={`Subscription: ${words}`} position="right">
        <div className={classes.icon} data-tone={display?.tone ?? 'bad'} data-warns={warns || undefined}>
          {icon}
        </div>
      </Tooltip>
    )
  }
  return (
    <section className={classes.box} aria-label="Subscription">
      <p className={classes.head} data-tone={display?.tone ?? 'bad'} data-warns={warns || undefined}>
        {icon}
        {words}
      </p>
      {display && end && !isPast ? (
        <Text inherit mt={2} pl={26} title={UTC_DAYS}>
          until {formatUtcDay(end)}
        </Text>
      ) : null}
    </section>
  )
}
