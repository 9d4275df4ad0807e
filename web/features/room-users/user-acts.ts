import {
  IconDeviceMobileX,
  IconLogout,
  IconMicrophone,
  IconMicrophoneOff,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react'
import type { RoomUser, UserAction } from '../../../shared/room-users.ts'

/** What Users Master does to users; a raised hand is lowered where it is seen, on Online. */
export type UserAct = Exclude<UserAction, 'lower-hand'>

type Act = {
  action: UserAct
  label: string
  icon: TablerIcon
  /** What has happened to them, for the report. */
  done: string
  /** Whether it would change anything for this user as it is now. */
  applies: (user: RoomUser) => boolean
}

export const USER_ACTS: readonly Act[] = [
  {
    action: 'activate',
    label: 'Activate',
    icon: IconPlayerPlay,
    done: 'activated',
    applies: ({ is_active }) => !is_active,
  },
  {
    action: 'deactivate',
    label: 'Deactivate',
    icon: IconPlayerStop,
    done: 'deactivated',
    applies: ({ is_active }) => is_active,
  },
  { action: 'mute', label: 'Mute', icon: IconMicrophoneOff, done: 'muted', applies: ({ is_muted }) => !is_muted },
  { action: 'unmute', label: 'Unmute', icon: IconMicrophone, done: 'unmuted', applies: ({ is_muted }) => is_muted },
  { action: 'logout', label: 'Log out', icon: IconLogout, done: 'logged out', applies: ({ is_online }) => is_online },
  {
    action: 'switch',
    label: 'Switch phone',
    icon: IconDeviceMobileX,
    done: 'freed from their phones',
    applies: ({ device_id }) => device_id !== null,
  },
  { action: 'delete', label: 'Delete', icon: IconTrash, done: 'deleted', applies: () => true },
]

export function doneWord(action: UserAct): string {
  return USER_ACTS.find((act) => act.action === action)?.done ?? 'changed'
}
