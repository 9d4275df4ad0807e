import { Button } from '@mantine/core'
import { IconLogout, IconMicrophone, IconMicrophoneOff } from '@tabler/icons-react'
import type { RoomUser, UserAction } from '../../../../shared/room-users.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useActOnRoomUsers } from '../../../queries/room-users.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUndoableToast } from '../../../widgets/room-user/use-undoable-toast.ts'
import { CONFIRM_ABOVE } from '../controls/mute-all.ts'
import classes from './toolbar.module.css'

type GroupAction = Extract<UserAction, 'mute' | 'unmute' | 'logout'>

const usersIn = (count: number) => (count === 1 ? '1 user' : `${count} users`)

const done: Record<GroupAction, string> = { mute: 'muted', unmute: 'unmuted', logout: 'signed out' }
const failed: Record<GroupAction, string> = {
  mute: 'Failed to mute users',
  unmute: 'Failed to unmute users',
  logout: 'Failed to logout users',
}

type GroupActionsProps = { name: string; users: readonly RoomUser[]; disabled: boolean }

/** Acts on every online user of the chosen group, ignoring the other filters. */
export function GroupActions({ name, users, disabled }: GroupActionsProps) {
  const bulk = useActOnRoomUsers()
  const report = useUndoableToast()
  const count = users.length

  async function act(action: GroupAction) {
    const userIds = users.map(({ id }) => id)
    try {
      const { succeeded } = await bulk.mutateAsync({ action, userIds })
      const acted = new Set(succeeded)
      const changed = users.filter(({ id, is_muted }) => acted.has(id) && is_muted !== (action === 'mute'))
      report(`${usersIn(succeeded.length)} ${done[action]}`, action, changed)
    } catch (error) {
      toast.error(messageOf(error, failed[action]))
    }
  }

  async function handleUnmute() {
    const question = {
      title: `Unmute ${usersIn(count)} of “${name}”?`,
      body: 'Each of them can then be heard by everyone in the room.',
      confirmLabel: 'Unmute group',
    }
    if (count > CONFIRM_ABOVE && !(await confirm(question))) return
    await act('unmute')
  }

  async function handleSignOut() {
    const question = {
      title: `Sign out ${usersIn(count)} of “${name}”?`,
      body: 'Their phones leave the room immediately. Each user can come back by signing in again.',
      confirmLabel: 'Sign out group',
      danger: true,
    }
    if (await confirm(question)) await act('logout')
  }

  const isOff = disabled || bulk.isPending || count === 0
  return (
    <fieldset className={classes.acts} aria-label={`Group ${name}`}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconMicrophoneOff size={15} aria-hidden="true" />}
        disabled={isOff}
        onClick={() => void act('mute')}
      >
        <span>
          Mute<span className="wide-only"> group</span>
        </span>
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconMicrophone size={15} aria-hidden="true" />}
        disabled={isOff}
        onClick={() => void handleUnmute()}
      >
        <span>
          Unmute<span className="wide-only"> group</span>
        </span>
      </Button>
      <Button
        variant="default"
        size="xs"
        c={isOff ? undefined : 'var(--bad)'}
        leftSection={<IconLogout size={15} aria-hidden="true" />}
        disabled={isOff}
        onClick={() => void handleSignOut()}
      >
        <span>
          Sign out<span className="wide-only"> group</span>
        </span>
      </Button>
    </fieldset>
  )
}
