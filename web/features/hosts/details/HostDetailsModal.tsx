import { Box, Button, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Host } from '../../../../shared/hosts.ts'
import { monthsText, UTC_DAYS } from '../../../../shared/subscription-display.ts'
import { formatMeetingId } from '../../../lib/format-meeting-id.ts'
import { shortDeviceId } from '../../../lib/short-device-id.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fact, Facts } from '../../../ui/Facts.tsx'
import { formatDay, formatMoment, formatUtcDay } from '../../../ui/format-date.ts'
import { ActiveBadge, OnlineBadge, SubscriptionCell, storageText, ZoomBadge } from '../host-badges.tsx'
import { HostData } from './HostData.tsx'
import { HostHistory } from './HostHistory.tsx'
import { HostResetLink } from './HostResetLink.tsx'

type HostDetailsModalProps = { host: Host; onClose: () => void; onEdit?: () => void }

/** Shows all data of one host, read-only. */
export function HostDetailsModal({ host, onClose, onEdit }: HostDetailsModalProps) {
  return (
    <Dialog onClose={onClose} title="Host Details" size="52rem">
      <HostDetails host={host} />
      {onEdit && host.subscription_status !== 'cancelled' ? <HostResetLink id={host.id} email={host.email} /> : null}
      {onEdit ? <HostData id={host.id} /> : null}
      <HostHistory id={host.id} />
      {onEdit ? (
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onEdit}>
            Edit host
          </Button>
        </Group>
      ) : null}
    </Dialog>
  )
}

export function HostDetails({ host }: { host: Host }) {
  const meetingId = host.rooms[0]?.zoom_meeting_id
  return (
    <Box style={{ columns: '17rem', columnGap: '2rem' }}>
      <Part title="Account">
        <Fact label="Username">
          <bdi dir="auto">{host.username}</bdi>
        </Fact>
        <Fact label="Full name">{host.full_name ? <bdi dir="auto">{host.full_name}</bdi> : null}</Fact>
        <Fact label="Host ID">{host.user_id}</Fact>
        <Fact label="Email">{host.email}</Fact>
        <Fact label="Mobile">{host.mobile}</Fact>
        <Fact label="Status">
          <ActiveBadge host={host} />
        </Fact>
        <Fact label="Created">{formatDay(host.created_at)}</Fact>
        <Fact label="Changed">{formatMoment(host.updated_at)}</Fact>
      </Part>
      <Part title="Subscription">
        <Fact label="State">
          <SubscriptionCell host={host} withoutMonths />
        </Fact>
        <Fact label="Last extended by">{host.subscription_type ? monthsText(host.subscription_type) : null}</Fact>
        <Fact label="Started">
          {host.subscription_start_date ? (
            <span title={UTC_DAYS}>{formatUtcDay(host.subscription_start_date)} (UTC)</span>
          ) : null}
        </Fact>
      </Part>
      <Part title="Room and Zoom">
        <Fact label="Room">
          <bdi dir="auto">{host.room_name}</bdi>
        </Fact>
        <Fact label="Meeting ID">{meetingId && formatMeetingId(meetingId)}</Fact>
        <Fact label="Users">{host.user_count.toLocaleString('en')}</Fact>
        <Fact label="Zoom">
          <ZoomBadge host={host} />
        </Fact>
        {host.zoom_warnings.map(({ code, message }) => (
          <Fact key={code} label="Zoom warning">
            {message}
          </Fact>
        ))}
        <Fact label="Zoom email">{host.zoom_user_email}</Fact>
        <Fact label="Personal meeting ID">{host.zoom_pmi && formatMeetingId(host.zoom_pmi)}</Fact>
        <Fact label="Recording">{recordingWords(host)}</Fact>
        <Fact label="Storage">{storageText(host)}</Fact>
        {host.unarchived_recordings > 0 ? (
          <Fact label="Recordings not archived">{host.unarchived_recordings}</Fact>
        ) : null}
      </Part>
      <Part title="Last seen">
        <Fact label="Phone">
          <OnlineBadge host={host} />
        </Fact>
        {lastSeenFacts(host).map(([label, value]) =>
          value ? (
            <Fact key={label} label={label}>
              {value}
            </Fact>
          ) : null,
        )}
      </Part>
    </Box>
  )
}

/** Includes unknown values, which the caller omits: before the first sign-in by phone nearly all are unknown. */
function lastSeenFacts(host: Host): [label: string, value: ReactNode][] {
  return [
    ['Signed in', host.login_time && formatMoment(host.login_time)],
    ['Last seen', host.last_seen && formatMoment(host.last_seen)],
    ['Model', [host.device_model, host.platform, host.app_version].filter(Boolean).join(' · ')],
    ['Device ID', host.device_id && <DeviceId id={host.device_id} />],
    ['Last sign-in from', host.last_login_ip],
    ['Phone’s address', host.ip_address],
  ]
}

function DeviceId({ id }: { id: string }) {
  return <span title={id}>{shortDeviceId(id)}</span>
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" pb="lg" style={{ breakInside: 'avoid' }}>
      <Title order={2} fz="xs" c="dimmed" mb={6}>
        {title}
      </Title>
      <Facts>{children}</Facts>
    </Box>
  )
}

/** Zoom does the recording, so the switch has no effect without it. */
function recordingWords({ recording_enabled, zoom_status }: Host): string {
  if (!recording_enabled) return 'Off'
  return zoom_status === 'connected' ? 'On' : 'On, once Zoom is connected'
}
