import { VisuallyHidden } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useStore } from 'zustand'
import { CleanupAnswer, type RoomUser } from '../../../shared/room-users.ts'
import { api, messageOf } from '../../lib/api-client.ts'
import { useActOnRoomUsers, useBusyRoomUsers } from '../../lib/queries/room-users.ts'
import { useNow } from '../../lib/use-now.ts'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toast.tsx'
import { UnrecordedWarning } from '../../widgets/meeting/UnrecordedWarning.tsx'
import { ZoomMissing } from '../../widgets/meeting/ZoomMissing.tsx'
import { announcements } from './controls/announcements.ts'
import { useDelivery } from './controls/delivery.ts'
import type { UndoMuteAll } from './controls/mute-all.ts'
import { type Act, useActOnParticipant } from './controls/participant-actions.ts'
import { RoomActions } from './controls/RoomActions.tsx'
import { RoomKeys } from './controls/RoomKeys.tsx'
import { RoomSummary } from './controls/RoomSummary.tsx'
import { UndoButton } from './controls/UndoButton.tsx'
import type { LiveRoom } from './live-room/live-room.ts'
import type { LiveRoomStore } from './live-room/live-room-store.ts'
import { useConnection, useLiveRoom } from './live-room/use-live-room.ts'
import classes from './OnlineUsersScreen.module.css'
import { ActiveUsers } from './speakers/ActiveUsers.tsx'
import { HandQueue } from './speakers/HandQueue.tsx'
import { currentSpeakers, handQueue, nextInQueue } from './speakers/hand-queue.ts'
import { Participants } from './tiles/Participants.tsx'

const title = 'Online Users'
/** Longer than a burst of changes, so that a Mute All is one sentence. */
const GATHER_MS = 1500
/** A constant element, so that the memoized queue is not rendered again for it. */
const roomKeys = <RoomKeys />

export function OnlineUsersScreen() {
  const { store, poll, zoomRoom, roomName, isStreaming } = useLiveRoom()
  const isLoaded = useStore(store, hasBeenPolled)
  const connection = useConnection(store)
  const { delivery, startDelivery } = useDelivery(store)
  const act = useActOnParticipant()
  const busyIds = useBusyRoomUsers()
  const { allow, allowNext, muteCurrent } = useTurns(store, busyIds, act)
  const { refresh, isRefreshing } = useRefresh(poll.refetch)
  const [undo, setUndo] = useState<UndoMuteAll | null>(null)
  const handleUndoOver = useCallback(() => setUndo(null), [])

  if (!isLoaded) {
    return (
      <Page title={title}>
        <NotLoaded
          query={poll}
          loading="Loading online users..."
          title="Failed to load online users"
          retrying={isRefreshing}
          onRetry={refresh}
        />
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
          onRefresh={refresh}
          onNext={allowNext}
          onMuteCurrent={muteCurrent}
        />
      }
    >
      <LiveRegion store={store} />
      <ZoomMissing still="You still see who is online, and mutes and raised hands work. There is no sound." />
      {zoomRoom ? <UnrecordedWarning room={zoomRoom} disabled={disabled} /> : null}
      <RoomSummary
        store={store}
        connection={connection}
        isStreaming={isStreaming}
        zoomRoom={zoomRoom}
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
      <div className={classes.room}>
        <ActiveUsers store={store} disabled={disabled} onAct={act} />
        <div className={classes.queue}>
          <HandQueue
            store={store}
            disabled={disabled}
            busyIds={busyIds}
            onAllow={allow}
            onNext={allowNext}
            onAct={act}
            footer={roomKeys}
          />
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

/** Announces hands, mutes and phones that do not answer to screen readers. */
function LiveRegion({ store }: { store: LiveRoomStore }) {
  const now = useNow(GATHER_MS)
  const [last, setLast] = useState(() => ({ now, users: store.getState().users, text: '' }))
  if (now !== last.now) {
    const { users } = store.getState()
    // Emptied in between, so that a repeated announcement is read again.
    setLast({ now, users, text: users === last.users ? '' : announcements(last.users, users) })
  }
  return <VisuallyHidden role="status">{last.text}</VisuallyHidden>
}

/** Also signs out, at the server, the phones whose presence has timed out. */
function useRefresh(refetch: (options: { throwOnError: true }) => Promise<unknown>) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await api(CleanupAnswer, 'POST', '/host/cleanup-stale-users')
      await refetch({ throwOnError: true })
    },
    onError: () => toast.error('Failed to refresh data'),
  })
  return { refresh: useCallback(() => mutate(), [mutate]), isRefreshing: isPending }
}

/** Lets one user after the other speak; reads the room at the moment of the click. */
function useTurns(store: LiveRoomStore, busyIds: ReadonlySet<string>, act: Act) {
  const [letSpeakId, setLetSpeakId] = useState<string | null>(null)
  const { mutateAsync: actOnMany } = useActOnRoomUsers()

  const allow = useCallback(
    (user: RoomUser) => {
      setLetSpeakId(user.id)
      void act(user, 'unmute')
    },
    [act],
  )

  const allowNext = useCallback(() => {
    const { users } = store.getState()
    const next = nextInQueue(handQueue(users), busyIds)
    if (!next) return
    const previous = users.find(({ id }) => id === letSpeakId)
    if (previous && previous.id !== next.id && !previous.is_muted) void act(previous, 'mute')
    allow(next)
  }, [store, busyIds, letSpeakId, act, allow])

  const muteCurrent = useCallback(async () => {
    const current = currentSpeakers(store.getState().users, letSpeakId)
    const [only] = current
    if (!only) return
    if (current.length === 1) return act(only, 'mute')
    try {
      await actOnMany({ action: 'mute', userIds: current.map(({ id }) => id) })
    } catch (error) {
      toast.error(messageOf(error, 'Failed to mute users'))
    }
  }, [store, letSpeakId, act, actOnMany])

  return { allow, allowNext, muteCurrent }
}
