import { IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './States.module.css'

type EmptyProps = { children: ReactNode; icon?: ReactNode; hint?: ReactNode; action?: ReactNode }

/** Nothing to show, and what would change that. */
export function Empty({ children, icon, hint, action }: EmptyProps) {
  return (
    <div className={classes.state}>
      <span className={classes.disc}>{icon ?? <IconInbox size={22} stroke={1.75} aria-hidden="true" />}</span>
      <p className={classes.title}>{children}</p>
      {hint ? <p className={classes.text}>{hint}</p> : null}
      {action}
    </div>
  )
}
