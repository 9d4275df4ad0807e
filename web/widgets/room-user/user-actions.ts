import {
  IconDeviceMobileX,
  IconLogout,
  IconMicrophone,
  IconMicrophoneOff,
  IconQrcode,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  type TablerIcon,
} from '@tabler/icons-react'
import type { RoomUser, UserAction } from '../../../shared/room-users.ts'
import { INVITATION_LIMIT } from '../invitation/invitation-text.ts'

/** Actions of a host on users of a list, without those that only Online has: on raised hands, and on pins. */
export type UserListAction = Exclude<UserAction, 'lower-hand' | 'pin' | 'unpin'>

export type UserRowAction = 'edit' | 'copy' | 'invite' | UserListAction

type Act = {
  action: UserListAction
  label: string
  icon: TablerIcon
  /** Past participle for the report. */
  done: string
  /** True if the action would change this user as it is now. */
  applies: (user: RoomUser) => boolean
}

/** Opens the invitations of the selected users. */
export const INVITE = {
  action: 'invite' as const,
  label: 'Invite',
  limit: INVITATION_LIMIT,
  icon: IconQrcode,
  applies: () => true,
}

/** Frequent actions come first, irreversible ones last. */
export const USER_LIST_ACTIONS: readonly Act[] = [
  { action: 'mute', label: 'Mute', icon: IconMicrophoneOff, done: 'muted', applies: ({ is_muted }) => !is_muted },
  { action: 'unmute', label: 'Unmute', icon: IconMicrophone, done: 'unmuted', applies: ({ is_muted }) => is_muted },
  {
    action: 'activate',
    label: 'Activate',
    icon: IconUserCheck,
    done: 'activated',
    applies: ({ is_active }) => !is_active,
  },
  {
    action: 'deactivate',
    label: 'Deactivate',
    icon: IconUserOff,
    done: 'deactivated',
    applies: ({ is_active }) => is_active,
  },
  { action: 'logout', label: 'Sign out', icon: IconLogout, done: 'signed out', applies: ({ is_online }) => is_online },
  {
    action: 'switch',
    label: 'Switch phone',
    icon: IconDeviceMobileX,
    done: 'freed from their phones',
    applies: ({ device_id }) => device_id !== null,
  },
  { action: 'delete', label: 'Delete', icon: IconTrash, done: 'deleted', applies: () => true },
]

export function actionPastTense(action: UserListAction): string {
  return USER_LIST_ACTIONS.find((act) => act.action === action)?.done ?? 'changed'
}
