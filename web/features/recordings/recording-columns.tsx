import { ActionIcon, Button, Group } from '@mantine/core'
import {
  IconDeviceMobileShare,
  IconDownload,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import type { Recording } from '../../../shared/recordings.ts'
import { formatMeetingId } from '../../lib/format-meeting-id.ts'
import { formatSize } from '../../lib/format-size.ts'
import { CardActions } from '../../ui/CardActions.tsx'
import cells from '../../ui/cells.module.css'
import { formatMoment } from '../../ui/format-date.ts'
import { NameCell } from '../../ui/NameCell.tsx'
import { useClickGuard } from '../../ui/use-click-guard.ts'
import { actionsColumn, type Column, selectColumn } from '../../ui/use-data-table.tsx'
import { RecordingShared, RecordingSource, RecordingStatus } from './RecordingBadges.tsx'
import { formatDuration } from './recording-format.ts'
import type { Downloads } from './use-downloads.ts'

export type RecordingRowAction = 'play' | 'toggle' | 'download' | 'stop' | 'share' | 'delete'

type ColumnsOptions = {
  /** The recording in the player; `isPlaying` is false while it is paused. */
  inPlayer: { id: string; isPlaying: boolean } | null
  downloads: Downloads
  onAction: (action: RecordingRowAction, recording: Recording) => void
}

export function recordingColumns({ inPlayer, downloads, onAction }: ColumnsOptions): Column<Recording>[] {
  return [
    selectColumn('Select all recordings', ({ file_name }) => file_name),
    {
      header: 'Recording',
      meta: { card: 'heading' },
      cell: ({ row: { original: recording } }) => (
        <>
          <NameCell
            name={recording.topic || recording.file_name}
            detail={`${recording.file_data.file_type} · Meeting ${formatMeetingId(recording.meeting_id)}`}
          />
          <span className={cells.inCard}>
            <RecordingStatus status={recording.status} />
          </span>
        </>
      ),
    },
    {
      header: 'Date',
      cell: ({ row }) => <span className={cells.short}>{formatMoment(row.original.created_at)}</span>,
    },
    {
      header: 'Duration',
      cell: ({ row }) => <span className={cells.short}>{formatDuration(row.original.duration)}</span>,
    },
    {
      header: 'Size',
      cell: ({ row: { original } }) => (
        <span className={cells.short}>
          {formatSize(original.file_data.file_size ?? original.meeting_data.total_size)}
        </span>
      ),
    },
    {
      header: 'Status',
      meta: { card: 'hidden' },
      cell: ({ row }) => <RecordingStatus status={row.original.status} />,
    },
    {
      header: 'Source',
      cell: ({ row: { original } }) => (
        <Group gap={6}>
          <RecordingSource recording={original} />
          <RecordingShared recording={original} />
        </Group>
      ),
    },
    actionsColumn((recording) => (
      <RowActions
        recording={recording}
        playing={recording.id === inPlayer?.id ? (inPlayer.isPlaying ? 'on' : 'paused') : 'off'}
        progress={downloads.get(recording.id)}
        onAction={onAction}
      />
    )),
  ]
}

type RowActionsProps = Pick<ColumnsOptions, 'onAction'> & {
  recording: Recording
  playing: 'on' | 'paused' | 'off'
  /** The progress of a running download; undefined without one. */
  progress: number | null | undefined
}

/** Only completed recordings can be played or downloaded. */
function RowActions({ recording, playing, progress, onAction }: RowActionsProps) {
  const { file_name, status } = recording
  const PlayIcon = playing === 'on' ? IconPlayerPauseFilled : IconPlayerPlayFilled
  const download = progress === undefined ? 'download' : 'stop'
  const isMeant = useClickGuard([download]) // one button takes the place of the other under the pointer
  const handleDownload = (event: MouseEvent) => {
    if (isMeant(download, event)) onAction(download, recording)
  }
  return (
    <>
      {status === 'completed' ? (
        <>
          <Button
            size="compact-sm"
            miw="5.625rem"
            variant={playing === 'off' ? 'light' : 'filled'}
            leftSection={<PlayIcon size={14} aria-hidden="true" />}
            aria-label={`${playing === 'on' ? 'Pause' : 'Play'} ${file_name}`}
            onClick={() => onAction(playing === 'off' ? 'play' : 'toggle', recording)}
          >
            {playing === 'on' ? 'Pause' : 'Play'}
          </Button>
          {progress === undefined ? (
            <ActionIcon
              className={cells.inTable}
              aria-label={`Download ${file_name}`}
              title="Download"
              onClick={handleDownload}
            >
              <IconDownload size={18} stroke={1.75} />
            </ActionIcon>
          ) : (
            <Button
              size="compact-sm"
              variant="default"
              miw="4.25rem"
              style={progressStyle(progress)}
              leftSection={<IconX size={14} aria-hidden="true" />}
              aria-label={`Stop downloading ${file_name}, ${percent(progress)}`}
              title="Stop the download"
              onClick={handleDownload}
            >
              {percent(progress)}
            </Button>
          )}
        </>
      ) : null}
      {status === 'completed' ? (
        <ActionIcon
          className={cells.inTable}
          aria-label={`Share ${file_name} in the phone app`}
          title="Share in the phone app"
          onClick={() => onAction('share', recording)}
        >
          <IconDeviceMobileShare size={18} stroke={1.75} />
        </ActionIcon>
      ) : null}
      <ActionIcon
        className={cells.inTable}
        color="bad"
        aria-label={`Delete ${file_name}`}
        title="Delete"
        onClick={() => onAction('delete', recording)}
      >
        <IconTrash size={18} stroke={1.75} />
      </ActionIcon>
      <CardActions
        name={file_name}
        actions={[
          ...(status === 'completed' && progress === undefined
            ? [{ label: 'Download', icon: IconDownload, onChoose: () => onAction('download', recording) }]
            : []),
          ...(status === 'completed'
            ? [
                {
                  label: 'Share in the phone app',
                  icon: IconDeviceMobileShare,
                  onChoose: () => onAction('share', recording),
                },
              ]
            : []),
          { label: 'Delete', icon: IconTrash, isDanger: true, onChoose: () => onAction('delete', recording) },
        ]}
      />
    </>
  )
}

/** Fills from the left as the file arrives. */
function progressStyle(progress: number | null) {
  const share = `${Math.round((progress ?? 0) * 100)}%`
  return { background: `linear-gradient(to right, var(--brand-soft) ${share}, transparent ${share})` }
}

function percent(progress: number | null): string {
  return progress === null ? '…' : `${Math.floor(progress * 100)} %`
}
