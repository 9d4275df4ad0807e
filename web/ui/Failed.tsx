import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import classes from './States.module.css'

type FailedProps = { title?: string; children: ReactNode; onRetry?: () => void; retrying?: boolean }

/** Something could not be shown: what, and a way to try again. */
export function Failed({ title, children, onRetry, retrying = false }: FailedProps) {
  return (
    <div role="alert" className={classes.state}>
      <span className={classes.disc} data-tone="bad">
        <IconAlertTriangle size={22} stroke={1.75} aria-hidden="true" />
      </span>
      {title ? <h2 className={classes.title}>{title}</h2> : null}
      <p className={classes.text}>{children}</p>
      {onRetry ? (
        <Button variant="default" icon={<IconRefresh size={16} aria-hidden="true" />} busy={retrying} onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  )
}
