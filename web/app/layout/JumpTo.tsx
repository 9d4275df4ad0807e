import { Button, Kbd, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconSearch, IconUser } from '@tabler/icons-react'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useLayer } from '../../ui/layers.ts'
import { useOpenUserPanel } from '../../widgets/room-user/user-param.ts'
import type { SidebarItem } from './Sidebar.tsx'

/** A person found by the search: a host with a page of its own, or a user, whose panel opens. */
export type FoundPerson = { id: string; label: string; hint: string; to?: string }
export type FindPeople = (words: string) => UseQueryOptions<FoundPerson[], Error, FoundPerson[], string[]>

type JumpToProps = { items: SidebarItem[]; findPeople?: FindPeople }

const DEBOUNCE_MS = 150
const LIST_ID = 'jump-to-list'

const [store, palette] = createSpotlight()

/** The header's search: type part of a page's or person's name and press Enter. */
export function JumpTo({ items, findPeople }: JumpToProps) {
  const navigate = useNavigate()
  const openPanel = useOpenUserPanel()
  const { query, selected, opened } = useSpotlight(store)
  useLayer(opened, palette.close)
  useEffect(() => palette.close, []) // its state outlives the panel, and would be open again after the next sign-in
  const words = query.trim()
  const people = usePeople(findPeople, words)
  const pages = items.filter((item) => isNamed(item, words.toLowerCase()))
  const results = [
    ...pages.map(({ to, label, icon }) => ({ id: to, to, label, icon, hint: '' })),
    ...people.map((person) => ({ ...person, icon: IconUser })),
  ]
  const label = findPeople ? 'Go to a page or a user' : 'Go to a page'
  const marked = Math.min(Math.max(selected, 0), results.length - 1)

  // Mantine marks the first result when the query changes, which is before the people have been fetched.
  const isUnmarked = marked !== selected
  useEffect(() => {
    if (isUnmarked) mark(marked)
  }, [isUnmarked, marked])

  return (
    <>
      <Button
        variant="default"
        w="min(17rem, 50vw)"
        mr="auto"
        px="xs"
        c="dimmed"
        fw={400}
        justify="space-between"
        leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
        rightSection={
          <Kbd visibleFrom="sm" aria-hidden="true">
            /
          </Kbd>
        }
        styles={{ label: { flex: 1 } }}
        onClick={palette.open}
      >
        Search
      </Button>
      <Spotlight.Root
        store={store}
        shortcut={['mod + K', '/']}
        scrollable
        overlayProps={{ blur: 0, backgroundOpacity: 0.5, color: '#06141a' }}
        attributes={{ content: { 'aria-label': 'Go to' } }}
        styles={{ search: { outline: 'none' }, actionsList: { borderColor: 'var(--line)' } }}
      >
        <Spotlight.Search
          placeholder={label}
          aria-label={label}
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls={results.length > 0 ? LIST_ID : undefined}
          aria-activedescendant={results[marked] ? `${LIST_ID}-${marked}` : undefined}
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
        />
        {results.length === 0 ? (
          <Text c="dimmed" p="md">
            {findPeople ? 'No matching page or user.' : 'No matching page.'}
          </Text>
        ) : (
          <Spotlight.ActionsList id={LIST_ID} role="listbox" aria-label="Found">
            {results.map(({ id, to, label: name, icon: Icon, hint }, index) => (
              <Spotlight.Action
                key={id}
                ref={(row) => row?.setAttribute('id', `${LIST_ID}-${index}`)} // Mantine drops a given id
                role="option"
                aria-selected={index === marked}
                data-selected={index === marked || undefined}
                label={name}
                leftSection={<Icon size={18} stroke={1.75} aria-hidden="true" />}
                rightSection={hint}
                onMouseMove={() => mark(index)}
                onClick={() => (to ? void navigate(to) : openPanel({ id }))}
              />
            ))}
          </Spotlight.ActionsList>
        )}
      </Spotlight.Root>
    </>
  )
}

function isNamed({ label, synonyms = [] }: SidebarItem, words: string): boolean {
  return label.toLowerCase().includes(words) || (words !== '' && synonyms.some((one) => one.startsWith(words)))
}

function mark(index: number) {
  store.updateState((state) => ({ ...state, selected: index }))
}

const noPeople: FindPeople = () => ({ queryKey: ['find-people'], enabled: false })

/** The previous results stay until the next ones arrive, so that the list does not flicker while typing. */
function usePeople(find: FindPeople = noPeople, words: string): FoundPerson[] {
  const [typed] = useDebouncedValue(words, DEBOUNCE_MS)
  const { data } = useQuery({ ...find(typed), placeholderData: keepPreviousData })
  return words === '' ? [] : (data ?? [])
}
