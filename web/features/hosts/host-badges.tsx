import { Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnected, IconPlugConnectedX, IconRefreshAlert } from '@tabler/icons-react'
import type { Host } from '../../../shared/hosts.ts'
import { monthsWords, subscriptionDisplay } from '../../lib/subscription-display.ts'
import { formatUtcDay } from '../../ui/format-date.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import classes from './HostsScreen.module.css'
import { NEARLY_FULL } from './host-filters.ts'

export function ZoomBadge({ host }: { host: Host }) {
  const size = { size: 14, stroke: 2 }
  const badge = {
    connected: (
      <StatusBadge tone="good" icon={<IconPlugConnected {...size} />}>
        Connected
      </StatusBadge>
    ),
    reconnect_needed: (
      <StatusBadge tone="warn" icon={<IconRefreshAlert {...size} />}>
        Reconnect needed
      </StatusBadge>
    ),
    not_connected: (
      <StatusBadge tone="quiet" icon={<IconPlugConnectedX {...size} />}>
        Not connected
      </StatusBadge>
    ),
  }[host.zoom_status]
  const warnings = host.zoom_warnings
  if (warnings.length === 0) return badge
  return (
    <span className={classes.badges}>
      {badge}
      <Tooltip multiline maw={320} label={warnings.map(({ message }) => message).join(' ')}>
        <button type="button" className={classes.warning}>
          <IconAlertTriangle size={14} stroke={2} aria-hidden="true" />
          {warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}
        </button>
      </Tooltip>
    </span>
  )
}

export function OnlineBadge({ host }: { host: Host }) {
  return <StatusBadge tone={host.is_online ? 'good' : 'quiet'}>{host.is_online ? 'Online' : 'Offline'}</StatusBadge>
}

export function ActiveBadge({ host }: { host: Host }) {
  return <StatusBadge tone={host.is_active ? 'good' : 'bad'}>{host.is_active ? 'Active' : 'Stopped'}</StatusBadge>
}

/** `withLength` where nothing beside it says for how many months it runs. */
export function SubscriptionCell({ host, now, withLength }: { host: Host; now: number; withLength?: boolean }) {
  const display = subscriptionDisplay(host, now)
  if (!display) return <StatusBadge tone="quiet">None</StatusBadge>
  const tone = display.tone === 'good' && display.warns ? 'warn' : display.tone
  return (
    <span className={classes.lines}>
      <StatusBadge tone={tone}>{display.remaining ?? display.status}</StatusBadge>
      {host.subscription_end_date ? (
        <span className={classes.term}>
          {withLength && host.subscription_type ? (
            <>
              <span className={classes.minor}>{monthsWords(host.subscription_type)},</span>{' '}
            </>
          ) : null}
          <span className={classes.minor}>
            {display.tone === 'good' ? 'until' : 'ended'} {formatUtcDay(host.subscription_end_date)}
          </span>
        </span>
      ) : null}
    </span>
  )
}

export const storageText = ({ storage_used_gb: used, storage_limit_gb: limit }: Host) =>
  `${Math.round(used * 100) / 100} of ${limit} GB`

/** How much of its storage a host has filled; said in words too from where it is nearly full. */
export function StorageCell({ host }: { host: Host }) {
  const { storage_used_gb: used, storage_limit_gb: limit } = host
  const share = Math.min(1, used / limit)
  return (
    <span className={classes.storage} data-full={share > NEARLY_FULL || undefined}>
      <span className={classes.amount}>{storageText(host)}</span>
      <span className={classes.meter} aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
      {share > NEARLY_FULL ? <span className={classes.full}>{share === 1 ? 'Full' : 'Nearly full'}</span> : null}
    </span>
  )
}
