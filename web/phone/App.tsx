import { useEffect, useState } from 'react'
import { CallFailure } from '../../shared/phone/call.ts'
import type { PhoneEnd } from '../../shared/phone/obey.ts'
import type { Login } from '../../shared/phone/phone.ts'
import { EndedScreen } from './ended/EndedScreen.tsx'
import { loadSignedIn, type SignedInScreens } from './load-signed-in.ts'
import { Opening } from './Opening.tsx'
import { isInRoom, markInRoom, unmarkInRoom } from './room/in-room.ts'
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

/** A valid session, and the screens behind the sign-in. */
type Stay = { login: Login; screens: SignedInScreens }
/** `isIncomplete` means that the screens behind the sign-in could not be loaded. */
type Stage =
  | { name: 'opening'; token: string; isOffline: boolean; isIncomplete?: boolean }
  | { name: 'link'; link: LinkParams }
  | { name: 'sign-in'; username?: string }
  | { name: 'lobby'; stay: Stay }
  | { name: 'room'; stay: Stay; session: RoomSession }
  | { name: 'ended'; end: PhoneEnd; stay: Stay | null; username?: string }

type AppProps = { link: LinkParams | null }

export function App({ link }: AppProps) {
  useSingleTaps()
  const [stage, setStage] = useState<Stage>(() => firstStage(link))
  const [isOld, look] = useNewerVersion()
  const kept = useStoredToken()
  useLinkOpenedLater(stage.name !== 'room', (later) => setStage(linkStage(later)))

  const screens = useSignedIn()
  const opening = stage.name === 'opening' && !stage.isOffline ? stage : null
  const token = opening?.token ?? null
  const isIncomplete = opening?.isIncomplete === true
  useEffect(() => {
    if (token === null) return
    const leaving = new AbortController() // for a link that is opened meanwhile
    void restoredStage(token, isIncomplete, leaving.signal).then((restored) => restored && setStage(restored))
    return () => leaving.abort()
  }, [token, isIncomplete])

  useEffect(() => void retryEndingSessions(), [])

  /** A phone has one session, so the previous one ends on the server too. */
  function handleSignedIn(login: Login, remember: boolean, link?: string) {
    const before = storedToken()
    if (before !== null && before !== login.token) endSession(before)
    storeToken(login.token, remember, link)
    unmarkInRoom() // by the session before
    if (screens) setStage({ name: 'lobby', stay: { login, screens } })
    else setStage({ name: 'opening', token: login.token, isOffline: false })
  }

  /** Offers a link that was opened during the stay. Returns true if there is one. */
  function endStay(ended: Stage): boolean {
    unmarkInRoom()
    const link = takeLinkParams()
    setStage(link ? linkStage(link) : ended)
    return link !== null
  }

  /** Ends the session here first: nobody is heard while the server does not answer. */
  function handleSignOut({ token }: Login) {
    removeToken(token)
    endStay({ name: 'ended', end: 'signed_out', stay: null })
    endSession(token)
  }

  /** Returns true if there is a session to return to. */
  function reopen(kept: string | null): boolean {
    if (kept) setStage({ name: 'opening', token: kept, isOffline: false })
    return kept !== null
  }

  /** Loads a new version now rather than during the next stay. */
  async function handleLeft(stay: Stay, end: 'left' | 'other_tab') {
    const isInvited = endStay({ name: 'ended', end, stay })
    const isOutdated = isOld || (await look())
    if (isOutdated && end === 'left' && !isInvited) window.location.reload()
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
      const { stay } = stage
      const { login, screens } = stay
      return (
        <screens.Lobby
          login={login}
          isOld={isOld}
          onJoin={() => setStage(roomStage(stay))}
          onSignOut={() => handleSignOut(login)}
        />
      )
    }
    case 'room': {
      const { stay, session } = stage
      const { login, screens } = stay
      return (
        <screens.RoomSessionScreen
          session={session}
          isOld={isOld}
          onLeft={(end) => void handleLeft(stay, end)}
          onSignOut={() => {
            handleSignOut(login)
            void look()
          }}
          onEnded={(end) => {
            removeToken(login.token)
            endStay({ name: 'ended', end, stay: null, username: login.user.username })
            void look()
          }}
        />
      )
    }
    case 'ended': {
      const { end, stay, username } = stage
      const goOn = () => {
        if (stay) setStage(end === 'other_tab' ? roomStage(stay) : { name: 'lobby', stay })
        else if (!reopen(storedToken())) setStage({ name: 'sign-in', ...(username && { username }) })
      }
      return <EndedScreen end={end} tokenNow={stay ? null : kept} isOld={isOld} onGoOn={goOn} />
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

function roomStage(stay: Stay): Stage {
  markInRoom()
  return { name: 'room', stay, session: stay.screens.openRoom(window.location.origin, stay.login) }
}

/** Returns null once the stage of opening has been left. */
async function restoredStage(token: string, isIncomplete: boolean, leaving: AbortSignal): Promise<Stage | null> {
  try {
    const login = await restoreSession(token)
    const screens = await loadSignedIn().catch(() => null)
    if (leaving.aborted) return null
    if (screens) return isInRoom() ? roomStage({ login, screens }) : { name: 'lobby', stay: { login, screens } }
    if (isIncomplete) window.location.reload() // the server responds again
    return { name: 'opening', token, isOffline: true, isIncomplete: true }
  } catch (error) {
    if (leaving.aborted) return null
    const isRefused = error instanceof CallFailure && error.status === 401
    if (!isRefused) return { name: 'opening', token, isOffline: true, isIncomplete }
    removeToken(token)
    unmarkInRoom()
    return { name: 'ended', end: error.sessionEnd ?? 'signed_out', stay: null }
  }
}

/** Loads the screens behind the sign-in once the first screen is painted; null until then. */
function useSignedIn(): SignedInScreens | null {
  const [screens, setScreens] = useState<SignedInScreens | null>(null)
  useEffect(() => {
    loadSignedIn().then(setScreens, () => {}) // noticed once they are needed
  }, [])
  return screens
}

/** Opening a link while the page is open only changes the fragment. */
function useLinkOpenedLater(isWelcome: boolean, onOpened: (link: LinkParams) => void) {
  useEffect(() => {
    const handleChange = () => {
      if (!isWelcome) return // stays in the address until the stay in the room ends
      const link = takeLinkParams()
      if (link) onOpened(link)
    }
    window.addEventListener('hashchange', handleChange)
    return () => window.removeEventListener('hashchange', handleChange)
  })
}
