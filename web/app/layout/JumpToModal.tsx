import { Modal, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowRight, IconSearch, IconUser } from '@tabler/icons-react'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import classes from './JumpToModal.module.css'
import type { SidebarItem } from './Sidebar.tsx'

/** A person that the search has found, and the page that shows them. */
export type Found = { id: string; label: string; hint: string; to: string }
/** Looks for people; none where the panel has nobody to look for. */
export type FindPeople = (words: string) => UseQueryOptions<Found[], Error, Found[], string[]>

type JumpToModalProps = { items: SidebarItem[]; findPeople?: FindPeople; opened: boolean; onClose: () => void }

const TYPED_MS = 150

/** The header's search: a few letters of a page or a person, Enter, and it is there. */
export function JumpToModal({ items, findPeople, opened, onClose }: JumpToModalProps) {
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const [marked, setMarked] = useState(0)
  const sought = words.trim()
  const people = usePeople(findPeople, sought)
  const pages = items.filter((item) => item.label.toLowerCase().includes(sought.toLowerCase()))
  const found = [
    ...pages.map(({ to, label, icon }) => ({ id: to, to, label, icon, hint: '' })),
    ...people.map((person) => ({ ...person, icon: IconUser })),
  ]
  const what = findPeople ? 'Go to a page or a person' : 'Go to a page'

  function handleClose() {
    setWords('')
    setMarked(0)
    onClose()
  }

  function go(to: string | undefined) {
    if (to === undefined) return
    handleClose()
    void navigate(to)
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Enter') go(found[marked]?.to)
    else if (event.key === 'ArrowDown') setMarked(Math.min(marked + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setMarked(Math.max(marked - 1, 0))
    else return
    event.preventDefault()
  }

  return (
    <Modal.Root opened={opened} onClose={handleClose} yOffset="12vh">
      <Modal.Overlay backgroundOpacity={0.5} color="#06141a" />
      <Modal.Content aria-label="Go to">
        <Modal.Body p="xs">
          <TextInput
            data-autofocus
            variant="unstyled"
            size="md"
            placeholder={what}
            aria-label={what}
            role="combobox"
            aria-expanded="true"
            aria-controls="jump-to-list"
            aria-activedescendant={found[marked] ? `jump-to-${marked}` : undefined}
            leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
            value={words}
            onChange={(event) => {
              setWords(event.currentTarget.value)
              setMarked(0)
            }}
            onKeyDown={handleKey}
          />
          <div id="jump-to-list" role="listbox" aria-label="Found" className={classes.list}>
            {found.map((one, index) => (
              <UnstyledButton
                key={one.id}
                id={`jump-to-${index}`}
                role="option"
                aria-selected={index === marked}
                tabIndex={-1}
                className={classes.option}
                onMouseMove={() => setMarked(index)}
                onClick={() => go(one.to)}
              >
                <one.icon size={18} stroke={1.75} aria-hidden="true" />
                <span className={classes.label}>{one.label}</span>
                {one.hint ? <span className={classes.hint}>{one.hint}</span> : null}
                <IconArrowRight size={16} className={classes.arrow} aria-hidden="true" />
              </UnstyledButton>
            ))}
          </div>
          {found.length === 0 ? (
            <p className={classes.none}>
              {findPeople ? 'No page and nobody has that name.' : 'No page has that name.'}
            </p>
          ) : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

const nobody: FindPeople = () => ({ queryKey: ['find-people'], enabled: false })

/** Those of the last words stay until the next ones are known, so that the list does not flicker under the typing. */
function usePeople(find: FindPeople = nobody, words: string): Found[] {
  const [typed] = useDebouncedValue(words, TYPED_MS)
  const { data } = useQuery({ ...find(typed), placeholderData: keepPreviousData })
  return words === '' ? [] : (data ?? [])
}
