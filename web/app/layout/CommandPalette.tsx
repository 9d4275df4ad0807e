import { Button, Kbd } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { type Icon, IconMail, IconSearch, IconUser } from '@tabler/icons-react'
import { keepPreviousData, skipToken, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { RoomUser } from '../../../shared/room-users.ts'
import { isNamed } from '../../ui/actions.ts'
import { useLayer } from '../../ui/layers.ts'
import { LazyInvitationDialog } from '../../widgets/invitation/lazy.ts'
import { useOpenUserPanel } from '../../widgets/room-user/user-param.ts'
import { readUserAct } from './read-user-act.ts'
import type { SidebarItem } from './Sidebar.tsx'
import { SEARCH_SHORTCUTS } from './shortcuts.ts'
import { docsAction, useActions } from './use-actions.ts'
import { useRoomActs } from './use-room-acts.ts'

/** A person found by the search: a host opens the page `to`, a user opens the panel. */
export type FoundPerson = { id: string; label: string; hint: string; icon?: Icon; to?: string; user?: RoomUser }
export type PeopleSearch = (words: string) => UseQueryOptions<FoundPerson[], Error, FoundPerson[], string[]>

type CommandPaletteProps = { items: SidebarItem[]; findPeople?: PeopleSearch }

type Result = { id: string; label: string; icon: Icon; hint: string; run: () => void }

const DEBOUNCE_MS = 150
const LIST_ID = 'jump-to-list'

const [store, palette] = createSpotlight()

/** The header's search: type part of the name of a page, an action or a person, and press Enter. */
export function CommandPalette({ items, findPeople }: CommandPaletteProps) {
  const navigate = useNavigate()
  const openPanel = useOpenUserPanel()
  const { query, selected, opened } = useSpotlight(store)
  useLayer(opened, palette.close)
  useEffect(() => forgetSearch, [])
  const [invited, setInvited] = useState<RoomUser | null>(null)
  const words = query.trim()
  const act = readUserAct(words)
  const isInvite = act?.verb === 'invite'
  const { people, isSettled } = usePeople(findPeople, isInvite ? act.name : words)
  const actions = useActions(opened)
  const room = useRoomActs(words, opened)
  const isDone = useRef(false)
  useEffect(() => {
    if (opened) isDone.current = false
  }, [opened])
  const results: Result[] = [
    ...actions
      .filter((action) => words !== '' && isNamed(action, words))
      .map((action) => ({ ...action, id: action.label, hint: '' })),
    ...room.acts,
    ...items
      .filter((item) => isNamed(item, words))
      .map(({ to, label, icon }) => ({ id: to, label, icon, hint: '', run: () => void navigate(to) })),
    ...people.map((found) => resultOf(found)),
    // Waits for the people, so that Enter after a name does not open the documentation.
    ...(words !== '' && isSettled && room.isSettled ? [{ ...docsAction(words), id: 'documentation', hint: '' }] : []),
  ]

  function resultOf({ id, label, hint, icon = IconUser, to, user }: FoundPerson): Result {
    if (isInvite && user) {
      return { id, label: `Invite ${label}`, icon: IconMail, hint, run: () => setInvited(user) }
    }
    return { id, label, icon, hint, run: () => (to ? void navigate(to) : openPanel({ id })) }
  }

  /** The results can still be pressed while the search closes. */
  function handleRun(run: () => void) {
    if (isDone.current) return
    isDone.current = true
    run()
  }

  const label = findPeople ? 'Go to a page or a user' : 'Go to a page'
  const marked = Math.min(Math.max(selected, 0), results.length - 1)

  // Mantine marks the first result when the query changes, before the people have been fetched.
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
        shortcut={SEARCH_SHORTCUTS}
        scrollable
        overlayProps={{ blur: 0, backgroundOpacity: 0.5, color: '#06141a' }}
        attributes={{ content: { 'aria-label': 'Go to' } }}
        styles={{ search: { outline: 'none' }, actionsList: { borderColor: 'var(--line)' } }}
      >
        <Spotlight.Search
          placeholder="Find a page, a person or an action"
          aria-label={label}
          role="combobox"
          aria-expanded
          aria-controls={LIST_ID}
          aria-activedescendant={results[marked] ? `${LIST_ID}-${marked}` : undefined}
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
        />
        <Spotlight.ActionsList id={LIST_ID} role="listbox" aria-label="Found">
          {results.map(({ id, label: name, icon: Icon, hint, run }, index) => (
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
              onClick={() => handleRun(run)}
            />
          ))}
        </Spotlight.ActionsList>
      </Spotlight.Root>
      {invited ? (
        <Suspense>
          <LazyInvitationDialog users={[invited]} onClose={() => setInvited(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The store outlives the panel: the search of one person would be open, or run again, after the next one's sign-in. */
function forgetSearch() {
  palette.close()
  store.updateState((state) => ({ ...state, query: '' }))
}

function mark(index: number) {
  store.updateState((state) => ({ ...state, selected: index }))
}

const noPeople: PeopleSearch = () => ({ queryKey: ['find-people'], queryFn: skipToken })

/** Keeps the previous results until the next ones arrive, so that the list does not flicker while typing. */
function usePeople(find: PeopleSearch = noPeople, words: string) {
  const [typed] = useDebouncedValue(words, DEBOUNCE_MS)
  const { data, isFetching } = useQuery({ ...find(typed), placeholderData: keepPreviousData })
  return { people: words === '' ? [] : (data ?? []), isSettled: typed === words && !isFetching }
}
