import { Button, Group, Text } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { formatDay } from '../../ui/format-date.ts'
import type { UserFilter } from './user-filters.ts'
import { INITIAL_USERS_VIEW, type UsersView } from './users-view.ts'

type UsersShownProps = {
  view: UsersView
  groups: readonly UserGroup[]
  found: number
  total: number
  onView: (part: Partial<UsersView>) => void
}

/** Names the active filters, with one button that clears them. Empty while everyone is shown. */
export function UsersShown({ view, groups, found, total, onView }: UsersShownProps) {
  const filters = filterWords(view, groups)
  return (
    <Group gap="xs" role="status">
      {filters.length > 0 ? (
        <>
          <Text component="span" size="sm">
            <strong>
              {found.toLocaleString('en')} of {total.toLocaleString('en')}
            </strong>{' '}
            · {filters.join(', ')}
          </Text>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconFilterOff size={15} stroke={1.75} aria-hidden="true" />}
            onClick={() => onView(NO_FILTERS)}
          >
            Clear filters
          </Button>
        </>
      ) : null}
    </Group>
  )
}

const { words, show, seenBefore, group } = INITIAL_USERS_VIEW
const NO_FILTERS = { words, show, seenBefore, group }

const SHOWN: Record<UserFilter, string> = {
  total: '',
  online: 'online',
  inactive: 'inactive',
  muted: 'muted',
  'never-signed-in': 'never signed in',
  'open-link': 'with an open link',
  'older-app': 'with an older app',
}

export function filterWords({ show, seenBefore, group, words }: UsersView, groups: readonly UserGroup[]): string[] {
  return [
    SHOWN[show],
    group === null ? '' : groupWords(groups.find(({ id }) => id === group)),
    seenBefore === null ? '' : `last seen before ${formatDay(`${seenBefore}T00:00`)}`,
    words.trim() === '' ? '' : `“${words.trim()}” in username, user ID or reference`,
  ].filter((part) => part !== '')
}

const groupWords = (group: UserGroup | undefined) =>
  group ? `in the group “${group.name}”` : 'in a group that was deleted'
