import { useRef } from 'react'
import hostGuide from '../../../docs/host-guide.md'
import masterGuide from '../../../docs/master-guide.md'
import zoomSetup from '../../../docs/zoom-setup.md'
import { Chapter } from './documentation/Chapter.tsx'
import { Contents } from './documentation/Contents.tsx'
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
      <header className={text.text}>
        <h1>Documentation</h1>
        <p className={text.lead}>For hosts. Administrators: see the chapters near the end.</p>
      </header>
      <div className={classes.side}>
        <DocSearch article={article} />
        <Contents chapters={CHAPTERS} />
      </div>
      <article className={text.text} ref={article}>
        {CHAPTERS.map((chapter) => (
          <Chapter key={chapter.id} {...chapter} />
        ))}
      </article>
    </div>
  )
}
