import { IconArchive, IconCloud } from '@tabler/icons-react'
import type { Recording } from '../../../shared/recordings.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'

/** Zoom has more words than these two; each is shown as it comes. */
export function RecordingStatus({ status }: { status: string }) {
  if (status === 'completed') return <StatusBadge tone="good">Completed</StatusBadge>
  if (status === 'processing') return <StatusBadge tone="warn">Processing</StatusBadge>
  return <StatusBadge tone="quiet">{status.charAt(0).toUpperCase() + status.slice(1)}</StatusBadge>
}

export function RecordingSource({ recording: { source, archived } }: { recording: Recording }) {
  if (source === 'local') {
    return (
      <StatusBadge tone="brand" icon={<IconArchive size={13} />} title="Kept by Parley; Zoom no longer has it">
        Archive
      </StatusBadge>
    )
  }
  return (
    <StatusBadge
      tone="quiet"
      icon={<IconCloud size={13} />}
      title={archived ? 'At Zoom, and kept by Parley too' : 'At Zoom'}
    >
      {archived ? 'Zoom cloud + archive' : 'Zoom cloud'}
    </StatusBadge>
  )
}
