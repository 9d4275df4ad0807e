import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Host } from '../../../shared/hosts.ts'
import { shortDeviceId } from '../../lib/short-device-id.ts'
import { monthsWords } from '../../lib/subscription-display.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatDay, formatMoment, formatUtcDay } from '../../ui/format-date.ts'
import classes from './HostDetailsModal.module.css'
import { HostHistory } from './HostHistory.tsx'
import { ActiveBadge, OnlineBadge, SubscriptionCell, storageText, ZoomBadge } from './host-badges.tsx'

type HostDetailsModalProps = { host: Host; onClose: () => void; onEdit?: () => void }

/** Everything about one host, to read. */
export function HostDetailsModal({ host, onClose, onEdit }: HostDetailsModalProps) {
  return (
    <Dialog onClose={onClose} title="Host Details" size="52rem">
      <HostDetails host={host} />
      <HostHistory id={host.id} />
      {onEdit ? (
        <div className={classes.buttons}>
          <Button variant="default" onClick={onEdit}>
            Edit host
          </Button>
        </div>
      ) : null}
    </Dialog>
  )
}

export function HostDetails({ host }: { host: Host }) {
  return (
    <div className={classes.groups}>
      <Group title="Account">
        <Line label="Username">{host.username}</Line>
        <Line label="Full name">{host.full_name}</Line>
        <Line label="Host ID">{host.user_id}</Line>
        <Line label="Email">{host.email}</Line>
        <Line label="Mobile">{host.mobile}</Line>
        <Line label="Status">
          <ActiveBadge host={host} />
        </Line>
        <Line label="Created">{formatDay(host.created_at)}</Line>
        <Line label="Changed">{formatMoment(host.updated_at)}</Line>
      </Group>
      <Group title="Subscription">
        <Line label="State">
          <SubscriptionCell host={host} now={Date.now()} />
        </Line>
        <Line label="Length">{host.subscription_type ? monthsWords(host.subscription_type) : null}</Line>
        <Line label="Started">{host.subscription_start_date ? formatUtcDay(host.subscription_start_date) : null}</Line>
      </Group>
      <Group title="Room and Zoom">
        <Line label="Room">{host.room_name}</Line>
        <Line label="Meeting ID">{host.rooms[0]?.zoom_meeting_id}</Line>
        <Line label="Users">{host.user_count}</Line>
        <Line label="Zoom">
          <ZoomBadge host={host} />
        </Line>
        {host.zoom_warnings.map(({ code, message }) => (
          <Line key={code} label="Zoom warning">
            {message}
          </Line>
        ))}
        <Line label="Zoom email">{host.zoom_user_email}</Line>
        <Line label="Personal meeting ID">{host.zoom_pmi}</Line>
        <Line label="Recording">{host.recording_enabled ? 'On' : 'Off'}</Line>
        <Line label="Storage">{storageText(host)}</Line>
      </Group>
      <Group title="Last seen">
        <Line label="Phone">
          <OnlineBadge host={host} />
        </Line>
        <Line label="Signed in">{host.login_time ? formatMoment(host.login_time) : null}</Line>
        <Line label="Last seen">{host.last_seen ? formatMoment(host.last_seen) : null}</Line>
        <Line label="Device">{[host.device_model, host.platform, host.app_version].filter(Boolean).join(' · ')}</Line>
        <Line label="Device ID">{host.device_id ? <DeviceId id={host.device_id} /> : null}</Line>
        <Line label="Last sign-in from">{host.last_login_ip}</Line>
        <Line label="Phone's address">{host.ip_address}</Line>
      </Group>
    </div>
  )
}

function DeviceId({ id }: { id: string }) {
  return <span title={id}>{shortDeviceId(id)}</span>
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.group}>
      <h2 className={classes.heading}>{title}</h2>
      <dl className={classes.lines}>{children}</dl>
    </section>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.line}>
      <dt>{label}</dt>
      <dd>{children || children === 0 ? children : <span className={classes.unknown}>None</span>}</dd>
    </div>
  )
}
