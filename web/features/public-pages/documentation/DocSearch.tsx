import { IconSearch } from '@tabler/icons-react'
import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import classes from './Documentation.module.css'
import { readTopics, searchTopics } from './search-topics.ts'

/** Finds topics by their words, in what stands on the page. */
export function DocSearch({ article }: { article: RefObject<HTMLElement | null> }) {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed)
  const found = useMemo(
    () => (words.trim() && article.current ? searchTopics(readTopics(article.current), words) : []),
    [words, article],
  )

  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])

  return (
    <search className={classes.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (found[0]) void navigate(`#${found[0].id}`)
        }}
      >
        <IconSearch size={17} stroke={1.75} aria-hidden="true" className={classes.searchIcon} />
        <input
          ref={field}
          type="search"
          className={classes.field}
          aria-label="Search the documentation"
          placeholder="Search"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <p role="status" className={classes.count}>
        {words.trim() ? (found.length === 0 ? 'Nothing found' : `${found.length} found`) : null}
      </p>
      {found.length > 0 ? (
        <ul className={classes.results}>
          {found.map(({ id, title, snippet }) => (
            <li key={id}>
              <Link to={`#${id}`}>{title}</Link>
              <p>{snippet}</p>
            </li>
          ))}
        </ul>
      ) : null}
    </search>
  )
}
