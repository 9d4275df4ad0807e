import { Button } from '@mantine/core'
import { IconLogout, IconMicrophone, IconMicrophoneOff, IconRefresh } from '@tabler/icons-react'
import { memo } from 'react'
import { messageOf } from '../../../lib/api-client.ts'
import { useActOnRoomUsers } from '../../../lib/queries/room-users.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { type StartDelivery, useMuteEverybodyAtOnce } from './mute-all.ts'
import classes from './RoomActions.module.css'
import { type UndoMuteAll, undoOfMuteAll } from './undo-mute-all.ts'
import { useRoomKeys } from './use-room-keys.ts'

/** With more people than this, what opens or empties the room is asked first. */
const ASK_ABOVE = 10

type RoomActionsProps = {
  store: LiveRoomStore
  disabled: boolean
  refreshing: boolean
  startDelivery: StartDelivery
  onUndoable: (undo: UndoMuteAll | null) => void
  onRefresh: () => void
  onNext: () => void
  onMuteCurrent: () => void
}

/** Drawn anew for its own state only, not with each change in the room. */
export const RoomActions = memo(function RoomActions(props: RoomActionsProps) {
  const { store, disabled, refreshing, startDelivery, onUndoable, onRefresh, onNext, onMuteCurrent } = props
  const { muteEverybody, isChanging } = useMuteEverybodyAtOnce(store, startDelivery)
  const bulk = useActOnRoomUsers()
  useRoomKeys({ disabled: disabled || isChanging, onNext, onMuteCurrent, onMuteAll: () => void handleMuteAll() })

  /** Who is online at the moment of the press; says so when there is nobody. */
  function everybody() {
    const { users } = store.current()
    if (users.length === 0) toast.error('No users to perform action on')
    return users
  }

  async function handleMuteAll() {
    if (everybody().length === 0) return
    try {
      const before = await muteEverybody('mute')
      onUndoable(undoOfMuteAll(before.hostMuteAll.active, before.users))
    } catch (error) {
      toast.error(messageOf(error, 'Failed to mute users'))
    }
  }

  async function handleUnmuteAll() {
    const { length: count } = everybody()
    if (count === 0) return
    const question = {
      title: `Unmute ${count} people?`,
      body: 'Each of them can then be heard by everybody in the room.',
      confirmLabel: 'Unmute All',
    }
    if (count > ASK_ABOVE && !(await confirm(question))) return
    try {
      await muteEverybody('unmute')
      onUndoable(null)
    } catch (error) {
      toast.error(messageOf(error, 'Failed to unmute users'))
    }
  }

  async function handleLogoutAll() {
    const { length: count } = everybody()
    if (count === 0) return
    const question = {
      title: `Log out ${count} people?`,
      body: 'Their phones leave the room at once. Each can come back by logging in again.',
      confirmLabel: 'Logout All',
      danger: true,
    }
    if (count > ASK_ABOVE && !(await confirm(question))) return
    const userIds = store.current().users.map(({ id }) => id)
    try {
      const { succeeded } = await bulk.mutateAsync({ action: 'logout', userIds })
      toast.success(succeeded.length === 1 ? '1 user logged out' : `${succeeded.length} users logged out`)
      onRefresh()
    } catch (error) {
      toast.error(messageOf(error, 'Failed to logout users'))
    }
  }

  return (
    <div className={classes.actions}>
      <Button
        variant="default"
        leftSection={<IconRefresh size={17} aria-hidden="true" />}
        loading={refreshing}
        onClick={onRefresh}
      >
        Refresh
      </Button>
      <Button
        leftSection={<IconMicrophoneOff size={17} aria-hidden="true" />}
        disabled={disabled || isChanging}
        onClick={handleMuteAll}
      >
        Mute All
      </Button>
      <Button
        variant="default"
        leftSection={<IconMicrophone size={17} aria-hidden="true" />}
        disabled={disabled || isChanging}
        onClick={handleUnmuteAll}
      >
        Unmute All
      </Button>
      <Button
        variant="default"
        className={classes.danger}
        leftSection={<IconLogout size={17} aria-hidden="true" />}
        disabled={disabled}
        loading={bulk.isPending}
        onClick={handleLogoutAll}
      >
        Logout All
      </Button>
    </div>
  )
})
