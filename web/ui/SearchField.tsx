import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

/** Delays the search until a pause in typing, so that typing never waits for the list. */
const SEARCH_AFTER_MS = 200

type SearchFieldProps = TextInputProps & { words: string; onSearch: (words: string) => void }

/** A text filter that the page's address keeps. */
export function SearchField({ words, onSearch, ...props }: SearchFieldProps) {
  const [text, setText] = useState(words)
  const searched = useRef(words)

  // The address may change without typing, as by the browser's Back.
  useEffect(() => {
    if (words === searched.current) return
    searched.current = words
    setText(words)
  }, [words])

  useEffect(() => {
    if (text === searched.current) return
    const waiting = setTimeout(() => {
      searched.current = text
      onSearch(text)
    }, SEARCH_AFTER_MS)
    return () => clearTimeout(waiting)
  }, [text, onSearch])

  return (
    <TextInput
      type="search"
      leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      {...props}
    />
  )
}
