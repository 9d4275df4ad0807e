import { Stack, VisuallyHidden } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useState } from 'react'
import { useStore } from 'zustand'
import { CleanupAnswer, type UndoMuteAll } from '../../../shared/room-users.ts'
import { api, messageOf } from '../../lib/api-client.ts'
import { useNow } from '../../lib/use-now.ts'
import { useBusyRoomUsers } from '../../queries/room-users.ts'
import { Notice } from '../../ui/Notice.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toast.tsx'
import { EndMeetingButton, MeetingControl } from '../../widgets/meeting/MeetingControl.tsx'
import { RecordingControl } from '../../widgets/meeting/RecordingControl.tsx'
import { useClearStartWhenLive } from '../../widgets/meeting/start-meeting.ts'
import { UnrecordedWarning } from '../../widgets/meeting/UnrecordedWarning.tsx'
import { ZoomMissing } from '../../widgets/meeting/ZoomMissing.tsx'
import { useSeat } from '../../widgets/seat/seat-context.ts'
import type { SeatStore } from '../../widgets/seat/seat-store.ts'
import { useReadAttendees } from '../../widgets/seat/use-attendees.ts'
import bar from './bar/bar.module.css'
import { ModeratingNow } from './bar/ModeratingNow.tsx'
import { RoomBar } from './bar/RoomBar.tsx'
import { SeatLine } from './bar/SeatLine.tsx'
import { StatusLine } from './bar/StatusLine.tsx'
import { useIsNarrow, useIsPhone } from './bar/screen-width.ts'
import { announcements } from './controls/announcements.ts'
import { useDelivery } from './controls/delivery.ts'
import { MuteButtons } from './controls/MuteButtons.tsx'
import { type OnUndoable, useMuteOthers } from './controls/mute-all.ts'
import { useActOnParticipant } from './controls/participant-actions.ts'
import { RoomButtons } from './controls/RoomButtons.tsx'
import { RoomKeys } from './controls/RoomKeys.tsx'
import { UndoButton } from './controls/UndoButton.tsx'
import { ZoomSwitch } from './controls/ZoomSwitch.tsx'
import { Guests } from './guests/Guests.tsx'
import { ToGuests } from './guests/ToGuests.tsx'
import type { LiveRoomState } from './live-room/live-room.ts'
import { isInStep, type LiveRoomStore } from './live-room/live-room-store.ts'
import { ServerClock } from './live-room/ServerTime.tsx'
import { useConnection, useLiveRoom } from './live-room/use-live-room.ts'
import classes from './OnlineUsersScreen.module.css'
import { showMutedAgain } from './show-muted-again.ts'
import { ActiveUsers } from './speakers/ActiveUsers.tsx'
import { useHandChime } from './speakers/HandChime.tsx'
import { HandQueue } from './speakers/HandQueue.tsx'
import { NextButton, QueueOpener } from './speakers/NextInQueue.tsx'
import { useNextSpeaker } from './speakers/use-turns.ts'
import { WaitingInTitle } from './speakers/WaitingInTitle.tsx'
import { ParticipantsPanel } from './tiles/ParticipantsPanel.tsx'
import { useRoomFilter } from './tiles/use-room-filter.ts'
import { useWall } from './wall/use-wall.ts'
import { WallView } from './wall/WallView.tsx'
import { StandingWords } from './words/StandingWords.tsx'

const title = 'Online Users'
/** Longer than a burst of changes, so that a Mute All is announced in one sentence. */
const GATHER_MS = 1500
/** A constant element, so that the memoized queue does not render again for it. */
const roomKeys = <RoomKeys />

export function OnlineUsersScreen() {
  const { store, poll, zoomRoom, roomName, isStreaming } = useLiveRoom(showMutedAgain)
  const isLoaded = useStore(store, hasBeenPolled)
  const connection = useConnection(store)
  const { delivery, startDelivery } = useDelivery(store)
  const act = useActOnParticipant(store)
  const busyIds = useBusyRoomUsers()
  const { allow, allowNext, isBusy, muteCurrent } = useNextSpeaker(store, busyIds, act)
  const { refresh, isRefreshing } = useRefresh(poll.refetch)
  const [undo, setUndo] = useState<UndoMuteAll | null>(null)
  const handleUndoOver = useCallback((over: UndoMuteAll) => setUndo((now) => (now === over ? null : now)), [])
  const handleUndoable = useCallback<OnUndoable>(
    (undo) => setUndo((now) => (now && undo && now.mute_round > undo.mute_round ? now : undo)), // an answer may be late
    [],
  )
  const muteOthers = useMuteOthers(store, startDelivery, handleUndoable)
  const wall = useWall()
  useHandChime(store)
  const { filter, setWords, setState, setGroup, clear } = useRoomFilter()
  const shownFilter = useDeferredValue(filter)
  const isNarrow = useIsNarrow()
  const isPhone = useIsPhone()
  const isLive = zoomRoom?.is_live === true
  const seat = useSeat()
  useClearStartWhenLive(zoomRoom) // the control that does this is closed in its popover

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
  const queue = {
    store,
    disabled,
    busyIds,
    onAllow: allow,
    onAct: act,
    footer: roomKeys,
  }
  const nextButton = <NextButton store={store} disabled={disabled} busy={isBusy} onNext={allowNext} />
  const thumb = isPhone ? bar.action : undefined
  return (
    <Page
      title={title}
      subtitle="Who is in your room now, and who can be heard."
      actions={<RoomButtons store={store} disabled={disabled} refreshing={isRefreshing} onRefresh={refresh} />}
    >
      <LiveRegion store={store} />
      <ZoomMissing still="You still see who is online, and mutes and raised hands work. There is no sound." />
      <OutOfStep store={store} />
      {zoomRoom ? <UnrecordedWarning room={zoomRoom} disabled={disabled} /> : null}
      <ModeratingNow store={store} />
      <SeatLine room={zoomRoom} disabled={disabled} />
      <div className={classes.zoom}>
        <ZoomSwitch />
        <ToGuests store={store} />
      </div>
      {seat && zoomRoom?.zoom_status === 'connected' ? (
        <AttendeeReader store={seat.store} isStreaming={isStreaming} />
      ) : null}
      <WaitingInTitle store={store} title={title} />
      <ServerClock store={store} stopped={connection === 'stale'}>
        <RoomBar
          store={store}
          connection={connection}
          isStreaming={isStreaming}
          isNarrow={isNarrow}
          isPhone={isPhone}
          room={zoomRoom}
          isLive={isLive}
          hasMeeting={zoomRoom?.zoom_meeting_id != null}
          chosen={filter.state}
          onChoose={setState}
          speakers={
            <ActiveUsers
              store={store}
              disabled={disabled}
              onAct={act}
              onMuteOthers={muteOthers}
              rows={isNarrow && !isPhone ? 2 : 1}
            />
          }
          queue={
            isNarrow ? (
              <>
                <QueueOpener {...queue} className={thumb} isPhone={isPhone} next={nextButton} />
                <NextButton store={store} disabled={disabled} busy={isBusy} className={thumb} onNext={allowNext} />
              </>
            ) : null
          }
          muteButtons={
            <MuteButtons
              store={store}
              disabled={disabled}
              className={thumb}
              isPhone={isPhone}
              startDelivery={startDelivery}
              onUndoable={handleUndoable}
              isNextBusy={isBusy}
              onNext={allowNext}
              onMuteCurrent={muteCurrent}
            />
          }
          status={
            <StatusLine
              store={store}
              connection={connection}
              delivery={delivery}
              isLive={isLive}
              undo={
                undo && (
                  <UndoButton
                    key={undo.mute_round}
                    undo={undo}
                    store={store}
                    disabled={disabled}
                    startDelivery={startDelivery}
                    onOver={handleUndoOver}
                  />
                )
              }
            />
          }
          meeting={zoomRoom && <MeetingControl room={zoomRoom} disabled={disabled} withEnd={isNarrow} />}
          recording={zoomRoom && <RecordingControl room={zoomRoom} disabled={disabled} withStart={false} />}
          end={zoomRoom && !isNarrow ? <EndMeetingButton room={zoomRoom} disabled={disabled} /> : null}
        />
        {wall.isOpen ? (
          <WallView store={store} roomName={roomName} connection={connection} onClose={wall.close} />
        ) : null}
        <div className={classes.room}>
          <Stack gap="lg" miw={0}>
            <StandingWords store={store} disabled={disabled} />
            <ParticipantsPanel
              store={store}
              roomName={roomName}
              isLive={isLive}
              disabled={disabled}
              busyIds={busyIds}
              filter={filter}
              shownFilter={shownFilter}
              onWords={setWords}
              onGroup={setGroup}
              onClear={clear}
              onAct={act}
              onMuteOthers={muteOthers}
            />
            {seat ? (
              <Guests
                store={store}
                seat={seat.store}
                control={seat.control}
                disabled={disabled}
                words={shownFilter.words}
              />
            ) : null}
          </Stack>
          {isNarrow ? null : (
            <div className={classes.queue}>
              <HandQueue {...queue} next={nextButton} />
            </div>
          )}
        </div>
      </ServerClock>
    </Page>
  )
}

const hasBeenPolled = (room: LiveRoomState) => room.polledAt !== null

/** Announces hands, mutes and phones that do not answer to screen readers. */
function LiveRegion({ store }: { store: LiveRoomStore }) {
  const now = useNow(GATHER_MS)
  const [last, setLast] = useState(() => ({ now, users: store.getState().users, text: '' }))
  if (now !== last.now) {
    const { users } = store.getState()
    // Empty in between, so that a repeated announcement is read again.
    setLast({ now, users, text: users === last.users ? '' : announcements(last.users, users) })
  }
  return <VisuallyHidden role="status">{last.text}</VisuallyHidden>
}

/** Refetches, after making the server sign out the phones whose presence has timed out. */
function useRefresh(refetch: (options: { throwOnError: true }) => Promise<unknown>) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await api(CleanupAnswer, 'POST', '/host/cleanup-stale-users')
      await refetch({ throwOnError: true })
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to refresh data')),
  })
  return { refresh: useCallback(() => mutate(), [mutate]), isRefreshing: isPending }
}

function AttendeeReader({ store, isStreaming }: { store: SeatStore; isStreaming: boolean }) {
  useReadAttendees(store, { isStreaming })
  return null
}

function OutOfStep({ store }: { store: LiveRoomStore }) {
  if (useStore(store, isInStep)) return null
  return (
    <Notice tone="warn" title="This room is not in step with other servers">
      You see the users who are connected to this server. The others are back when the servers reach each other again.
    </Notice>
  )
}
