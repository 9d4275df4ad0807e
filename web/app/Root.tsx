import { useEffect, useSyncExternalStore } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { currentHandOver, setHandOver, subscribeToHandOver } from '../lib/session/hand-over.ts'
import { lookAtHandOver, verifySession } from '../lib/session/restore-session.ts'
import { clearSession, forgetPage, rememberedPage, rememberPage } from '../lib/session/session.ts'
import { useSession } from '../lib/session/use-session.ts'
import { site } from '../lib/site.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { CardPage } from '../ui/CardPage.tsx'
import { Loading } from '../ui/Loading.tsx'
import { HandOverQuestion } from './HandOverQuestion.tsx'
import { redirectFor, waitsForSession } from './redirects.ts'

/** Stands around every page: waits for the session, and sends each visitor where the page's rule says. */
export function Root() {
  const { pathname, search } = useLocation()
  const session = useSession()
  const handOver = useSyncExternalStore(subscribeToHandOver, currentHandOver)

  const role = session.user?.role ?? null
  const target = redirectFor(pathname, site.site, role)
  const isSigningIn = role !== null && /^\/(master-)?login\/?$/.test(pathname)

  useEffect(() => {
    if (role && !target) forgetPage()
  }, [role, target])

  if (waitsForSession(pathname, site.site)) {
    const isLooking = handOver?.status === 'looking' && session.status === 'signed-out'
    if (session.status === 'checking' || isLooking) return <Loading fullPage />
    if (session.status === 'unreachable') return <Unreachable onRetry={verifySession} onGiveUp={clearSession} />
    if (handOver?.status === 'unreachable')
      return <Unreachable onRetry={lookAtHandOver} onGiveUp={() => setHandOver(null)} />
  }
  if (handOver?.status === 'asking') return <HandOverQuestion handOver={handOver} present={session.user} />

  if (target) {
    if (isSigningIn) return <Navigate to={rememberedPage(role) ?? target} replace />
    const isSignedOff = !role && !session.left
    if (isSignedOff && /^\/(host|master)\//.test(pathname)) rememberPage(pathname + search)
    if (isSignedOff && /^\/host\/host-master\/?$/.test(pathname)) return <AuthenticationRequired signIn={target} />
    // What came back from Zoom is still to be read there.
    return <Navigate to={{ pathname: target, search: target === '/master/hosts' ? search : '' }} replace />
  }
  return <Outlet />
}

const READ_FOR_MS = 1500

/** Host Master says why before it lets go of its visitor. */
function AuthenticationRequired({ signIn }: { signIn: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    const going = setTimeout(() => void navigate(signIn, { replace: true }), READ_FOR_MS)
    return () => clearTimeout(going)
  }, [navigate, signIn])

  return (
    <CardPage tone="ask" title="Authentication Required" actions={<ButtonLink href={signIn}>Log in</ButtonLink>}>
      <p>Please log in to access this page.</p>
    </CardPage>
  )
}

function Unreachable({ onRetry, onGiveUp }: { onRetry: () => Promise<void>; onGiveUp: () => void }) {
  return (
    <CardPage
      tone="bad"
      title="Parley does not answer"
      actions={
        <>
          <Button onClick={() => void onRetry()}>Try again</Button>
          <Button variant="default" onClick={() => onGiveUp()}>
            Sign in again
          </Button>
        </>
      }
    >
      <p>Network error. Please try again.</p>
    </CardPage>
  )
}

/** A page's code could not be fetched, as after an update of the server, or it has a fault. */
export function RootFailed() {
  return (
    <CardPage
      tone="bad"
      title="This page could not be opened"
      actions={<Button onClick={() => window.location.reload()}>Try again</Button>}
    >
      <p>Parley may have been updated since you opened it. Loading the page again usually helps.</p>
    </CardPage>
  )
}
