import { IconDeviceMobileX, IconPlayerStop } from '@tabler/icons-react'
import type { RoomUserStatus } from '../../shared/room-users.ts'
import { StatusBadge } from '../ui/StatusBadge.tsx'

/** The letters S and C are what hosts know from the phone app; the word stands beside them. */
export function UserStatusBadge({ status }: { status: RoomUserStatus }) {
  switch (status) {
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
      return <StatusBadge tone="good">Online</StatusBadge>
    case 'Active':
      return (
        <StatusBadge tone="quiet" title="May log in, and is not online">
          Active
        </StatusBadge>
      )
  }
}
