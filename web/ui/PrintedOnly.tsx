import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import classes from './PrintedOnly.module.css'

/** Printed instead of the page. */
export function PrintedOnly({ children }: { children: ReactNode }) {
  return createPortal(
    <div className={classes.paper} data-paper>
      {children}
    </div>,
    document.body,
  )
}
