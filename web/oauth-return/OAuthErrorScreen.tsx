import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { site } from '../site.ts'
import { isPopup, reportAndClose, returnParams } from './popup-report.ts'
import { ReturnCard } from './ReturnCard.tsx'
import { errorText } from './return-outcome.ts'

/** Where Zoom's consent ends badly. In the popup the page that waits is told, and says it there. */
export function OAuthErrorScreen() {
  const [{ text, code }] = useState(() => {
    const params = returnParams(window.location)
    return { text: errorText(params), code: params.get('error') ?? 'unknown' }
  })
  const [popup] = useState(() => isPopup(window, site.zoom_origin))

  useEffect(() => {
    if (!popup) return
    reportAndClose({ type: 'ZOOM_OAUTH_ERROR', data: { error: code, error_message: text } }, window, site.master_url)
  }, [popup, code, text])

  return (
    <ReturnCard
      tone="bad"
      title="Zoom Integration Failed"
      actions={
        <>
          <Button onClick={() => window.history.back()}>Try Again</Button>
          <Button component="a" variant="default" href={`${site.master_url}/admin/dashboard`}>
            Back to Dashboard
          </Button>
          {site.support_email ? (
            <Button component="a" variant="default" href={`mailto:${site.support_email}`}>
              Contact Support
            </Button>
          ) : null}
        </>
      }
    >
      <p>{text}</p>
      <ul>
        <li>Sign in to Zoom with the e-mail address of the host.</li>
        <li>Press Allow on Zoom's page, so that Parley may set up the room.</li>
        <li>Ask the administrator of your Zoom account whether apps need an approval first.</li>
        <li>Try again within ten minutes of pressing Connect Zoom.</li>
      </ul>
    </ReturnCard>
  )
}
