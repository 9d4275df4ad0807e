import { useEffect, useState } from 'react'
import { site } from '../../lib/site.ts'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { CardPage } from '../../ui/base/CardPage.tsx'
import { errorAdvice } from './error-advice.ts'
import { comesFromZoom, isPopup, reportAndClose, returnParams } from './popup-report.ts'
import { errorCode, errorText } from './return-outcome.ts'

/** The page after a failed consent at Zoom. In a popup it reports the error to the page that opened it. */
export function OAuthErrorScreen() {
  const [{ text, code }] = useState(() => {
    const params = returnParams(window.location)
    return { text: errorText(params), code: errorCode(params) }
  })
  const [reports] = useState(() => isPopup(window) || comesFromZoom(window, site.zoom_origin))

  useEffect(() => {
    // The address may contain email addresses, and the page already shows the error.
    window.history.replaceState(window.history.state, '', window.location.pathname)
    if (!reports) return
    reportAndClose({ type: 'ZOOM_OAUTH_ERROR', data: { error: code, error_message: text } }, window, site.master_url)
  }, [reports, code, text])

  return (
    <CardPage
      tone="bad"
      title="Zoom Integration Failed"
      actions={
        <>
          <Button look="filled" onClick={goBack}>
            Try Again
          </Button>
          <ButtonLink href={`${site.master_url}/admin/dashboard`}>Back to Dashboard</ButtonLink>
          {site.support_email ? (
            <ButtonLink
              href={`mailto:${site.support_email}?subject=${encodeURIComponent(`Zoom integration failed: ${code}`)}`}
            >
              Contact Support
            </ButtonLink>
          ) : null}
        </>
      }
    >
      <p>{text}</p>
      <p>Error code: {code}</p>
      <h2>What you can try</h2>
      <ul>
        {errorAdvice(code).map((advice) => (
          <li key={advice}>{advice}</li>
        ))}
      </ul>
    </CardPage>
  )
}

/** A new window has no history to go back to. */
function goBack() {
  if (window.history.length > 1) window.history.back()
  else window.location.assign(`${site.master_url}/master/dashboard`)
}
