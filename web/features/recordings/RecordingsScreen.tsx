import { Alert, Button, Group, NativeSelect, Paper, Stack } from '@mantine/core'
import { IconCloudOff, IconMicrophone2, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { Recording } from '../../../shared/recordings.ts'
import { SEARCH_LENGTH } from '../../../shared/transcripts.ts'
import { hostRoom } from '../../queries/rooms.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { toast } from '../../ui/toast.tsx'
import { useDataTable, useSelectedRows } from '../../ui/use-data-table.tsx'
import { StartMeetingButton } from '../../widgets/meeting/StartMeetingButton.tsx'
import { ZoomMissing } from '../../widgets/meeting/ZoomMissing.tsx'
import { FoundLines } from './FoundLines.tsx'
import { monthOf, monthsOf } from './months.ts'
import { Player, type PlayerControls } from './Player.tsx'
import { recordings } from './queries.ts'
import { type RecordingRowAction, recordingColumns } from './recording-columns.tsx'
import { ShareRecordingDialog } from './ShareRecordingDialog.tsx'
import { StorageBar } from './StorageBar.tsx'
import { TrashNotice } from './TrashNotice.tsx'
import { useDeletions } from './use-deletions.ts'
import { useDownloads } from './use-downloads.ts'

export function RecordingsScreen() {
  const list = useQuery(recordings)
  const [playing, setPlaying] = useState<Recording | null>(null)
  const [sharing, setSharing] = useState<string | null>(null)
  const [startAt, setStartAt] = useState(0)
  const [words, setWords] = useState('')
  const sought = words.trim()
  const isSearch = sought.length >= SEARCH_LENGTH.shortest
  const [isPlaying, setIsPlaying] = useState(false)
  const player = useRef<PlayerControls>(null)
  const deletions = useDeletions(list.data?.recordings ?? [])
  if (playing && deletions.trashed.some(({ id }) => id === playing.id)) setPlaying(null)
  const { downloads, start, stop } = useDownloads((id) => renewAddress(id, 'download_url'))
  const [wantedMonth, setMonth] = useState('')
  const months = useMemo(() => monthsOf(list.data?.recordings ?? []), [list.data])
  const month = months.some(({ value }) => value === wantedMonth) ? wantedMonth : ''
  const shown = useMemo(
    () => (list.data?.recordings ?? []).filter((one) => month === '' || monthOf(one) === month),
    [list.data, month],
  )
  const table = useDataTable({
    columns: recordingColumns({
      inPlayer: playing && { id: playing.id, isPlaying },
      downloads,
      onAction: handleAction,
    }),
    data: shown,
    getRowId: ({ id }) => id,
  })
  const { selected: chosen } = useSelectedRows(table)

  if (!list.data) {
    return (
      <RecordingsPage>
        <NotLoaded query={list} loading="Loading recordings..." title="Failed to load recordings" />
      </RecordingsPage>
    )
  }

  const { recordings: all, stale, archive } = list.data
  const address = all.find(({ id }) => id === playing?.id)?.file_data.play_url ?? playing?.file_data.play_url

  const shared = all.find(({ id }) => id === sharing)

  function handleAction(action: RecordingRowAction, recording: Recording) {
    if (action === 'delete') void deletions.deleteOne(recording)
    else if (action === 'download') void start(recording)
    else if (action === 'stop') stop(recording)
    else if (action === 'share') setSharing(recording.id)
    else if (action === 'toggle') player.current?.toggle()
    else playFrom(recording, 0)
  }

  function playFrom(recording: Recording, seconds: number) {
    if (!recording.file_data.play_url) return toast.error('No playable file available')
    if (recording.id === playing?.id) {
      player.current?.seek(seconds)
      if (!isPlaying) player.current?.toggle()
    }
    setStartAt(seconds)
    setPlaying(recording)
  }

  /** A file's address expires after an hour; a fresh list has fresh addresses. */
  async function renewAddress(id: string, kind: 'play_url' | 'download_url') {
    const { data } = await list.refetch()
    return data?.recordings.find((one) => one.id === id)?.file_data[kind] ?? undefined
  }

  async function handleRefresh() {
    if ((await list.refetch()).isError) toast.error('Failed to refresh data')
  }

  return (
    <RecordingsPage
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={17} aria-hidden="true" />}
          loading={list.isFetching}
          onClick={handleRefresh}
        >
          Refresh
        </Button>
      }
    >
      {/* As tall as the window, so that the player is at its foot below a short list too. */}
      <Stack gap="md" mih="calc(100dvh - 14rem)">
        <ZoomMissing still="You can still play and download what was archived." />
        {stale ? (
          <Alert color="yellow" icon={<IconCloudOff size={18} aria-hidden="true" />} title="Not up to date">
            Zoom does not answer at the moment. This is the list as Parley knew it last.
          </Alert>
        ) : null}
        <StorageBar archive={archive} />
        {deletions.trashed.length > 0 ? (
          <TrashNotice
            count={deletions.trashed.length}
            busy={deletions.isUndoing}
            onUndo={deletions.undo}
            onDismiss={deletions.forget}
          />
        ) : null}
        {all.length === 0 ? (
          <Paper>
            <NoRecordings />
          </Paper>
        ) : (
          <>
            <Group gap="sm" mih="2.25rem" fz="sm" c="dimmed">
              <SearchField
                flex={{ base: '1 1 100%', sm: '0 1 20rem' }}
                aria-label="Search what was said"
                placeholder="Search what was said"
                maxLength={SEARCH_LENGTH.longest}
                words={words}
                onSearch={setWords}
              />
              {isSearch ? null : (
                <>
                  <NativeSelect
                    aria-label="Month"
                    data={[{ value: '', label: `All months (${all.length})` }, ...months]}
                    value={month}
                    onChange={(event) => setMonth(event.currentTarget.value)}
                  />
                  <span role="status">
                    {shown.length === 1 ? '1 recording' : `${shown.length} recordings`}
                    {chosen.length > 0 ? `, ${chosen.length} selected` : ''}
                  </span>
                </>
              )}
              {chosen.length > 0 && !isSearch ? (
                <Button
                  variant="default"
                  c="var(--bad)"
                  ml="auto"
                  leftSection={<IconTrash size={16} aria-hidden="true" />}
                  loading={deletions.isDeletingMany}
                  onClick={() => void deletions.deleteMany(chosen)}
                >
                  Delete selected
                </Button>
              ) : null}
            </Group>
            {isSearch ? (
              <FoundLines words={sought} onPlay={playFrom} />
            ) : (
              <DataTable label="Recordings" table={table} />
            )}
          </>
        )}
        {shared ? <ShareRecordingDialog recording={shared} onClose={() => setSharing(null)} /> : null}
        {playing && address ? (
          <Player
            key={playing.id}
            controls={player}
            onPlaying={setIsPlaying}
            recording={playing}
            address={address}
            from={startAt}
            renew={() => renewAddress(playing.id, 'play_url')}
            onFailed={() => toast.error('This recording could not be played. Please try again.')}
            onClose={() => setPlaying(null)}
          />
        ) : null}
      </Stack>
    </RecordingsPage>
  )
}

function NoRecordings() {
  const { data: room } = useQuery(hostRoom)
  const hasZoom = room?.zoom_status === 'connected'
  const hint = !room
    ? undefined
    : !hasZoom
      ? 'Recordings come from Zoom, which is not connected to your room. Ask your administrator to connect it.'
      : !room.recording_enabled
        ? 'Recording is off for your room. Ask your administrator to turn it on.'
        : 'Recordings of the last 6 months appear here once Zoom has finished them.'
  return (
    <Empty
      icon={<IconMicrophone2 size={22} stroke={1.75} aria-hidden="true" />}
      hint={hint}
      action={hasZoom && room.recording_enabled && !room.is_live ? <StartMeetingButton size="sm" /> : undefined}
    >
      No recordings found for your room.
    </Empty>
  )
}

function RecordingsPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title="Cloud Recordings" subtitle="Audio of your room's meetings, the last 6 months." actions={actions}>
      {children}
    </Page>
  )
}
