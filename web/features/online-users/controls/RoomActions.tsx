import { Button, Group } from '@mantine/core'
import { IconLogout, IconMicrophone, IconMicrophoneOff, IconRefresh } from '@tabler/icons-react'
import { memo } from 'react'
import { messageOf } from '../../../lib/api-client.ts'
import { useActOnRoomUsers } from '../../../lib/queries/room-users.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import classes from './controls.module.css'
import { type StartDelivery, type UndoMuteAll, undoMuteAll, useMuteAll } from './mute-all.ts'
import { useRoomKeys } from './RoomKeys.tsx'

/** With more people than this, Unmute All and Logout All ask for confirmation. */
const CONFIRM_ABOVE = 10

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

/** Reads the room only when a button is pressed, so that a change in the room does not render it again. */
export const RoomActions = memo(function RoomActions(props: RoomActionsProps) {
  const { store, disabled, refreshing, startDelivery, onUndoable, onRefresh, onNext, onMuteCurrent } = props
  const { muteAll, isPending } = useMuteAll(store, startDelivery)
  const bulk = useActOnRoomUsers()
  useRoomKeys({ disabled: disabled || isPending, onNext, onMuteCurrent, onMuteAll: () => void handleMuteAll() })

  function countUsers(): number {
    const { length } = store.getState().users
    if (length === 0) toast.error('No users to perform action on')
    return length
  }

  async function handleMuteAll() {
    if (countUsers() === 0) return
    try {
      const before = await muteAll('mute')
      onUndoable(undoMuteAll(before.hostMuteAll.active, before.users))
    } catch (error) {
      toast.error(messageOf(error, 'Failed to mute users'))
    }
  }

  async function handleUnmuteAll() {
    const count = countUsers()
    if (count === 0) return
    const question = {
      title: `Unmute ${count} people?`,
      body: 'Each of them can then be heard by everyone in the room.',
      confirmLabel: 'Unmute All',
    }
    if (count > CONFIRM_ABOVE && !(await confirm(question))) return
    try {
      await muteAll('unmute')
      onUndoable(null)
    } catch (error) {
      toast.error(messageOf(error, 'Failed to unmute users'))
    }
  }

  async function handleLogoutAll() {
    const count = countUsers()
    if (count === 0) return
    const question = {
      title: `Log out ${count} people?`,
      body: 'Their phones leave the room at once. Each can come back by logging in again.',
      confirmLabel: 'Logout All',
      danger: true,
    }
    if (count > CONFIRM_ABOVE && !(await confirm(question))) return
    const userIds = store.getState().users.map(({ id }) => id)
    try {
      const { succeeded } = await bulk.mutateAsync({ action: 'logout', userIds })
      toast.success(succeeded.length === 1 ? '1 user logged out' : `${succeeded.length} users logged out`)
      onRefresh()
    } catch (error) {
      toast.error(messageOf(error, 'Failed to logout users'))
    }
  }

  return (
    <Group gap="xs" className={classes.actions}>
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
        disabled={disabled || isPending}
        onClick={handleMuteAll}
      >
        Mute All
      </Button>
      <Button
        variant="default"
        leftSection={<IconMicrophone size={17} aria-hidden="true" />}
        disabled={disabled || isPending}
        onClick={handleUnmuteAll}
      >
        Unmute All
      </Button>
      <Button
        variant="default"
        c={disabled ? undefined : 'var(--bad)'}
        leftSection={<IconLogout size={17} aria-hidden="true" />}
        disabled={disabled}
        loading={bulk.isPending}
        onClick={handleLogoutAll}
      >
        Logout All
      </Button>
    </Group>
  )
})
