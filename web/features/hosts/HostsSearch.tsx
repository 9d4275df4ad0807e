import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

/** The search waits for a pause in typing, so that typing never waits for the list. */
const SEARCH_AFTER_MS = 200

type HostsSearchProps = { words: string; onSearch: (words: string) => void }

export function HostsSearch({ words, onSearch }: HostsSearchProps) {
  const [text, setText] = useState(words)
  const searched = useRef(words)

  // The address may change by itself, as by the browser's Back.
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
      flex={{ base: '1 1 100%', md: '1 1 16rem' }}
      maw={{ md: '22rem' }}
      type="search"
      aria-label="Search hosts"
      placeholder="Search by username, email or mobile"
      leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}
