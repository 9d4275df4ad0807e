import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import classes from './Contents.module.css'

export type ContentsProps = { chapters: { id: string; title: string }[] }

/** Stands beside the text; on a phone it is folded above it. Marks the chapter in view. */
export function Contents({ chapters }: ContentsProps) {
  const isWide = useSyncExternalStore(subscribeToWidth, () => WIDE.matches)
  const [isOpen, setOpen] = useState(false)
  const current = useChapterInView(chapters)

  const details = useRef<HTMLDetailsElement>(null)

  // Bypasses the state, which is updated a moment after the browser has opened the details.
  function handleLink() {
    if (!isWide && details.current) details.current.open = false
  }

  return (
    <nav aria-label="Contents" className={classes.contents}>
      <details ref={details} open={isWide || isOpen} onToggle={(event) => setOpen(event.currentTarget.open && !isWide)}>
        <summary hidden={isWide}>Contents</summary>
        <ol className={classes.list}>
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

/**
 * Returns the chapter that crosses a line near the top of the window; above all chapters the first, below them the
 * last.
 */
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
