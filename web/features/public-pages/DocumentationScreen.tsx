import { useRef } from 'react'
import hostGuide from '../../../docs/host-guide.md'
import masterGuide from '../../../docs/master-guide.md'
import zoomSetup from '../../../docs/zoom-setup.md'
import { Chapter } from './documentation/Chapter.tsx'
import { DocSearch } from './documentation/DocSearch.tsx'
import { PageWithContents } from './PageWithContents.tsx'

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
    <PageWithContents
      title="Documentation"
      lead="For hosts. Administrators: see the chapters near the end."
      search={<DocSearch article={article} />}
      chapters={CHAPTERS}
      article={article}
    >
      {CHAPTERS.map((chapter) => (
        <Chapter key={chapter.id} {...chapter} />
      ))}
    </PageWithContents>
  )
}
