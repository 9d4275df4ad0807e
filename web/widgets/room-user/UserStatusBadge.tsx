import { Badge } from '@mantine/core'
import { IconDeviceMobileOff, IconDeviceMobileX, IconUserOff } from '@tabler/icons-react'
import type { RoomUser } from '../../../shared/room-users.ts'

/** Hosts know the letters S and C from the phone app; the word stands beside them. */
export function UserStatusBadge({ user }: { user: Pick<RoomUser, 'status' | 'asleep'> }) {
  switch (user.status) {
    case 'S':
      return (
        <Badge color="bad" leftSection={<IconUserOff size={13} />} title="Stopped: may not sign in">
          S · Stopped
        </Badge>
      )
    case 'C':
      return (
        <Badge
          color="warn"
          leftSection={<IconDeviceMobileX size={13} />}
          title="Phone changed: the new one has not signed in yet"
        >
          C · Changed<span className="unseen"> phone</span>
        </Badge>
      )
    case 'Online':
      return user.asleep ? (
        <Badge
          color="warn"
          leftSection={<IconDeviceMobileOff size={13} />}
          title="Online, and the phone does not answer: it may be asleep or without network"
        >
          Not answering
        </Badge>
      ) : (
        <Badge color="good">Online</Badge>
      )
    case 'Active':
      return (
        <Badge color="quiet" title="May sign in, and is not online">
          Active
        </Badge>
      )
  }
}
