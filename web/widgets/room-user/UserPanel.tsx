import { Drawer, Stack } from '@mantine/core'
import { IconUserQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { ApiError } from '../../lib/api-client.ts'
import { oneRoomUser } from '../../queries/room-users.ts'
import { Empty } from '../../ui/Empty.tsx'
import { useFocusBack } from '../../ui/focus-back.ts'
import { topLayer } from '../../ui/layers.ts'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { PersonText } from '../../ui/PersonText.tsx'
import { LazyInvitationDialog } from '../invitation/lazy.ts'
import { UserWord } from '../room-words/UserWord.tsx'
import { WordDialog } from '../room-words/WordDialog.tsx'
import { EditUserModal } from './EditUserModal.tsx'
import { UserActionButtons } from './UserActionButtons.tsx'
import { UserData } from './UserData.tsx'
import { UserFacts } from './UserFacts.tsx'
import { UserAudit, UserVisits } from './UserHistory.tsx'
import classes from './UserPanel.module.css'
import { useUserActions } from './use-user-actions.ts'
import { useUserParam } from './user-param.ts'

/** A panel about one user, beside the open page. The address holds the user's id. */
export function UserPanel() {
  const { userId, close } = useUserParam()
  return userId === null ? null : <OpenPanel key={userId} id={userId} onClose={close} />
}

const NO_GROUPS: readonly UserGroup[] = []

function OpenPanel({ id, onClose }: { id: string; onClose: () => void }) {
  useFocusBack()
  // Back closes the panel, an entry of its own in the history; Escape first closes the layers above it.
  const close = () => topLayer() === undefined && onClose()
  const query = useQuery(oneRoomUser(id))
  const { act, editedId, closeEdit, invited, closeInvitation } = useUserActions()
  const isGone = query.error instanceof ApiError && query.error.status === 404
  const { user, groups = NO_GROUPS, word } = (isGone ? undefined : query.data) ?? {}
  const [isWordOpen, setWordOpen] = useState(false)

  return (
    <>
      <Drawer
        opened
        onClose={close}
        position="right"
        size="36rem"
        title={user ? <PersonText text={user.username} wraps /> : 'User'}
        closeButtonProps={{ 'aria-label': 'Close' }}
        overlayProps={{ backgroundOpacity: 0.35, color: '#06141a' }}
        classNames={{ header: classes.header, title: classes.title }}
        styles={{ body: { paddingBlock: '1rem 2rem' } }}
      >
        {user ? (
          <Stack gap={24}>
            <UserActionButtons user={user} onAction={act} onWord={() => setWordOpen(true)} />
            {word ? <UserWord word={word} /> : null}
            <UserFacts user={user} groups={groups} />
            <UserVisits id={id} />
            <UserAudit id={id} />
            <UserData user={user} />
          </Stack>
        ) : isGone ? (
          <Empty
            icon={<IconUserQuestion size={22} stroke={1.75} aria-hidden="true" />}
            hint="The user was deleted, or the address is wrong."
          >
            There is no such user
          </Empty>
        ) : (
          <NotLoaded query={query} loading="Loading user..." title="Failed to load this user" />
        )}
      </Drawer>
      {user && editedId === user.id ? <EditUserModal user={user} groups={groups} onClose={closeEdit} /> : null}
      {user && isWordOpen ? <WordDialog to={user} standing={word ?? null} onClose={() => setWordOpen(false)} /> : null}
      {invited ? (
        <Suspense>
          <LazyInvitationDialog users={invited} onClose={closeInvitation} />
        </Suspense>
      ) : null}
    </>
  )
}
