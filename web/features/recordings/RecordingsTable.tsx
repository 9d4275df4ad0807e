import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconDownload, IconPlayerPlayFilled, IconTrash, IconX } from '@tabler/icons-react'
import type { Recording } from '../../../shared/recordings.ts'
import cells from '../../ui/cells.module.css'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { SelectBox } from '../../ui/SelectBox.tsx'
import { RecordingSource, RecordingStatus } from './RecordingBadges.tsx'
import { formatDuration, formatSize } from './recording-format.ts'
import type { Downloads } from './use-downloads.ts'

export type RecordingAction = 'play' | 'download' | 'stop' | 'delete'

type RecordingsTableProps = {
  recordings: Recording[]
  playingId: string | undefined
  downloads: Downloads
  selected: ReadonlySet<string>
  allSelected: boolean
  onSelect: (id: string, isSelected: boolean) => void
  onSelectAll: (isSelected: boolean) => void
  onAction: (action: RecordingAction, recording: Recording) => void
}

export function RecordingsTable(props: RecordingsTableProps) {
  const { recordings, playingId, downloads, selected, allSelected, onSelect, onSelectAll, onAction } = props
  const checkbox = ({ id, file_name }: Recording) => (
    <SelectBox id={id} label={`Select ${file_name}`} checked={selected.has(id)} onSelect={onSelect} />
  )
  const columns: Column<Recording>[] = [
    {
      key: 'select',
      card: 'hidden',
      header: (
        <Checkbox
          size="sm"
          aria-label="Select all recordings"
          checked={allSelected}
          indeterminate={!allSelected && selected.size > 0}
          onChange={(event) => onSelectAll(event.currentTarget.checked)}
        />
      ),
      cell: checkbox,
    },
    {
      key: 'name',
      header: 'Recording',
      card: 'heading',
      cell: (recording) => (
        <span className={cells.heading}>
          <span className={cells.inCard}>{checkbox(recording)}</span>
          <span className={cells.lines}>
            <span className={cells.name}>{recording.file_name}</span>
            <span className={cells.minor}>
              {recording.file_data.file_type} · Meeting {recording.meeting_id}
            </span>
          </span>
          <span className={cells.inCard}>
            <RecordingStatus status={recording.status} />
          </span>
        </span>
      ),
    },
    {
      key: 'date',
      header: 'Date',
      cell: ({ created_at }) => <span className={cells.short}>{formatMoment(created_at)}</span>,
    },
    {
      key: 'duration',
      header: 'Duration',
      cell: ({ duration }) => <span className={cells.short}>{formatDuration(duration)}</span>,
    },
    {
      key: 'size',
      header: 'Size',
      cell: ({ file_data, meeting_data }) => (
        <span className={cells.short}>{formatSize(file_data.file_size ?? meeting_data.total_size)}</span>
      ),
    },
    { key: 'status', header: 'Status', card: 'hidden', cell: ({ status }) => <RecordingStatus status={status} /> },
    { key: 'source', header: 'Source', cell: (recording) => <RecordingSource recording={recording} /> },
    {
      key: 'actions',
      header: 'Actions',
      card: 'actions',
      align: 'end',
      cell: (recording) => (
        <RowActions
          recording={recording}
          isPlaying={recording.id === playingId}
          progress={downloads.get(recording.id)}
          onAction={onAction}
        />
      ),
    },
  ]

  return (
    <DataTable
      label="Recordings"
      columns={columns}
      rows={recordings}
      rowKey={({ id }) => id}
      isSelected={({ id }) => selected.has(id)}
    />
  )
}

type RowActionsProps = Pick<RecordingsTableProps, 'onAction'> & {
  recording: Recording
  isPlaying: boolean
  /** Of the download that runs; undefined where none does. */
  progress: number | null | undefined
}

/** Only completed recordings can be played or downloaded. */
function RowActions({ recording, isPlaying, progress, onAction }: RowActionsProps) {
  const { file_name, status } = recording
  return (
    <span className={cells.actions}>
      {status === 'completed' ? (
        <>
          <Button
            size="compact-sm"
            variant={isPlaying ? 'filled' : 'light'}
            leftSection={<IconPlayerPlayFilled size={14} aria-hidden="true" />}
            aria-label={`Play ${file_name}`}
            onClick={() => onAction('play', recording)}
          >
            Play
          </Button>
          {progress === undefined ? (
            <ActionIcon
              aria-label={`Download ${file_name}`}
              title="Download"
              onClick={() => onAction('download', recording)}
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
              onClick={() => onAction('stop', recording)}
            >
              {percent(progress)}
            </Button>
          )}
        </>
      ) : null}
      <ActionIcon
        color="bad"
        aria-label={`Delete ${file_name}`}
        title="Delete"
        onClick={() => onAction('delete', recording)}
      >
        <IconTrash size={18} stroke={1.75} />
      </ActionIcon>
    </span>
  )
}

/** Fills from the left as the file comes. */
function progressStyle(progress: number | null) {
  const share = `${Math.round((progress ?? 0) * 100)}%`
  return { background: `linear-gradient(to right, var(--brand-soft) ${share}, transparent ${share})` }
}

function percent(progress: number | null): string {
  return progress === null ? '…' : `${Math.floor(progress * 100)} %`
}
