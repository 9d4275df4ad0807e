import type { ReactNode } from 'react'
import classes from './LineList.module.css'

/** A list of things that can be acted on, for few of them: a `DataTable` sorts and pages many. */
export function LineList({ children }: { children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>
}

type ListLineProps = {
  words: ReactNode
  /** Aligns the buttons with fields that have labels above them. */
  hasFields?: boolean
  /** The buttons. */
  children: ReactNode
}

export function ListLine({ words, hasFields = false, children }: ListLineProps) {
  return (
    <li className={classes.line} data-has-fields={hasFields || undefined}>
      <div className={classes.words}>{words}</div>
      {children}
    </li>
  )
}
