import { Button, Group, Text, TextInput } from '@mantine/core'
import {
  IconDownload,
  IconPlus,
  IconSearch,
  IconTableImport,
  IconUserOff,
  IconUsers,
  IconWifi,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { saveCsv } from '../../lib/download.ts'
import { userMatcher } from '../../lib/match-user.ts'
import { roomUsers } from '../../lib/queries/room-users.ts'
import { roomDetails } from '../../lib/queries/rooms.ts'
import { useFilterParam } from '../../lib/use-filter-param.ts'
import { usersCsv } from '../../lib/users-csv.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { useDataTable, useSelectedRows } from '../../ui/use-data-table.tsx'
import { AddUserModal } from './AddUserModal.tsx'
import { BulkBar } from './BulkBar.tsx'
import { EditUserModal } from './EditUserModal.tsx'
import { StaleBadge } from './StaleBadge.tsx'
import { useUserActions } from './use-user-actions.ts'
import { isCounted, type UserCard, usersSummary } from './user-cards.ts'
import { userColumns } from './user-columns.tsx'

// Apart from the screen: it brings a reader of tables.
const ImportModal = lazy(async () => ({ default: (await import('./import/ImportModal.tsx')).ImportModal }))

export function RoomUsersScreen() {
  const list = useQuery(roomUsers)
  const { data: details } = useQuery(roomDetails)
  const roomName = details?.room_name ?? '–'
  const [card, setCard] = useState<UserCard>('total')
  const showAll = useCallback(() => setCard('total'), [])
  const [filter, setFilter] = useFilterParam(showAll)
  const [adding, setAdding] = useState<'one' | 'many' | null>(null)

  const words = useDeferredValue(filter)
  const users = list.data?.users
  const found = useMemo(() => (users ?? []).filter(isCounted(card)).filter(userMatcher(words)), [users, card, words])
  const { act, actOnMany, isBulkPending, editedId, closeEdit } = useUserActions()
  const columns = useMemo(() => userColumns(roomName, act), [roomName, act])
  const table = useDataTable({ columns, data: found, getRowId: ({ id }) => id })
  const { selected: chosen, selectAll } = useSelectedRows(table)
  const handleBulk = useCallback<Parameters<typeof BulkBar>[0]['onAction']>(
    (action) => void actOnMany(action, chosen),
    [actOnMany, chosen],
  )

  if (!users) {
    return (
      <UsersPage>
        <NotLoaded query={list} loading="Loading users..." title="Failed to load users" retrying={false} />
      </UsersPage>
    )
  }

  const summary = usersSummary(users)
  const edited = users.find(({ id }) => id === editedId)
  const isNarrowed = words.trim() !== '' || card !== 'total'
  const exported = chosen.length > 0 ? chosen : found
  const buttons = (
    <>
      <Button
        variant="default"
        leftSection={<IconTableImport size={17} aria-hidden="true" />}
        onClick={() => setAdding('many')}
      >
        Import
      </Button>
      {users.length > 0 ? (
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden="true" />}
          disabled={exported.length === 0}
          onClick={() => saveCsv('users.csv', usersCsv(exported))}
        >
          {chosen.length > 0 ? `Export ${chosen.length}` : 'Export'}
        </Button>
      ) : null}
      <Button leftSection={<IconPlus size={17} aria-hidden="true" />} onClick={() => setAdding('one')}>
        Add User
      </Button>
    </>
  )
  return (
    <UsersPage actions={buttons}>
      <StatRow narrow="three-columns">
        {CARDS.map(({ name, label, icon, tone }) => (
          <StatCard
            key={name}
            label={label}
            value={summary[name]}
            icon={icon}
            tone={tone}
            choice={{ pressed: card === name, onPress: () => setCard(card === name ? 'total' : name) }}
          />
        ))}
      </StatRow>

      <Group gap="sm">
        <TextInput
          type="search"
          flex={{ base: '1 1 100%', md: '0 1 24rem' }}
          aria-label="Filter users"
          placeholder="Filter by username, ID or reference"
          leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Text component="span" size="sm" c="dimmed" role="status">
          {isNarrowed ? `${found.length} of ${users.length}` : ''}
        </Text>
        <StaleBadge queryKey={roomUsers.queryKey} />
      </Group>

      {found.length > 0 ? (
        <BulkBar
          chosen={chosen}
          found={found.length}
          busy={isBulkPending}
          onSelectAll={selectAll}
          onAction={handleBulk}
        />
      ) : null}
      <DataTable
        label="Users"
        table={table}
        empty={
          <Empty
            icon={<IconUsers size={22} stroke={1.75} aria-hidden="true" />}
            hint={emptyHint(users.length, words.trim(), card)}
            action={users.length === 0 ? <Group gap="xs">{buttons}</Group> : undefined}
          >
            No users found
          </Empty>
        }
      />

      {adding === 'one' ? (
        <AddUserModal nextUserId={list.data?.next_user_id ?? ''} onClose={() => setAdding(null)} />
      ) : null}
      {adding === 'many' ? (
        <Suspense>
          <ImportModal users={users} nextUserId={list.data?.next_user_id ?? ''} onClose={() => setAdding(null)} />
        </Suspense>
      ) : null}
      {edited ? <EditUserModal user={edited} onClose={closeEdit} /> : null}
    </UsersPage>
  )
}

const CARDS = [
  { name: 'total', label: 'Total', tone: 'brand', icon: <IconUsers size={20} stroke={1.75} /> },
  { name: 'online', label: 'Online', tone: 'good', icon: <IconWifi size={20} stroke={1.75} /> },
  { name: 'inactive', label: 'Inactive', tone: 'quiet', icon: <IconUserOff size={20} stroke={1.75} /> },
] as const

function emptyHint(total: number, words: string, card: UserCard): string {
  if (total === 0) return 'Add the first person: they log in on their phone with the username and password you choose.'
  const who = { total: 'No one', online: 'No one online', inactive: 'No one inactive' }[card]
  return words === '' ? `${who} at the moment.` : `${who} has “${words}” in username, user ID or reference.`
}

function UsersPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title="Users Master" subtitle="Who may join your room from a phone." actions={actions}>
      {children}
    </Page>
  )
}
