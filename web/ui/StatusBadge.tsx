import type { ReactNode } from 'react'
import type { StatTone } from './StatCard.tsx'
import classes from './StatusBadge.module.css'

type StatusBadgeProps = { tone: StatTone; icon?: ReactNode; children: ReactNode; title?: string }

/** A state as a word on its colour, with an icon or a dot: the colour never stands alone. */
export function StatusBadge({ tone, icon, children, title }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      {icon ? (
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
      ) : (
        <span className={classes.dot} aria-hidden="true" />
      )}
      {children}
    </span>
  )
}
