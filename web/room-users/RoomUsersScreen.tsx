import { Button, Pagination, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconUserOff, IconUsers, IconWifi } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { messageOf } from '../api.ts'
import { roomDetails } from '../rooms/queries.ts'
import { Empty } from '../ui/Empty.tsx'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { StatCard, StatRow } from '../ui/StatCard.tsx'
import { AddUserModal } from './AddUserModal.tsx'
import { BulkMenu } from './BulkMenu.tsx'
import { EditUserModal } from './EditUserModal.tsx'
import { userMatcher } from './match-user.ts'
import { roomUsers } from './queries.ts'
import classes from './RoomUsersScreen.module.css'
import { StaleMark } from './StaleMark.tsx'
import { UsersTable } from './UsersTable.tsx'
import { useSelection } from './use-selection.ts'
import { useUserActions } from './use-user-actions.ts'
import { usersSummary } from './users-summary.ts'

const PAGE_SIZE = 50

export function RoomUsersScreen() {
  const list = useQuery(roomUsers)
  const { data: details } = useQuery(roomDetails)
  const [filter, setFilter] = useState('')
  const [wantedPage, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)

  const words = useDeferredValue(filter)
  const users = list.data?.users
  const found = useMemo(() => (users ?? []).filter(userMatcher(words)), [users, words])
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
  const page = Math.min(wantedPage, pages)
  const offset = (page - 1) * PAGE_SIZE
  const shown = useMemo(() => found.slice(offset, offset + PAGE_SIZE), [found, offset])

  const ids = useMemo(() => found.map(({ id }) => id), [found])
  const selection = useSelection(ids)
  const actions = useUserActions()
  const edited = users?.find(({ id }) => id === actions.editedId)

  if (list.isError && !users) {
    return (
      <UsersPage>
        <Panel>
          <Failed title="Failed to load users" onRetry={() => void list.refetch()}>
            {messageOf(list.error, 'The list could not be fetched. Check the connection, then try again.')}
          </Failed>
        </Panel>
      </UsersPage>
    )
  }
  if (!users) {
    return (
      <UsersPage>
        <Panel>
          <Loading label="Loading users..." />
        </Panel>
      </UsersPage>
    )
  }

  const summary = usersSummary(users)
  const addButton = (
    <Button leftSection={<IconPlus size={17} aria-hidden="true" />} onClick={() => setAdding(true)}>
      Add User
    </Button>
  )
  return (
    <UsersPage actions={addButton}>
      <div className={classes.stats}>
        <StatRow>
          <StatCard label="Total" value={summary.total} icon={<IconUsers size={20} stroke={1.75} />} />
          <StatCard label="Online" value={summary.online} tone="good" icon={<IconWifi size={20} stroke={1.75} />} />
          <StatCard
            label="Inactive"
            value={summary.inactive}
            tone="quiet"
            icon={<IconUserOff size={20} stroke={1.75} />}
          />
        </StatRow>
      </div>

      <div className={classes.tools}>
        <TextInput
          type="search"
          className={classes.filter}
          aria-label="Filter users"
          placeholder="Filter by username, ID or reference"
          leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
          value={filter}
          onChange={(event) => {
            setFilter(event.currentTarget.value)
            setPage(1)
          }}
        />
        {words.trim() ? (
          <span className={classes.count} role="status">
            {found.length} of {users.length}
          </span>
        ) : null}
        <StaleMark queryKey={roomUsers.queryKey} />
        <span className={classes.bulk}>
          <BulkMenu
            selectedCount={selection.selected.size}
            busy={actions.isBulkPending}
            onAction={(action) => actions.actOnMany(action, [...selection.selected])}
          />
        </span>
      </div>

      {found.length === 0 ? (
        <Panel>
          <Empty
            icon={<IconUsers size={22} stroke={1.75} aria-hidden="true" />}
            hint={
              users.length === 0
                ? 'Add the first person: they log in on their phone with the username and password you choose.'
                : `Nobody has “${words.trim()}” in username, user ID or reference.`
            }
            action={users.length === 0 ? addButton : undefined}
          >
            No users found
          </Empty>
        </Panel>
      ) : (
        <UsersTable
          users={shown}
          offset={offset}
          roomName={details?.room_name ?? '–'}
          selected={selection.selected}
          allSelected={selection.allSelected}
          onSelect={selection.select}
          onSelectAll={selection.selectAll}
          onAction={actions.act}
        />
      )}
      {pages > 1 ? (
        <Pagination className={classes.pages} total={pages} value={page} onChange={setPage} siblings={1} />
      ) : null}

      {isAdding ? <AddUserModal nextUserId={list.data?.next_user_id ?? ''} onClose={() => setAdding(false)} /> : null}
      {edited ? <EditUserModal user={edited} onClose={actions.closeEdit} /> : null}
    </UsersPage>
  )
}

function UsersPage({ actions, children }: { actions?: React.ReactNode; children: React.ReactNode }) {
  return (
    <Page title="Users Master" subtitle="Who may join your room from a phone." actions={actions}>
      {children}
    </Page>
  )
}
