import { Button } from '@mantine/core'
import { IconDeviceTv, IconLogout, IconRefresh } from '@tabler/icons-react'
import { memo } from 'react'
import { messageOf } from '../../../lib/api-client.ts'
import { useRights } from '../../../lib/session/rights.ts'
import { useActOnRoomUsers } from '../../../queries/room-users.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import { PhoneInbox } from '../../../widgets/phone-inbox/PhoneInbox.tsx'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { WALL_ADDRESS, WALL_WINDOW } from '../wall/use-wall.ts'
import { SendWordButton } from '../words/SendWordButton.tsx'
import { countOnlineUsers } from './count-online-users.ts'
import { CONFIRM_ABOVE } from './mute-all.ts'

/** On a phone the three buttons share a line, and are large enough for a thumb. */
const THUMB = { h: { base: 40, sm: 36 }, px: { base: 9, sm: 18 }, fz: { base: 13, sm: 14 } }

type RoomButtonsProps = {
  store: LiveRoomStore
  disabled: boolean
  refreshing: boolean
  onRefresh: () => void
}

/** Buttons that are not needed while others speak; the rest is in the bar. */
export const RoomButtons = memo(function RoomButtons({ store, disabled, refreshing, onRefresh }: RoomButtonsProps) {
  const bulk = useActOnRoomUsers()
  const { managesUsers } = useRights()

  async function handleLogoutAll() {
    const count = countOnlineUsers(store)
    if (count === 0) return
    const question = {
      title: `Sign out ${count} users?`,
      body: 'Their phones leave the room immediately. Each user can come back by signing in again.',
      confirmLabel: 'Logout All',
      danger: true,
    }
    if (count > CONFIRM_ABOVE && !(await confirm(question))) return
    const userIds = store.getState().users.map(({ id }) => id)
    try {
      const { succeeded } = await bulk.mutateAsync({ action: 'logout', userIds })
      toast.success(succeeded.length === 1 ? '1 user signed out' : `${succeeded.length} users signed out`)
      onRefresh()
    } catch (error) {
      toast.error(messageOf(error, 'Failed to logout users'))
    }
  }

  return (
    <>
      <SendWordButton store={store} disabled={disabled} size={THUMB} />
      {managesUsers ? <PhoneInbox size={THUMB} /> : null}
      <Button
        component="a"
        className="wide-only"
        href={WALL_ADDRESS}
        target={WALL_WINDOW}
        variant="default"
        title="Opens in a window of its own, for a second screen"
        leftSection={<IconDeviceTv size={17} aria-hidden="true" />}
      >
        Wall view
      </Button>
      <Button
        variant="default"
        {...THUMB}
        leftSection={<IconRefresh size={17} aria-hidden="true" />}
        loading={refreshing}
        onClick={onRefresh}
      >
        Refresh
      </Button>
      <Button
        variant="default"
        {...THUMB}
        c={disabled ? undefined : 'var(--bad)'}
        leftSection={<IconLogout size={17} aria-hidden="true" />}
        disabled={disabled}
        loading={bulk.isPending}
        onClick={handleLogoutAll}
      >
        Logout All
      </Button>
    </>
  )
})
