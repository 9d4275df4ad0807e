import { useCallback, useMemo, useState } from 'react'
import type { RoomUser } from '../../shared/room-users.ts'
import { ApiError, messageOf } from '../api.ts'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toast } from '../ui/toast.tsx'
import { ActiveUsers } from './ActiveUsers.tsx'
import { Announcer } from './Announcer.tsx'
import { Participants } from './Participants.tsx'
import { useCleanUpStaleUsers } from './queries.ts'
import { RoomActions } from './RoomActions.tsx'
import { RoomNews } from './RoomNews.tsx'
import { RoomSummary } from './RoomSummary.tsx'
import { UndoButton } from './UndoButton.tsx'
import type { UndoMuteAll } from './undo-mute-all.ts'
import { type ParticipantAction, useActOnParticipant } from './use-act-on-participant.ts'
import { useConnection } from './use-connection.ts'
import { useDelivery } from './use-delivery.ts'
import { useLiveRoom } from './use-live-room.ts'

const title = 'Online Users'

export function OnlineUsersScreen() {
  const { store, room, poll, roomName, isStreaming } = useLiveRoom()
  const connection = useConnection(store)
  const { delivery, startDelivery } = useDelivery(room)
  const { busyIds, act } = useActOnParticipant()
  const { mutateAsync: cleanUp } = useCleanUpStaleUsers()
  const [undo, setUndo] = useState<UndoMuteAll | null>(null)
  const [isRefreshing, setRefreshing] = useState(false)
  const speaking = useMemo(() => room.users.filter((user) => user.is_speaking), [room.users])

  const handleUndoOver = useCallback(() => setUndo(null), [])
  const handleAct = useCallback(
    async (user: RoomUser, action: ParticipantAction) => {
      try {
        await act(user, action)
        if (action === 'logout') toast.success(`${user.username} logged out`)
      } catch (error) {
        const hasChanged = error instanceof ApiError && error.code === 'state_changed'
        toast.error(
          hasChanged ? `${user.username} has changed: no longer muted` : messageOf(error, `Failed to ${action} user`),
        )
      }
    },
    [act],
  )

  const { refetch } = poll
  const handleRefresh = useCallback(async () => {
    setRefreshing(true)
    try {
      await cleanUp()
      await refetch({ throwOnError: true })
    } catch {
      toast.error('Failed to refresh data')
    }
    setRefreshing(false)
  }, [cleanUp, refetch])

  if (room.polledAt === null && poll.isError) {
    return (
      <Page title={title}>
        <Panel>
          <Failed title="Failed to load online users" onRetry={handleRefresh} retrying={isRefreshing}>
            {messageOf(poll.error, 'The list could not be fetched. Check the connection, then try again.')}
          </Failed>
        </Panel>
      </Page>
    )
  }
  if (room.polledAt === null) {
    return (
      <Page title={title}>
        <Panel>
          <Loading label="Loading online users..." />
        </Panel>
      </Page>
    )
  }

  const hostMuteAll = room.hostMuteAll.active
  const disabled = connection !== 'live'
  return (
    <Page
      title={title}
      subtitle="Who is in your room now, and who can be heard."
      actions={
        <RoomActions
          store={store}
          disabled={disabled}
          refreshing={isRefreshing}
          startDelivery={startDelivery}
          onUndoable={setUndo}
          onRefresh={handleRefresh}
        />
      }
    >
      <Announcer store={store} />
      <RoomSummary users={room.users} hostMuteAll={hostMuteAll} connection={connection} isStreaming={isStreaming}>
        <RoomNews
          connection={connection}
          delivery={delivery}
          undo={
            undo && (
              <UndoButton
                undo={undo}
                store={store}
                disabled={disabled}
                startDelivery={startDelivery}
                onOver={handleUndoOver}
              />
            )
          }
        />
      </RoomSummary>
      <ActiveUsers speaking={speaking} disabled={disabled} onAct={handleAct} />
      <Participants
        roomName={roomName}
        users={room.users}
        hostMuteAll={hostMuteAll}
        disabled={disabled}
        busyIds={busyIds}
        onAct={handleAct}
      />
    </Page>
  )
}
