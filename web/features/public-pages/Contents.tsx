import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import classes from './Contents.module.css'

export type ContentsProps = { chapters: { id: string; title: string }[] }

/** Beside the text; on a phone folded above it. The chapter in view is marked. */
export function Contents({ chapters }: ContentsProps) {
  const isWide = useSyncExternalStore(subscribeToWidth, () => WIDE.matches)
  const [isOpen, setOpen] = useState(false)
  const current = useChapterInView(chapters)

  const details = useRef<HTMLDetailsElement>(null)

  // Not through the state, which follows a moment after the browser has opened them.
  function handleLink() {
    if (!isWide && details.current) details.current.open = false
  }

  return (
    <nav aria-label="Contents" className={classes.contents}>
      <details ref={details} open={isWide || isOpen} onToggle={(event) => setOpen(event.currentTarget.open && !isWide)}>
        <summary hidden={isWide}>Contents</summary>
        <ol>
          {chapters.map(({ id, title }) => (
            <li key={id}>
              <Link to={`#${id}`} aria-current={id === current ? 'location' : undefined} onClick={handleLink}>
                {title.split(':')[0]}
              </Link>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  )
}

const WIDE = window.matchMedia('(min-width: 48.01em)')

function subscribeToWidth(notify: () => void) {
  WIDE.addEventListener('change', notify)
  return () => WIDE.removeEventListener('change', notify)
}

/** The chapter that reaches over a line near the top of the window; above all of them the first, below them the last. */
function useChapterInView(chapters: ContentsProps['chapters']): string | undefined {
  const [current, setCurrent] = useState(chapters[0]?.id)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) setCurrent(target.id)
        }
      },
      { rootMargin: '-15% 0px -84.9% 0px' },
    )
    for (const { id } of chapters) {
      const chapter = document.getElementById(id)
      if (chapter) observer.observe(chapter)
    }
    return () => observer.disconnect()
  }, [chapters])
  return current
}
