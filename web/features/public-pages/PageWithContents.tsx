import type { ReactNode, Ref } from 'react'
import { Contents, type ContentsProps } from './Contents.tsx'
import classes from './PageWithContents.module.css'
import text from './TextScreen.module.css'

type PageWithContentsProps = ContentsProps & {
  title: string
  lead: ReactNode
  search?: ReactNode
  article?: Ref<HTMLElement>
  children: ReactNode
}

/** A long text with its table of contents beside it, or above it on a phone. */
export function PageWithContents({ title, lead, search, chapters, article, children }: PageWithContentsProps) {
  return (
    <div className={classes.page}>
      <header className={text.text}>
        <h1>{title}</h1>
        <p className={text.lead}>{lead}</p>
      </header>
      <div className={`no-print ${classes.side}`}>
        {search}
        <Contents chapters={chapters} />
      </div>
      <article className={text.text} ref={article}>
        {children}
      </article>
    </div>
  )
}
