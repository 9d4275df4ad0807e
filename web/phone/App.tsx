import { useEffect, useState } from 'react'
import { CallFailure } from '../../shared/phone/call.ts'
import type { PhoneEnd } from '../../shared/phone/obey.ts'
import type { Login } from '../../shared/phone/phone.ts'
import { EndedScreen } from './ended/EndedScreen.tsx'
import { Lobby } from './lobby/Lobby.tsx'
import { Opening } from './Opening.tsx'
import { hasLeft, isInRoom, noteInRoom } from './room/in-room.ts'
import { openRoom } from './room/open-room.ts'
import { Room } from './room/Room.tsx'
import type { RoomSession } from './room/room-session.ts'
import { hostIdInAddress, type Invitation, takeInvitation } from './sign-in/address.ts'
import { restoreSession } from './sign-in/calls.ts'
import { endKeptSession, endSession } from './sign-in/end-session.ts'
import { dropToken, keepToken, keptToken, tokenBeside, tokenOfLink, useKeptToken } from './sign-in/kept-token.ts'
import { LinkScreen } from './sign-in/LinkScreen.tsx'
import { SignInScreen } from './sign-in/SignInScreen.tsx'
import { useSingleTaps } from './ui/use-single-taps.ts'
import { useNewerVersion } from './update/use-newer-version.ts'

type Stage =
  | { name: 'opening'; token: string; isOffline: boolean }
  | { name: 'invited'; invitation: Invitation }
  | { name: 'sign-in'; username?: string }
  | { name: 'lobby'; login: Login }
  | { name: 'room'; login: Login; session: RoomSession }
  | { name: 'ended'; end: PhoneEnd; login: Login | null; username?: string }

type AppProps = { invitation: Invitation | null }

export function App({ invitation }: AppProps) {
  useSingleTaps()
  const [stage, setStage] = useState<Stage>(() => firstStage(invitation))
  const [isOld, look] = useNewerVersion()
  const kept = useKeptToken()
  useInvitationLater(stage.name !== 'room', (later) => setStage(invitedStage(later)))

  const token = stage.name === 'opening' && !stage.isOffline ? stage.token : null
  useEffect(() => {
    if (token === null) return
    const leaving = new AbortController() // for a link that is opened meanwhile
    void restoredStage(token, leaving.signal).then((restored) => restored && setStage(restored))
    return () => leaving.abort()
  }, [token])

  useEffect(() => void endKeptSession(), [])

  /** A phone has one session, so the previous one ends on the server too. */
  function handleSignedIn(login: Login, remember: boolean, link?: string) {
    const before = keptToken()
    if (before !== null && before !== login.token) endSession(before)
    keepToken(login.token, remember, link)
    setStage({ name: 'lobby', login })
  }

  /** Returns true if there is a session to return to. */
  function reopen(kept: string | null): boolean {
    if (kept) setStage({ name: 'opening', token: kept, isOffline: false })
    return kept !== null
  }

  /** Loads a new version now rather than during the next stay. */
  async function handleLeft(login: Login, end: 'left' | 'other_tab') {
    hasLeft()
    setStage({ name: 'ended', end, login })
    const isOutdated = isOld || (await look())
    if (isOutdated && end === 'left') window.location.reload()
  }

  switch (stage.name) {
    case 'opening':
      return <Opening isOffline={stage.isOffline} onTryAgain={() => setStage({ ...stage, isOffline: false })} />
    case 'invited':
      return (
        <LinkScreen
          key={stage.invitation.linkToken}
          invitation={stage.invitation}
          onSignedIn={(login) => handleSignedIn(login, true, stage.invitation.linkToken)}
          tokenNow={tokenBeside(stage.invitation.linkToken)}
          onUsed={() => reopen(tokenOfLink(stage.invitation.linkToken))}
          onStay={() => reopen(keptToken())}
          onOther={() => setStage({ name: 'sign-in' })}
        />
      )
    case 'sign-in':
      return <SignInScreen hostId={hostIdInAddress()} username={stage.username ?? ''} onSignedIn={handleSignedIn} />
    case 'lobby': {
      const { login } = stage
      return (
        <Lobby
          login={login}
          isOld={isOld}
          onJoin={() => setStage(roomStage(login))}
          onSignOut={() => {
            dropToken(login.token)
            setStage({ name: 'ended', end: 'signed_out', login: null })
            endSession(login.token)
          }}
        />
      )
    }
    case 'room': {
      const { login, session } = stage
      return (
        <Room
          session={session}
          isOld={isOld}
          onLeft={(end) => void handleLeft(login, end)}
          onEnded={(end) => {
            dropToken(login.token)
            hasLeft()
            setStage({ name: 'ended', end, login: null, username: login.user.username })
            void look()
          }}
        />
      )
    }
    case 'ended': {
      const { end, login, username } = stage
      const goOn = () => {
        if (login) setStage(end === 'other_tab' ? roomStage(login) : { name: 'lobby', login })
        else if (!reopen(keptToken())) setStage({ name: 'sign-in', ...(username && { username }) })
      }
      return <EndedScreen end={end} tokenNow={login ? null : kept} isOld={isOld} onGoOn={goOn} />
    }
  }
}

function firstStage(invitation: Invitation | null): Stage {
  if (invitation) return invitedStage(invitation)
  const token = keptToken()
  return token ? { name: 'opening', token, isOffline: false } : { name: 'sign-in' }
}

/** A link that this phone has used leads back to its session, even if the server would let it use the link again. */
function invitedStage(invitation: Invitation): Stage {
  const token = tokenOfLink(invitation.linkToken)
  return token ? { name: 'opening', token, isOffline: false } : { name: 'invited', invitation }
}

function roomStage(login: Login): Stage {
  noteInRoom()
  return { name: 'room', login, session: openRoom(window.location.origin, login) }
}

/** Returns null once the stage of opening has been left. */
async function restoredStage(token: string, leaving: AbortSignal): Promise<Stage | null> {
  try {
    const login = await restoreSession(token)
    if (leaving.aborted) return null
    return isInRoom() ? roomStage(login) : { name: 'lobby', login }
  } catch (error) {
    if (leaving.aborted) return null
    const isRefused = error instanceof CallFailure && error.status === 401
    if (!isRefused) return { name: 'opening', token, isOffline: true }
    dropToken(token)
    hasLeft()
    return { name: 'ended', end: error.sessionEnd ?? 'signed_out', login: null }
  }
}

/** Opening a link while the page is open only changes the fragment. */
function useInvitationLater(isWelcome: boolean, onInvited: (invitation: Invitation) => void) {
  useEffect(() => {
    const handleChange = () => {
      if (!isWelcome) return // stays in the address until the user leaves the room
      const invitation = takeInvitation()
      if (invitation) onInvited(invitation)
    }
    window.addEventListener('hashchange', handleChange)
    return () => window.removeEventListener('hashchange', handleChange)
  })
}
