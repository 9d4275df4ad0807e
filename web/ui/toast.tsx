import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import classes from './toast.module.css'

const SHOWN_MS = 4000
/** More wait for their turn. */
const AT_ONCE = 3

type Toast = { id: number; tone: 'good' | 'bad'; message: string }

let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()

function become(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const show = (tone: Toast['tone'], message: string) => become([...toasts, { id: ++count, tone, message }])
const dismiss = (id: number) => become(toasts.filter((one) => one.id !== id))

/** A short word at the top right. The screen raises it, never a query. */
export const toast = {
  success: (message: string) => show('good', message),
  error: (message: string) => show('bad', message),
}

/** Where toasts appear: once, around all pages. What a toast covers can be pressed through it. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => toasts).slice(0, AT_ONCE)
  return (
    <section className={classes.toaster} aria-label="Messages" aria-live="polite">
      {shown.map((one) => (
        <ToastCard key={one.id} {...one} />
      ))}
    </section>
  )
}

function ToastCard({ id, tone, message }: Toast) {
  useEffect(() => {
    const timer = setTimeout(dismiss, SHOWN_MS, id)
    return () => clearTimeout(timer)
  }, [id])

  const Icon = tone === 'good' ? IconCheck : IconAlertTriangle
  return (
    <div className={classes.toast} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      <span className={classes.icon}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <p className={classes.message}>{message}</p>
      <button type="button" className={classes.close} aria-label="Dismiss" onClick={() => dismiss(id)}>
        <IconX size={16} aria-hidden="true" />
      </button>
    </div>
  )
}
