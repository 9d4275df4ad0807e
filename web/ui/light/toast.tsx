import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from './Button.tsx'
import classes from './toast.module.css'

const SHOWN_MS = 4000

type Toast = { id: number; tone: 'good' | 'bad'; message: string }

let current: Toast | null = null
let count = 0
const listeners = new Set<() => void>()

function setToast(toast: Toast | null) {
  current = toast
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For signing in and out: these messages outlive the change of page. Behind the logins use `ui/toast.tsx`. */
export const lightToast = {
  success: (message: string) => setToast({ id: ++count, tone: 'good', message }),
  error: (message: string) => setToast({ id: ++count, tone: 'bad', message }),
}

/** Clicks pass through to what the toast covers. */
export function LightToaster() {
  const toast = useSyncExternalStore(subscribe, () => current)

  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(setToast, SHOWN_MS, null)
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
          <IconButton label="Dismiss" onClick={() => setToast(null)}>
            <IconX size={16} aria-hidden="true" />
          </IconButton>
        </div>
      ) : null}
    </section>
  )
}
