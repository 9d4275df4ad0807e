import { Button, Group } from '@mantine/core'
import {
  IconDownload,
  IconPlus,
  IconTableImport,
  IconTags,
  IconUserOff,
  IconUsers,
  IconWifi,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { functionalUpdate } from '@tanstack/react-table'
import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { saveCsv } from '../../lib/download.ts'
import { roomUsers } from '../../queries/room-users.ts'
import { roomDetails } from '../../queries/rooms.ts'
import { openSignInLinks } from '../../queries/sign-in-links.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { StaleBadge } from '../../ui/StaleBadge.tsx'
import { StatCard, StatRow } from '../../ui/StatCard.tsx'
import { toast } from '../../ui/toast.tsx'
import { useDataTable, useSelectedRows } from '../../ui/use-data-table.tsx'
import { LazyInvitationDialog } from '../../widgets/invitation/lazy.ts'
import { PhoneInbox } from '../../widgets/phone-inbox/PhoneInbox.tsx'
import { EditUserModal } from '../../widgets/room-user/EditUserModal.tsx'
import { useUserActions } from '../../widgets/room-user/use-user-actions.ts'
import { usersCsv } from '../../widgets/room-user/users-csv.ts'
import { AddUserModal } from './AddUserModal.tsx'
import { type BulkAction, BulkBar, BulkMenu } from './BulkBar.tsx'
import { ChosenUsersDialog } from './groups/ChosenUsersDialog.tsx'
import { GroupsDialog } from './groups/GroupsDialog.tsx'
import { InterruptedImport } from './import/InterruptedImport.tsx'
import { filterWords, UsersShown } from './UsersShown.tsx'
import tools from './UsersTools.module.css'
import { UsersTools } from './UsersTools.tsx'
import { useUserColumns } from './use-user-columns.ts'
import { useUsersView } from './use-users-view.ts'
import { userColumns } from './user-columns.tsx'
import { appsOf, countUsers, type OpenLinks, versionsOf } from './user-filters.ts'
import { applyUsersView, isUserSort } from './users-view.ts'

// A chunk of its own, since it contains the table parser.
const ImportModal = lazy(async () => ({ default: (await import('./import/ImportModal.tsx')).ImportModal }))

const SignInCards = lazy(async () => ({ default: (await import('./cards/SignInCards.tsx')).SignInCards }))

export function RoomUsersScreen() {
  const list = useQuery(roomUsers)
  const { data: links = NO_LINKS } = useQuery(openSignInLinks)
  const { data: details } = useQuery(roomDetails)
  const roomName = details?.room_name ?? '–'
  const { view, change } = useUsersView()
  const [adding, setAdding] = useState<'one' | 'many' | 'rest of many' | null>(null)

  const shownView = useDeferredValue(view)
  const users = list.data?.users
  const groups = list.data?.groups ?? NO_GROUPS
  const versions = useMemo(() => versionsOf(users ?? []).join('\n'), [users])
  const apps = useMemo(() => appsOf(versions.split('\n')), [versions])
  const found = useMemo(() => applyUsersView(users ?? [], shownView, apps, links), [users, shownView, apps, links])
  const { act, actOnMany, isBulkPending, editedId, closeEdit, invited, invite, closeInvitation } = useUserActions()
  const columns = useMemo(() => userColumns(roomName, apps, groups, act), [roomName, apps, groups, act])
  const { columnVisibility, onColumnVisibilityChange } = useUserColumns()
  const sorting = useMemo(
    () => (shownView.sort === null ? [] : [{ id: shownView.sort, desc: shownView.descending }]),
    [shownView],
  )
  const table = useDataTable({
    columns,
    data: found,
    getRowId: ({ id }) => id,
    state: { sorting, columnVisibility },
    enableSorting: true,
    enableSortingRemoval: true, // the third press restores the order in which users were added
    onSortingChange: (update) => {
      const [by] = functionalUpdate(update, sorting)
      if (!by) change({ sort: null, descending: false })
      else if (isUserSort(by.id)) change({ sort: by.id, descending: by.desc })
    },
    onColumnVisibilityChange,
  })
  const { selected: chosen, selectAll } = useSelectedRows(table)
  const [cardsOf, setCardsOf] = useState<readonly RoomUser[] | null>(null)
  const [grouped, setGrouped] = useState<readonly RoomUser[] | 'all groups' | null>(null)
  const hasGroups = groups.length > 0
  const handleBulk = useCallback(
    (action: BulkAction) => {
      if (action === 'invite') return invite(chosen)
      if (action !== 'cards' && action !== 'groups') return void actOnMany(action, chosen)
      if (chosen.length === 0) toast.error('Please select users first')
      else if (action === 'cards') setCardsOf(chosen)
      else setGrouped(hasGroups ? chosen : 'all groups')
    },
    [actOnMany, invite, chosen, hasGroups],
  )
  const clearSelection = useCallback(() => selectAll(false), [selectAll])

  if (!users) {
    return (
      <UsersPage>
        <NotLoaded query={list} loading="Loading users..." title="Failed to load users" retrying={false} />
      </UsersPage>
    )
  }

  const counts = countUsers(users, apps, links)
  const edited = users.find(({ id }) => id === editedId)
  const exported = chosen.length > 0 ? chosen : found
  const bulk = { chosen, busy: isBulkPending, onAction: handleBulk }
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
          leftSection={<IconTags size={17} aria-hidden="true" />}
          onClick={() => setGrouped('all groups')}
        >
          Groups
        </Button>
      ) : null}
      {users.length > 0 ? (
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden="true" />}
          disabled={exported.length === 0}
          onClick={() => saveCsv('users.csv', usersCsv(exported, groups))}
        >
          {chosen.length > 0 ? `Export ${chosen.length.toLocaleString('en')}` : 'Export'}
        </Button>
      ) : null}
      <Button leftSection={<IconPlus size={17} aria-hidden="true" />} onClick={() => setAdding('one')}>
        Add User
      </Button>
    </>
  )
  return (
    <UsersPage
      actions={
        users.length > 0 ? (
          <div className={tools.actions}>
            <PhoneInbox />
            {buttons}
          </div>
        ) : undefined
      }
    >
      <InterruptedImport isImporting={adding !== null} onContinue={() => setAdding('rest of many')} />
      <StatRow narrow="three-columns">
        {CARDS.map(({ name, label, icon, tone }) => (
          <StatCard
            key={name}
            label={label}
            value={counts[name]}
            icon={icon}
            tone={tone}
            choice={{
              pressed: view.show === name,
              onPress: () => change({ show: view.show === name ? 'total' : name }),
            }}
          />
        ))}
      </StatRow>

      {users.length > 0 ? (
        <UsersTools
          view={view}
          onView={change}
          groups={groups}
          users={users}
          counts={counts}
          table={table}
          selected={chosen.length}
          found={found.length}
          onSelectAll={selectAll}
          actions={<BulkMenu {...bulk} position="bottom-end" />}
        >
          <UsersShown view={shownView} groups={groups} found={found.length} total={users.length} onView={change} />
          <StaleBadge queryKey={roomUsers.queryKey} />
        </UsersTools>
      ) : null}
      {chosen.length > 0 ? <BulkBar {...bulk} onClear={clearSelection} /> : null}
      <DataTable
        label="Users"
        table={table}
        oneLine
        empty={
          <Empty
            icon={<IconUsers size={22} stroke={1.75} aria-hidden="true" />}
            hint={
              users.length === 0
                ? 'Add the first user, who signs in on a phone with the username and password you choose.'
                : `No user matches these filters: ${filterWords(shownView, groups).join(', ')}.`
            }
            action={users.length === 0 ? <Group gap="xs">{buttons}</Group> : undefined}
          >
            No users found
          </Empty>
        }
      />

      {adding === 'one' ? (
        <AddUserModal nextUserId={list.data?.next_user_id ?? ''} groups={groups} onClose={() => setAdding(null)} />
      ) : null}
      {adding === 'many' || adding === 'rest of many' ? (
        <Suspense>
          <ImportModal
            users={users}
            groups={groups}
            nextUserId={list.data?.next_user_id ?? ''}
            isContinued={adding === 'rest of many'}
            onClose={() => setAdding(null)}
          />
        </Suspense>
      ) : null}
      {cardsOf ? (
        <Suspense>
          <SignInCards users={cardsOf} onClose={() => setCardsOf(null)} />
        </Suspense>
      ) : null}
      {invited ? (
        <Suspense>
          <LazyInvitationDialog users={invited} onClose={closeInvitation} />
        </Suspense>
      ) : null}
      {grouped === 'all groups' ? (
        <GroupsDialog groups={groups} users={users} onClose={() => setGrouped(null)} />
      ) : grouped ? (
        <ChosenUsersDialog groups={groups} users={grouped} onClose={() => setGrouped(null)} />
      ) : null}
      {edited ? <EditUserModal user={edited} groups={groups} onClose={closeEdit} /> : null}
    </UsersPage>
  )
}

const NO_GROUPS: readonly UserGroup[] = []
const NO_LINKS: OpenLinks = new Set()

const CARDS = [
  { name: 'total', label: 'Total', tone: 'brand', icon: <IconUsers size={20} stroke={1.75} /> },
  { name: 'online', label: 'Online', tone: 'good', icon: <IconWifi size={20} stroke={1.75} /> },
  { name: 'inactive', label: 'Inactive', tone: 'quiet', icon: <IconUserOff size={20} stroke={1.75} /> },
] as const

function UsersPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title="Users Master" subtitle="Who may join your room from a phone." actions={actions}>
      {children}
    </Page>
  )
}
