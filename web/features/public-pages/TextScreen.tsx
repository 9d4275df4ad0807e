import type { ReactNode } from 'react'
import { Link } from 'react-router'
import layout from './PublicLayout.module.css'
import classes from './TextScreen.module.css'

type TextScreenProps = { title: string; lead?: ReactNode; children: ReactNode }

/** A page that is only to be read, or printed. */
export function TextScreen({ title, lead, children }: TextScreenProps) {
  return (
    <article className={classes.text}>
      <h1>{title}</h1>
      {lead ? <p className={classes.lead}>{lead}</p> : null}
      {children}
      <nav aria-label="Other pages" className={layout.links}>
        <Link to="/">Home</Link>
        <Link to="/terms">Terms of Service</Link>
        <Link to="/policy">Privacy Policy</Link>
        <Link to="/documentation">Documentation</Link>
      </nav>
    </article>
  )
}
