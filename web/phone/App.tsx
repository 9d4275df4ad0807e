import { useEffect, useState } from 'react'
import { CallFailure } from '../../shared/phone/call.ts'
import type { PhoneEnd } from '../../shared/phone/obey.ts'
import type { Login } from '../../shared/phone/phone.ts'
import { EndedScreen } from './ended/EndedScreen.tsx'
import { Lobby } from './lobby/Lobby.tsx'
import { Opening } from './Opening.tsx'
import { isInRoom, markInRoom, unmarkInRoom } from './room/in-room.ts'
import { openRoom } from './room/open-room.ts'
import { RoomSessionScreen } from './room/RoomSessionScreen.tsx'
import type { RoomSession } from './room/room-session.ts'
import { hostIdInAddress, type LinkParams, takeLinkParams } from './sign-in/address.ts'
import { restoreSession } from './sign-in/calls.ts'
import { endSession, retryEndingSessions } from './sign-in/end-session.ts'
import { LinkScreen } from './sign-in/LinkScreen.tsx'
import { SignInScreen } from './sign-in/SignInScreen.tsx'
import {
  removeToken,
  storedToken,
  storedTokenOfLink,
  storedTokenUnlessOfLink,
  storeToken,
  useStoredToken,
} from './sign-in/stored-token.ts'
import { useSingleTaps } from './ui/use-single-taps.ts'
import { useNewerVersion } from './update/use-newer-version.ts'

type Stage =
  | { name: 'opening'; token: string; isOffline: boolean }
  | { name: 'link'; link: LinkParams }
  | { name: 'sign-in'; username?: string }
  | { name: 'lobby'; login: Login }
  | { name: 'room'; login: Login; session: RoomSession }
  | { name: 'ended'; end: PhoneEnd; login: Login | null; username?: string }

type AppProps = { link: LinkParams | null }

export function App({ link }: AppProps) {
  useSingleTaps()
  const [stage, setStage] = useState<Stage>(() => firstStage(link))
  const [isOld, look] = useNewerVersion()
  const kept = useStoredToken()
  useLinkOpenedLater(stage.name !== 'room', (later) => setStage(linkStage(later)))

  const token = stage.name === 'opening' && !stage.isOffline ? stage.token : null
  useEffect(() => {
    if (token === null) return
    const leaving = new AbortController() // for a link that is opened meanwhile
    void restoredStage(token, leaving.signal).then((restored) => restored && setStage(restored))
    return () => leaving.abort()
  }, [token])

  useEffect(() => void retryEndingSessions(), [])

  /** A phone has one session, so the previous one ends on the server too. */
  function handleSignedIn(login: Login, remember: boolean, link?: string) {
    const before = storedToken()
    if (before !== null && before !== login.token) endSession(before)
    storeToken(login.token, remember, link)
    setStage({ name: 'lobby', login })
  }

  /** Ends the session here first: nobody is heard while the server does not answer. */
  function handleSignOut({ token }: Login) {
    removeToken(token)
    unmarkInRoom()
    setStage({ name: 'ended', end: 'signed_out', login: null })
    endSession(token)
  }

  /** Returns true if there is a session to return to. */
  function reopen(kept: string | null): boolean {
    if (kept) setStage({ name: 'opening', token: kept, isOffline: false })
    return kept !== null
  }

  /** Loads a new version now rather than during the next stay. */
  async function handleLeft(login: Login, end: 'left' | 'other_tab') {
    unmarkInRoom()
    setStage({ name: 'ended', end, login })
    const isOutdated = isOld || (await look())
    if (isOutdated && end === 'left') window.location.reload()
  }

  switch (stage.name) {
    case 'opening':
      return <Opening isOffline={stage.isOffline} onTryAgain={() => setStage({ ...stage, isOffline: false })} />
    case 'link':
      return (
        <LinkScreen
          key={stage.link.linkToken}
          link={stage.link}
          onSignedIn={(login) => handleSignedIn(login, true, stage.link.linkToken)}
          tokenNow={storedTokenUnlessOfLink(stage.link.linkToken)}
          onUsed={() => reopen(storedTokenOfLink(stage.link.linkToken))}
          onStay={() => reopen(storedToken())}
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
          onSignOut={() => handleSignOut(login)}
        />
      )
    }
    case 'room': {
      const { login, session } = stage
      return (
        <RoomSessionScreen
          session={session}
          isOld={isOld}
          onLeft={(end) => void handleLeft(login, end)}
          onSignOut={() => {
            handleSignOut(login)
            void look()
          }}
          onEnded={(end) => {
            removeToken(login.token)
            unmarkInRoom()
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
        else if (!reopen(storedToken())) setStage({ name: 'sign-in', ...(username && { username }) })
      }
      return <EndedScreen end={end} tokenNow={login ? null : kept} isOld={isOld} onGoOn={goOn} />
    }
  }
}

function firstStage(link: LinkParams | null): Stage {
  if (link) return linkStage(link)
  const token = storedToken()
  return token ? { name: 'opening', token, isOffline: false } : { name: 'sign-in' }
}

/** A link that this phone has used leads back to its session, even if the server would let it use the link again. */
function linkStage(link: LinkParams): Stage {
  const token = storedTokenOfLink(link.linkToken)
  return token ? { name: 'opening', token, isOffline: false } : { name: 'link', link }
}

function roomStage(login: Login): Stage {
  markInRoom()
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
    removeToken(token)
    unmarkInRoom()
    return { name: 'ended', end: error.sessionEnd ?? 'signed_out', login: null }
  }
}

/** Opening a link while the page is open only changes the fragment. */
function useLinkOpenedLater(isWelcome: boolean, onOpened: (link: LinkParams) => void) {
  useEffect(() => {
    const handleChange = () => {
      if (!isWelcome) return // stays in the address until the user leaves the room
      const link = takeLinkParams()
      if (link) onOpened(link)
    }
    window.addEventListener('hashchange', handleChange)
    return () => window.removeEventListener('hashchange', handleChange)
  })
}
