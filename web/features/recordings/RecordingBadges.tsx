import { Badge } from '@mantine/core'
import { IconArchive, IconCloud, IconDeviceMobile } from '@tabler/icons-react'
import type { Recording } from '../../../shared/recordings.ts'
import { formatMoment } from '../../ui/format-date.ts'

/** Zoom has more statuses than these two; the others are shown unchanged. */
export function RecordingStatus({ status }: { status: string }) {
  if (status === 'completed') return <Badge color="good">Completed</Badge>
  if (status === 'processing') return <Badge color="warn">Processing</Badge>
  return <Badge color="quiet">{status.charAt(0).toUpperCase() + status.slice(1)}</Badge>
}

export function RecordingSource({ recording: { source, archived } }: { recording: Recording }) {
  if (source === 'local') {
    return (
      <Badge color="brand" leftSection={<IconArchive size={13} />} title="Kept by Parley; Zoom no longer has it">
        Archive
      </Badge>
    )
  }
  return (
    <Badge
      color="quiet"
      leftSection={<IconCloud size={13} />}
      title={archived ? 'At Zoom, and kept by Parley too' : 'At Zoom'}
    >
      {archived ? 'Zoom cloud + archive' : 'Zoom cloud'}
    </Badge>
  )
}

export function RecordingShared({ recording: { shared_until } }: { recording: Recording }) {
  if (!shared_until) return null
  return (
    <Badge
      color="good"
      leftSection={<IconDeviceMobile size={13} />}
      title={`Users can hear it in the phone app until ${formatMoment(shared_until)}`}
    >
      In the app
    </Badge>
  )
}
