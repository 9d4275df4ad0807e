import { IconDeviceMobileOff, IconDeviceMobileX, IconPlayerStop } from '@tabler/icons-react'
import type { RoomUser } from '../../shared/room-users.ts'
import { StatusBadge } from './StatusBadge.tsx'

/** The letters S and C are what hosts know from the phone app; the word stands beside them. */
export function UserStatusBadge({ user }: { user: Pick<RoomUser, 'status' | 'asleep'> }) {
  switch (user.status) {
    case 'S':
      return (
        <StatusBadge tone="bad" icon={<IconPlayerStop size={13} />} title="Stopped: may not log in">
          S · Stopped
        </StatusBadge>
      )
    case 'C':
      return (
        <StatusBadge
          tone="warn"
          icon={<IconDeviceMobileX size={13} />}
          title="Waits for the first login of a new phone"
        >
          C · Phone changed
        </StatusBadge>
      )
    case 'Online':
      return user.asleep ? (
        <StatusBadge
          tone="warn"
          icon={<IconDeviceMobileOff size={13} />}
          title="Online, and the phone does not answer: it may be asleep or without network"
        >
          Not answering
        </StatusBadge>
      ) : (
        <StatusBadge tone="good">Online</StatusBadge>
      )
    case 'Active':
      return (
        <StatusBadge tone="quiet" title="May log in, and is not online">
          Active
        </StatusBadge>
      )
  }
}
