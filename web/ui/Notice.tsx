import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'

type NoticeProps = {
  tone: 'good' | 'warn' | 'bad' | 'quiet'
  children: ReactNode
  onDismiss?: () => void
}

const ICONS = { good: IconCheck, warn: IconAlertTriangle, bad: IconAlertTriangle, quiet: IconInfoCircle }

/** A line in the page about what just happened or holds now; a bad one is read out at once. */
export function Notice({ tone, children, onDismiss }: NoticeProps) {
  const Icon = ICONS[tone]
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={classes.notice} data-tone={tone}>
      <Icon size={18} stroke={1.9} aria-hidden="true" className={classes.icon} />
      <div className={classes.text}>{children}</div>
      {onDismiss ? (
        <button type="button" className={classes.dismiss} aria-label="Dismiss" onClick={onDismiss}>
          <IconX size={16} stroke={2} aria-hidden="true" />
        </button>
      ) : null}
    </div>
  )
}
