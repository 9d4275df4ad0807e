import { useRef } from 'react'
import { Link } from 'react-router'
import { CHAPTERS } from './documentation/chapters.ts'
import { DocSearch } from './documentation/DocSearch.tsx'
import classes from './documentation/Documentation.module.css'
import text from './TextScreen.module.css'

export function DocumentationScreen() {
  const article = useRef<HTMLElement>(null)
  return (
    <div className={classes.page}>
      <div className={classes.side}>
        <DocSearch article={article} />
        <nav aria-label="Contents" className={classes.contents}>
          <ol>
            {CHAPTERS.map(({ id, title }) => (
              <li key={id}>
                <Link to={`#${id}`}>{title}</Link>
              </li>
            ))}
          </ol>
        </nav>
      </div>
      <article className={text.text} ref={article}>
        <h1>Documentation</h1>
        <p className={text.lead}>For hosts. What administrators need is in a chapter of its own.</p>
        {CHAPTERS.map(({ id, Chapter }) => (
          <Chapter key={id} />
        ))}
      </article>
    </div>
  )
}
