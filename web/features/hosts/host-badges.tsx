import { Badge, Group, Progress, Stack, Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnected, IconPlugConnectedX, IconRefreshAlert } from '@tabler/icons-react'
import type { Host } from '../../../shared/hosts.ts'
import {
  monthsText,
  type ShownSubscription,
  subscriptionDisplay,
  UTC_DAYS,
} from '../../../shared/subscription-display.ts'
import { formatUsedOfLimit } from '../../lib/format-size.ts'
import { serverNow } from '../../lib/server-clock.ts'
import cells from '../../ui/cells.module.css'
import { formatUtcDay } from '../../ui/format-date.ts'

import { isUsable, NEARLY_FULL } from './host-filters.ts'

export function ZoomBadge({ host }: { host: Host }) {
  const size = { size: 14, stroke: 2 }
  const badge = {
    connected: (
      <Badge color="good" leftSection={<IconPlugConnected {...size} />}>
        Connected
      </Badge>
    ),
    reconnect_needed: (
      <Badge color="warn" leftSection={<IconRefreshAlert {...size} />}>
        Reconnect needed
      </Badge>
    ),
    not_connected: (
      <Badge color="quiet" leftSection={<IconPlugConnectedX {...size} />}>
        Not connected
      </Badge>
    ),
  }[host.zoom_status]
  const warnings = host.zoom_warnings
  if (warnings.length === 0) return badge
  return (
    <Group component="span" gap={6} display="inline-flex">
      {badge}
      <Tooltip multiline maw={320} label={warnings.map(({ message }) => message).join(' ')}>
        <Badge
          component="button"
          type="button"
          color="warn"
          leftSection={<IconAlertTriangle size={14} stroke={2} aria-hidden="true" />}
        >
          {warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}
        </Badge>
      </Tooltip>
    </Group>
  )
}

export function OnlineBadge({ host }: { host: Host }) {
  return <Badge color={host.is_online ? 'good' : 'quiet'}>{host.is_online ? 'Online' : 'Offline'}</Badge>
}

export function ActiveBadge({ host }: { host: Host }) {
  if (!host.is_active) return <Badge color="bad">Stopped</Badge>
  if (isUsable(host)) return <Badge color="good">Active</Badge>
  return (
    <Badge color="quiet" title="Its phones cannot sign in, as its subscription is not active">
      Inactive
    </Badge>
  )
}

type SubscriptionCellProps = {
  host: ShownSubscription
  now?: number
  /** Set if the months are shown beside it, or if the reader is the host. */
  withoutMonths?: boolean
}

export function SubscriptionCell({ host, now = serverNow(), withoutMonths = false }: SubscriptionCellProps) {
  const display = subscriptionDisplay(host, now)
  if (!display) return <Badge color="quiet">None</Badge>
  const tone = display.tone === 'good' && display.warns ? 'warn' : display.tone
  return (
    <span className={cells.lines}>
      <Badge color={tone}>{display.remaining ?? display.status}</Badge>
      {host.subscription_end_date ? (
        <span className={cells.minor} title={UTC_DAYS}>
          {display.tone === 'good' ? 'until' : 'ended'} {formatUtcDay(host.subscription_end_date)}
          {withoutMonths ? ' (UTC)' : null}
        </span>
      ) : null}
      {host.subscription_type && !withoutMonths ? (
        <span className={cells.minor} title={`Last extended by ${monthsText(host.subscription_type)}`}>
          last extension: {monthsText(host.subscription_type)}
        </span>
      ) : null}
    </span>
  )
}

export const storageText = ({ storage_used_gb: used, storage_limit_gb: limit }: Host) => formatUsedOfLimit(used, limit)

/** Shows how full a host's storage is; once it is nearly full, in words too. */
export function StorageCell({ host }: { host: Host }) {
  const { storage_used_gb: used, storage_limit_gb: limit } = host
  const share = Math.min(1, used / limit)
  const isNearlyFull = share > NEARLY_FULL
  return (
    <Stack component="span" gap={4} display="inline-flex" fz="xs" className={cells.short}>
      {storageText(host)}
      <Progress
        component="span"
        size={4}
        value={share * 100}
        color={isNearlyFull ? 'var(--warn)' : undefined}
        aria-hidden="true"
      />
      {isNearlyFull ? (
        <Text component="span" fz={12} fw={600} c="var(--warn)">
          {share === 1 ? 'Full' : 'Nearly full'}
        </Text>
      ) : null}
    </Stack>
  )
}
