import { useEffect, useState } from 'react'
import { site } from '../../lib/site.ts'
import { ButtonLink } from '../../ui/base/Button.tsx'
import { CardPage } from '../../ui/base/CardPage.tsx'
import { Loading } from '../../ui/base/Loading.tsx'
import { comesFromZoom, isPopup, reportAndClose, returnParams } from './popup-report.ts'
import { errorOutcome, nextPageAfterConsent, type ReturnOutcome, returnOutcome } from './return-outcome.ts'

const GO_ON_AFTER_MS = 3000

/**
 * The page after Zoom's consent: reports the outcome to the page that opened it, or continues to the console by itself.
 */
export function OAuthSuccessScreen() {
  const [outcome, setOutcome] = useState<ReturnOutcome | null>(null)
  const [popup] = useState(() => isPopup(window))
  const [reports] = useState(() => popup || comesFromZoom(window, site.zoom_origin))

  useEffect(() => {
    setOutcome((known) => known ?? readOutcome())
  }, [])

  useEffect(() => {
    if (!outcome) return
    if (reports) reportAndClose(outcome.message, window, site.master_url)
    if (popup || outcome.kind !== 'success') return
    const going = setTimeout(
      () => window.location.replace(nextPageAfterConsent(site.master_url, outcome)),
      GO_ON_AFTER_MS,
    )
    return () => clearTimeout(going)
  }, [outcome, popup, reports])

  if (!outcome) return <Loading fullPage label="Processing Zoom Integration..." />

  const dashboard = (
    <ButtonLink look={outcome.kind === 'success' ? 'default' : 'filled'} href={`${site.master_url}/master/dashboard`}>
      Back to Dashboard
    </ButtonLink>
  )
  if (outcome.kind === 'error') {
    return (
      <CardPage tone="bad" title="Integration Failed" actions={dashboard}>
        <p>An error occurred during Zoom integration. Please try again.</p>
        <p>{outcome.text}</p>
      </CardPage>
    )
  }
  return (
    <CardPage
      tone="good"
      title="Zoom Integration Successful!"
      actions={
        <>
          {dashboard}
          <ButtonLink href={`${site.master_url}/master/hosts?modal=add-host`}>Add New Host</ButtonLink>
        </>
      }
    >
      <p>{outcome.text}</p>
      <p>{popup ? 'This window closes by itself. If it does not, close it.' : 'Redirecting...'}</p>
    </CardPage>
  )
}

function readOutcome(): ReturnOutcome {
  try {
    const outcome = returnOutcome(returnParams(window.location))
    // Keeps the parameters, above all a token, out of the history.
    window.history.replaceState(window.history.state, '', window.location.pathname)
    return outcome
  } catch {
    return errorOutcome('processing_failed', 'Failed to process OAuth callback')
  }
}
