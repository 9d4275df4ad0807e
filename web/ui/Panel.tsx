import type { ReactNode } from 'react'
import classes from './Panel.module.css'

/** A white sheet for a part of a page. */
export function Panel({ children, padded = false }: { children: ReactNode; padded?: boolean }) {
  return (
    <div className={classes.panel} data-padded={padded || undefined}>
      {children}
    </div>
  )
}
