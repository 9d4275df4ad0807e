import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { verifySession } from '../lib/session/restore-session.ts'
import { useSession } from '../lib/session/session.ts'
import { Button } from '../ui/base/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'

const RETRY_MS = 5000

/** Hides the pages from an unverified master, who sees an empty panel. */
export function VerifiedOnly() {
  const { status } = useSession()
  return status === 'unverified' ? <NotVerified /> : <Outlet />
}

function NotVerified() {
  const [isAsking, setAsking] = useState(false)

  useEffect(() => {
    const again = () => void verifySession()
    const timer = setInterval(again, RETRY_MS)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [])

  async function handleAsk() {
    setAsking(true)
    await verifySession()
    setAsking(false)
  }

  return (
    <Page title="Not verified">
      <Notice tone="warn">
        Your sign-in could not be verified, because Parley does not answer. Nothing is shown until it does.
      </Notice>
      <div>
        <Button busy={isAsking} onClick={() => void handleAsk()}>
          Try again
        </Button>
      </div>
    </Page>
  )
}
