import type { ReactNode } from 'react'
import classes from './Disclosure.module.css'

/** A question that unfolds its answer. In print all answers are open. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes.disclosure}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
