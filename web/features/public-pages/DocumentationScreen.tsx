import { useRef } from 'react'
import { Link } from 'react-router'
import hostGuide from '../../../docs/host-guide.md'
import masterGuide from '../../../docs/master-guide.md'
import zoomSetup from '../../../docs/zoom-setup.md'
import { Chapter } from './documentation/Chapter.tsx'
import { DocSearch } from './documentation/DocSearch.tsx'
import classes from './documentation/Documentation.module.css'
import text from './TextScreen.module.css'

/** The last chapters of the host's guide concern masters too, so theirs go before these. */
const FOR_ALL = ['leaving', 'numbers']

const CHAPTERS = [
  ...hostGuide.sections.filter(({ id }) => !FOR_ALL.includes(id)),
  { ...masterGuide, title: 'For administrators' },
  zoomSetup,
  ...hostGuide.sections.filter(({ id }) => FOR_ALL.includes(id)),
]

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
                <Link to={`#${id}`}>{title.split(':')[0]}</Link>
              </li>
            ))}
          </ol>
        </nav>
      </div>
      <article className={text.text} ref={article}>
        <h1>Documentation</h1>
        <p className={text.lead}>For hosts. What administrators need is in a chapter of its own.</p>
        {CHAPTERS.map((chapter) => (
          <Chapter key={chapter.id} {...chapter} />
        ))}
      </article>
    </div>
  )
}
