import type { ReactNode } from 'react'
import classes from './TableFrame.module.css'

/** Scrolls a long table inside its card, below a heading that stays. Print shows all of it. */
export function TableFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must be reachable by keyboard
    <section className={classes.frame} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
