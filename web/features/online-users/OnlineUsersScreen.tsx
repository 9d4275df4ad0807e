import { useCallback, useState } from 'react'
import { messageOf } from '../../lib/api-client.ts'
import { Failed } from '../../ui/Failed.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { toast } from '../../ui/toast.tsx'
import { useFailure } from '../../ui/use-failure.ts'
import { KeyHints } from './controls/KeyHints.tsx'
import { LiveRegion } from './controls/LiveRegion.tsx'
import { useActOnParticipant } from './controls/participant-actions.ts'
import { RoomActions } from './controls/RoomActions.tsx'
import { RoomNews } from './controls/RoomNews.tsx'
import { RoomSummary } from './controls/RoomSummary.tsx'
import { UndoButton } from './controls/UndoButton.tsx'
import type { UndoMuteAll } from './controls/undo-mute-all.ts'
import { useDelivery } from './controls/use-delivery.ts'
import type { LiveRoom } from './live-room/live-room.ts'
import { useConnection } from './live-room/use-connection.ts'
import { useLiveRoom } from './live-room/use-live-room.ts'
import { useRoom } from './live-room/use-room.ts'
import classes from './OnlineUsersScreen.module.css'
import { useCleanUpStaleUsers } from './queries.ts'
import { ActiveUsers } from './speakers/ActiveUsers.tsx'
import { HandQueue } from './speakers/HandQueue.tsx'
import { useFloor } from './speakers/use-floor.ts'
import { Participants } from './tiles/Participants.tsx'

const title = 'Online Users'
/** The same with each drawing, so that it is passed over. */
const keyHints = <KeyHints />

export function OnlineUsersScreen() {
  const { store, poll, zoomRoom, roomName, isStreaming } = useLiveRoom()
  const isKnown = useRoom(store, hasBeenPolled)
  const failure = useFailure(poll)
  const connection = useConnection(store)
  const { delivery, startDelivery } = useDelivery(store)
  const { busyIds, act } = useActOnParticipant()
  const { allow, allowNext, muteCurrent } = useFloor(store, busyIds, act)
  const { mutateAsync: cleanUp } = useCleanUpStaleUsers()
  const [undo, setUndo] = useState<UndoMuteAll | null>(null)
  const [isRefreshing, setRefreshing] = useState(false)

  const handleUndoOver = useCallback(() => setUndo(null), [])
  const { refetch } = poll
  const handleRefresh = useCallback(async () => {
    setRefreshing(true)
    try {
      await cleanUp()
      await refetch({ throwOnError: true })
    } catch {
      toast.error('Failed to refresh data')
    }
    setRefreshing(false)
  }, [cleanUp, refetch])

  if (!isKnown && failure) {
    return (
      <Page title={title}>
        <Panel>
          <Failed title="Failed to load online users" onRetry={handleRefresh} retrying={isRefreshing}>
            {messageOf(failure, 'The list could not be fetched. Check the connection, then try again.')}
          </Failed>
        </Panel>
      </Page>
    )
  }
  if (!isKnown) {
    return (
      <Page title={title}>
        <Panel>
          <Loading label="Loading online users..." />
        </Panel>
      </Page>
    )
  }

  const disabled = connection !== 'live'
  return (
    <Page
      title={title}
      subtitle="Who is in your room now, and who can be heard."
      actions={
        <RoomActions
          store={store}
          disabled={disabled}
          refreshing={isRefreshing}
          startDelivery={startDelivery}
          onUndoable={setUndo}
          onRefresh={handleRefresh}
          onNext={allowNext}
          onMuteCurrent={muteCurrent}
        />
      }
    >
      <LiveRegion store={store} />
      <RoomSummary store={store} connection={connection} isStreaming={isStreaming} zoomRoom={zoomRoom}>
        <RoomNews
          connection={connection}
          delivery={delivery}
          undo={
            undo && (
              <UndoButton
                undo={undo}
                store={store}
                disabled={disabled}
                startDelivery={startDelivery}
                onOver={handleUndoOver}
              />
            )
          }
        />
      </RoomSummary>
      <div className={classes.room}>
        <ActiveUsers store={store} disabled={disabled} onAct={act} />
        <div className={classes.queue}>
          <HandQueue store={store} disabled={disabled} busyIds={busyIds} onAllow={allow} onNext={allowNext} onAct={act}>
            {keyHints}
          </HandQueue>
        </div>
        <div className={classes.all}>
          <Participants
            store={store}
            roomName={roomName}
            isLive={zoomRoom?.is_live === true}
            disabled={disabled}
            busyIds={busyIds}
            onAct={act}
          />
        </div>
      </div>
    </Page>
  )
}

const hasBeenPolled = (room: LiveRoom) => room.polledAt !== null
