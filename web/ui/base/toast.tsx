import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { dismissLightToast, lightToastStore } from '../../lib/light-toast.ts'
import { IconButton } from './Button.tsx'
import classes from './toast.module.css'

const SHOWN_MS = 4000

/** Clicks pass through to the page below the toast. */
export function LightToaster() {
  const toast = useStore(lightToastStore)

  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(dismissLightToast, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])

  const Icon = toast?.tone === 'good' ? IconCheck : IconAlertTriangle
  return (
    <section className={classes.toaster} aria-label="Sign-in messages" aria-live="polite">
      {toast ? (
        <div
          key={toast.id}
          className={classes.toast}
          data-tone={toast.tone}
          role={toast.tone === 'bad' ? 'alert' : undefined}
        >
          <span>
            <Icon size={16} aria-hidden="true" />
          </span>
          <p>{toast.message}</p>
          <IconButton label="Dismiss" onClick={dismissLightToast}>
            <IconX size={16} aria-hidden="true" />
          </IconButton>
        </div>
      ) : null}
    </section>
  )
}
