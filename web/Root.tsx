import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { redirectFor, waitsForSession } from './redirects.ts'
import { verifySession } from './session/restore-session.ts'
import { clearSession, forgetPage, rememberedPage, rememberPage } from './session/session.ts'
import { useSession } from './session/use-session.ts'
import { site } from './site.ts'
import { Failed } from './ui/Failed.tsx'
import { Loading } from './ui/Loading.tsx'

/** Stands around every page: waits for the session, and sends each visitor where the page's rule says. */
export function Root() {
  const { pathname, search } = useLocation()
  const session = useSession()

  const role = session.user?.role ?? null
  const target = redirectFor(pathname, site.site, role)
  const isSigningIn = role !== null && /^\/(master-)?login\/?$/.test(pathname)

  useEffect(() => {
    if (role && !target) forgetPage()
  }, [role, target])

  if (waitsForSession(pathname, site.site)) {
    if (session.status === 'checking') return <Loading fullPage />
    if (session.status === 'unreachable') return <Unreachable />
  }

  if (target) {
    if (isSigningIn) return <Navigate to={rememberedPage(role) ?? target} replace />
    if (!role && !session.left && /^\/(host|master)\//.test(pathname)) rememberPage(pathname + search)
    return <Navigate to={target} replace />
  }
  return <Outlet />
}

function Unreachable() {
  return (
    <main>
      <Failed title="Parley does not answer" onRetry={() => void verifySession()}>
        Network error. Please try again.
      </Failed>
      <div style={{ textAlign: 'center' }}>
        <Button variant="subtle" onClick={() => clearSession()}>
          Sign in again
        </Button>
      </div>
    </main>
  )
}

/** A page's code could not be fetched, as after an update of the server, or it has a fault. */
export function RootFailed() {
  return (
    <main>
      <Failed title="This page could not be opened" onRetry={() => window.location.reload()}>
        Parley may have been updated since you opened it. Loading the page again usually helps.
      </Failed>
    </main>
  )
}
