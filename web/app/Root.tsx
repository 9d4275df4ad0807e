import { useEffect } from 'react'
import { Navigate, Outlet, type To, useLocation, useNavigate } from 'react-router'
import { useStore } from 'zustand'
import { handOverStore, setHandOver } from '../lib/session/hand-over.ts'
import { verifyHandOver, verifySession } from '../lib/session/restore-session.ts'
import { forgetPage, rememberedPage, rememberPage } from '../lib/session/return-page.ts'
import { clearSession, useSession } from '../lib/session/session.ts'
import { site } from '../lib/site.ts'
import { Button } from '../ui/base/Button.tsx'
import { CardPage } from '../ui/base/CardPage.tsx'
import { Loading } from '../ui/base/Loading.tsx'
import { HandOverQuestion } from './HandOverQuestion.tsx'
import { redirectFor, waitsForSession } from './redirects.ts'

/** The frame of every page: waits for the session, then shows the page or redirects. */
export function Root() {
  const { pathname, search } = useLocation()
  const session = useSession()
  const { handOver } = useStore(handOverStore)

  const role = session.user?.role ?? null
  const target = redirectFor(pathname, site.site, role)
  const isSigningIn = role !== null && /^\/(master-)?login\/?$/.test(pathname)

  useEffect(() => {
    if (role && !target) forgetPage()
  }, [role, target])

  if (waitsForSession(pathname, site.site)) {
    const isVerifying = handOver?.status === 'verifying' && session.status === 'signed-out'
    if (session.status === 'checking' || isVerifying) return <Loading fullPage />
    if (session.status === 'unreachable') return <Unreachable onRetry={verifySession} onGiveUp={clearSession} />
    if (handOver?.status === 'unreachable')
      return <Unreachable onRetry={verifyHandOver} onGiveUp={() => setHandOver(null)} />
  }
  if (handOver?.status === 'asking') return <HandOverQuestion handOver={handOver} current={session.user} />

  if (target) {
    if (isSigningIn) return <Leaving to={rememberedPage(role) ?? target} />
    const isSignedOff = !role && !session.left
    if (isSignedOff && /^\/(host|master)\//.test(pathname)) rememberPage(pathname + search)
    if (isSignedOff && /^\/host\/host-master\/?$/.test(pathname)) return <AuthenticationRequired signIn={target} />
    // The hosts page reads the result of Zoom's consent from its address.
    return <Leaving to={{ pathname: target, search: target === '/master/hosts' ? search : '' }} />
  }
  return <Outlet />
}

/** The address changes once the code of the next page has loaded. */
function Leaving({ to }: { to: To }) {
  return (
    <>
      <Loading fullPage />
      <Navigate to={to} replace />
    </>
  )
}

const READING_MS = 1500

/** Shown to a visitor of Host Master who is not signed in, for a moment before the login. */
function AuthenticationRequired({ signIn }: { signIn: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate(signIn, { replace: true }), READING_MS)
    return () => clearTimeout(timer)
  }, [navigate, signIn])

  return (
    <CardPage
      tone="ask"
      title="Authentication Required"
      actions={
        <Button look="filled" onClick={() => void navigate(signIn, { replace: true })}>
          Sign in
        </Button>
      }
    >
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
          <Button look="filled" onClick={() => void onRetry()}>
            Try again
          </Button>
          <Button onClick={() => onGiveUp()}>Sign in again</Button>
        </>
      }
    >
      <p>Network error. Please try again.</p>
    </CardPage>
  )
}

/** Shown if a page's code could not be loaded, as after an update of the server, or if the page threw. */
export function RootFailed() {
  return (
    <CardPage
      tone="bad"
      title="This page could not be opened"
      actions={
        <Button look="filled" onClick={() => window.location.reload()}>
          Try again
        </Button>
      }
    >
      <p>Parley may have been updated since you opened it. Loading the page again usually helps.</p>
    </CardPage>
  )
}
