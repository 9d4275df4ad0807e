import { useEffect, useEffectEvent, useRef } from 'react'
import type { PhoneEnd } from '../../../shared/phone/obey.ts'
import { RoomScreen } from './RoomScreen.tsx'
import type { RoomSession } from './room-session.ts'
import { useRoomView } from './use-room.ts'

type RoomSessionScreenProps = {
  session: RoomSession
  isOld: boolean
  /** Called while the sign-in stays valid. */
  onLeft: (end: 'left' | 'other_tab') => void
  /** Called once the sound has been left and the stay has ended; the sign-in is still valid at the server. */
  onSignOut: () => void
  /** Called when the sign-in is no longer valid. */
  onEnded: (end: PhoneEnd) => void
}

/** A stay in the room, until it ends in any way. */
export function RoomSessionScreen({ session, isOld, onLeft, onSignOut, onEnded }: RoomSessionScreenProps) {
  const { ended } = useRoomView(session).state
  const isSigningOut = useRef(false)
  const finishNow = useEffectEvent(finish)
  useEffect(() => {
    if (ended) finishNow(ended)
  }, [ended])

  function finish(end: PhoneEnd) {
    if (isSigningOut.current) onSignOut()
    else if (end === 'left' || end === 'other_tab') onLeft(end)
    else onEnded(end)
  }

  async function leave() {
    await session.leaveSound().catch(() => {})
    session.close()
    finishUnlessEnded()
  }
  function signOut() {
    isSigningOut.current = true
    return leave()
  }
  /** Covers a session that does not report its end itself. */
  function finishUnlessEnded() {
    if (!session.view.state.ended) finish('left')
  }
  return <RoomScreen session={session} isOld={isOld} onLeave={leave} onSignOut={signOut} />
}
