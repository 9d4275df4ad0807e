import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { PageWithContents } from './PageWithContents.tsx'
import layout from './PublicLayout.module.css'

/** `id` is its anchor on the page. */
export interface TextSection {
  id: string
  title: string
  text: ReactNode
}

type TextScreenProps = { title: string; lead: ReactNode; intro?: ReactNode; parts: TextSection[] }

/** A page to read or print, without controls. */
export function TextScreen({ title, lead, intro, parts }: TextScreenProps) {
  return (
    <PageWithContents title={title} lead={lead} chapters={parts}>
      {intro}
      {parts.map((part) => (
        <section key={part.id} id={part.id} tabIndex={-1}>
          <h2>{part.title}</h2>
          {part.text}
        </section>
      ))}
      <nav aria-label="Other pages" className={layout.links}>
        <Link to="/">Home</Link>
        <Link to="/terms">Terms of Service</Link>
        <Link to="/policy">Privacy Policy</Link>
        <Link to="/documentation">Documentation</Link>
      </nav>
    </PageWithContents>
  )
}
