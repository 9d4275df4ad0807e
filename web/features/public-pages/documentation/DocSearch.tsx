import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { TextField } from '../../../ui/base/TextField.tsx'
import classes from './Documentation.module.css'
import { Marked } from './Marked.tsx'
import { markHits } from './mark-hits.ts'
import { readTopics, searchTopics } from './search-topics.ts'

/** Searches the text of the page, and marks the hits in it. */
export function DocSearch({ article }: { article: RefObject<HTMLElement | null> }) {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed)
  const found = useMemo(
    () => (words.trim() && article.current ? searchTopics(readTopics(article.current), words) : []),
    [words, article],
  )

  // Runs in an effect, since the searched text is on the page only after the first render.
  useEffect(() => {
    const initialSearch = new URLSearchParams(window.location.search).get('search')
    if (initialSearch) setTyped(initialSearch)
  }, [])

  useEffect(() => {
    const { current } = article
    markHits(current, words)
    return () => markHits(current, '')
  }, [words, article])

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
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (found[0]) void navigate(`#${found[0].id}`)
        }}
      >
        <TextField
          ref={field}
          type="search"
          label="Search the documentation"
          autoComplete="off"
          hint={<output>{words.trim() ? (found.length === 0 ? 'Nothing found' : `${found.length} found`) : ''}</output>}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      {found.length > 0 ? (
        <ul className={classes.results}>
          {found.map(({ id, title, snippet }) => (
            <li key={id}>
              <Link to={`#${id}`}>
                <Marked text={title} words={words} />
              </Link>
              <p>
                <Marked text={snippet} words={words} />
              </p>
            </li>
          ))}
        </ul>
      ) : null}
    </search>
  )
}
