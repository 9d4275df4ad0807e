import { Alert, Button } from '@mantine/core'
import { IconCloudOff, IconMicrophone2, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { Recording } from '../../shared/recordings.ts'
import { messageOf } from '../api.ts'
import { useSelection } from '../room-users/use-selection.ts'
import { Empty } from '../ui/Empty.tsx'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toast } from '../ui/toast.tsx'
import { Player } from './Player.tsx'
import { recordings } from './queries.ts'
import classes from './RecordingsScreen.module.css'
import { type RecordingAction, RecordingsTable } from './RecordingsTable.tsx'
import { useDeletions } from './use-deletions.ts'

export function RecordingsScreen() {
  const list = useQuery(recordings)
  const [playing, setPlaying] = useState<{ recording: Recording; src: string } | null>(null)
  const deletions = useDeletions()
  const ids = useMemo(() => (list.data?.recordings ?? []).map(({ id }) => id), [list.data])
  const selection = useSelection(ids)

  if (list.isPending) {
    return (
      <RecordingsPage>
        <Panel>
          <Loading label="Loading recordings..." />
        </Panel>
      </RecordingsPage>
    )
  }
  if (!list.data) {
    return (
      <RecordingsPage>
        <Panel>
          <Failed title="Failed to load recordings" retrying={list.isFetching} onRetry={() => void list.refetch()}>
            {messageOf(list.error, 'The list could not be fetched. Check the connection, then try again.')}
          </Failed>
        </Panel>
      </RecordingsPage>
    )
  }

  const { recordings: all, stale } = list.data
  const chosen = all.filter(({ id }) => selection.selected.has(id))

  function handleAction(action: RecordingAction, recording: Recording) {
    const { play_url, download_url } = recording.file_data
    if (action === 'delete') {
      void deletions.deleteOne(recording, all)
    } else if (action === 'play') {
      if (play_url) setPlaying({ recording, src: play_url })
      else toast.error('No playable file available')
    } else if (download_url) download(download_url, recording.file_name)
    else toast.error('No downloadable file available')
  }

  /** The address of a file is good for an hour; a fresh list brings a fresh one. */
  function handlePlayFailed() {
    setPlaying(null)
    toast.error('This recording could not be played. Please try again.')
    void list.refetch()
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
      <div className={classes.screen}>
        {stale ? (
          <Alert color="yellow" icon={<IconCloudOff size={18} aria-hidden="true" />} title="Not up to date">
            Zoom does not answer at the moment. This is the list as Parley knew it last.
          </Alert>
        ) : null}
        {all.length === 0 ? (
          <Panel>
            <Empty
              icon={<IconMicrophone2 size={22} stroke={1.75} aria-hidden="true" />}
              hint="Recordings of the last 6 months appear here once Zoom has finished them."
            >
              No recordings found for your room.
            </Empty>
          </Panel>
        ) : (
          <>
            <div className={classes.tools}>
              <span>
                {all.length === 1 ? '1 recording' : `${all.length} recordings`}
                {chosen.length > 0 ? `, ${chosen.length} selected` : ''}
              </span>
              {chosen.length > 0 ? (
                <Button
                  variant="default"
                  className={classes.delete}
                  leftSection={<IconTrash size={16} aria-hidden="true" />}
                  loading={deletions.isDeletingMany}
                  onClick={() => void deletions.deleteMany(chosen)}
                >
                  Delete selected
                </Button>
              ) : null}
            </div>
            <RecordingsTable
              recordings={all}
              playingId={playing?.recording.id}
              selected={selection.selected}
              allSelected={selection.allSelected}
              onSelect={selection.select}
              onSelectAll={selection.selectAll}
              onAction={handleAction}
            />
          </>
        )}
        {playing ? (
          <Player
            key={playing.src}
            recording={playing.recording}
            src={playing.src}
            onFailed={handlePlayFailed}
            onClose={() => setPlaying(null)}
          />
        ) : null}
      </div>
    </RecordingsPage>
  )
}

function RecordingsPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title="Cloud Recordings" subtitle="Audio of your room's meetings, the last 6 months." actions={actions}>
      {children}
    </Page>
  )
}

function download(url: string, name: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
