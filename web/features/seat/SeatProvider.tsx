import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { isSeatEvent, type RoomEvent } from '../../../shared/room-events.ts'
import { useRights } from '../../lib/session/rights.ts'
import { currentSession, useSession } from '../../lib/session/session.ts'
import { beforeSignOut } from '../../lib/session/sign-out.ts'
import { site } from '../../lib/site.ts'
import { WakeLock } from '../../lib/wake-lock.ts'
import { hostRoom, roomDetails } from '../../queries/rooms.ts'
import { confirm } from '../../ui/confirm.tsx'
import { chime, useChimeSetting, useUnlockedSound } from '../../widgets/phone-inbox/chime.ts'
import { listenToRoom } from '../../widgets/room-stream/listen-to-room.ts'
import { SeatContext, useKeeperView } from '../../widgets/seat/seat-context.ts'
import { createSeatStore, type SeatStore } from '../../widgets/seat/seat-store.ts'
import { isSeeing } from '../../widgets/seat/seat-view.ts'
import { useReadAttendees } from '../../widgets/seat/use-attendees.ts'
import { FramedSeat } from './framed-seat.ts'
import { SeatDock } from './SeatDock.tsx'
import { seatCalls } from './seat-calls.ts'
import { SeatKeeper } from './seat-keeper.ts'
import { lockSeat } from './seat-lock.ts'
import { showGuarded } from './show-guarded.ts'
import { startTicks } from './ticks.ts'

const LEAVES_NO_HOST = {
  title: 'Leave the host’s seat, and sign out?',
  body: 'You are the only host: without the seat the meeting goes on without a host. To end it, end the meeting first.',
  confirmLabel: 'Sign out',
}

/** Lets the panel's pages see the room's seat; the host's own page can take it. Nothing where the server has none. */
export function SeatProvider({ children }: { children: ReactNode }) {
  if (site.seat_url === '') return children
  return <Seats>{children}</Seats>
}

function Seats({ children }: { children: ReactNode }) {
  const { isHost } = useRights()
  const { user } = useSession()
  const client = useQueryClient()
  const [store] = useState(createSeatStore)
  const [container] = useState(() => document.createElement('div')) // moving it would reload its frame
  const [keeper] = useState(() =>
    isHost && user
      ? new SeatKeeper({
          ...{ userId: user.id, language: document.documentElement.lang || 'en', store, calls: seatCalls, startTicks },
          onGuarded: (name) => showGuarded(name),
          openFrame: ({ hasSound }) =>
            new FramedSeat({ url: site.seat_url, title: 'The seat in Zoom', container, hasSound }),
          offersSound: site.seat_sound,
          lock: async () => lockSeat((await client.ensureQueryData(roomDetails)).room_id),
        })
      : null,
  )
  return (
    <SeatContext value={useMemo(() => ({ store, control: keeper }), [store, keeper])}>
      {children}
      <LostSeatSound store={store} />
      {keeper ? <OwnSeat keeper={keeper} store={store} container={container} /> : null}
    </SeatContext>
  )
}

/** Chimes once when the seat is lost, where sounds are on. */
function LostSeatSound({ store }: { store: SeatStore }) {
  const [isOn] = useChimeSetting()
  useUnlockedSound()
  useEffect(
    () =>
      store.subscribe(({ seat }, before) => {
        if (isOn && seat.state === 'lost' && isSeeing(before)) void chime('notice')
      }),
    [store, isOn],
  )
  return null
}

type OwnSeatProps = { keeper: SeatKeeper; store: SeatStore; container: HTMLElement }

/** Keeps this page's seat while the host goes from page to page. */
function OwnSeat({ keeper, store, container }: OwnSeatProps) {
  const { phase } = useKeeperView(keeper)
  const isHeld = phase !== 'off'
  useEffect(() => {
    void keeper.resume()
    return () => keeper.close()
  }, [keeper])
  useEffect(
    () =>
      beforeSignOut({
        mayLeave: async () => !keeper.isOnlyHost || confirm(LEAVES_NO_HOST),
        leave: () => keeper.release(),
      }),
    [keeper],
  )
  useEffect(() => {
    const report = () => keeper.setHidden(document.hidden)
    document.addEventListener('visibilitychange', report)
    report()
    return () => document.removeEventListener('visibilitychange', report)
  }, [keeper])
  return (
    <>
      {isHeld ? <HeldSeat keeper={keeper} store={store} /> : null}
      <SeatDock keeper={keeper} container={container} />
    </>
  )
}

/** Follows the room's events on every page, in a hidden tab too, and asks before the tab is closed. */
function HeldSeat({ keeper, store }: Omit<OwnSeatProps, 'container'>) {
  const { data: details } = useQuery(roomDetails)
  const { data: zoomRoom } = useQuery(hostRoom)
  const [isStreaming, setStreaming] = useState(false)
  const room_id = details?.room_id
  const meeting_id = zoomRoom?.zoom_meeting_id
  const handleEvent = useCallback(
    (event: RoomEvent) => {
      if (event.name === 'user-speaking-status') keeper.relay.handleVoice(event.data.user_id, event.data.is_speaking)
      if (!isSeatEvent(event)) return
      store.applyEvent(event)
      if (event.name === 'seat-command') keeper.relay.handleCommand(event.data)
      if (event.name === 'command-settled') keeper.relay.handleSettled(event.data)
    },
    [store, keeper],
  )
  useEffect(() => {
    if (room_id === undefined || meeting_id === undefined) return
    const handleOpen = (isOpen: boolean) => {
      if (!isOpen) keeper.relay.forgetVoices() // the stream says them again once it is open
      setStreaming(isOpen)
    }
    return listenToRoom({ room_id, meeting_id }, { onEvent: handleEvent, onOpen: handleOpen })
  }, [room_id, meeting_id, handleEvent, keeper])
  useReadAttendees(store, { isStreaming })
  useEffect(() => {
    const wakeLock = new WakeLock()
    wakeLock.want(true)
    const keepTab = (event: BeforeUnloadEvent) => {
      if (currentSession().token) event.preventDefault() // without a session there is no seat to keep
    }
    window.addEventListener('beforeunload', keepTab)
    return () => {
      wakeLock.close()
      window.removeEventListener('beforeunload', keepTab)
    }
  }, [])
  return null
}
