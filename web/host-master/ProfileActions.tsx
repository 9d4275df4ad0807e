import { Button } from '@mantine/core'
import { IconDeviceMobileOff, IconLogout, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { Host } from '../../shared/hosts.ts'
import { messageOf } from '../api.ts'
import { confirm } from '../ui/confirm.tsx'
import { toast } from '../ui/toast.tsx'
import { type ProfileAction, useProfileAction } from './queries.ts'

const ICON = { size: 17, stroke: 1.75, 'aria-hidden': true }

/** S, A and C of the host's own row: stop the room, activate it, change the host's phone. */
export function ProfileActions({ host }: { host: Host }) {
  const act = useProfileAction()

  function run(action: ProfileAction) {
    act.mutate(action, {
      onSuccess: ({ message }) => toast.success(message ?? 'Done'),
      onError: (error) => toast.error(messageOf(error, `Failed to ${action} user`)),
    })
  }

  async function handleStop() {
    const agreed = await confirm({
      title: 'Stop your room?',
      body: 'Every phone in the room is signed out, and none can sign in until you activate the room again.',
      confirmLabel: 'Stop room',
      danger: true,
    })
    if (agreed) run('stop')
  }

  async function handleChangePhone() {
    const agreed = await confirm({
      title: 'Change your phone?',
      body: 'Your present phone is signed out. The next phone that you sign in from becomes yours.',
      confirmLabel: 'Change phone',
    })
    if (agreed) run('change-phone')
  }

  const busy = act.isPending
  return (
    <>
      {host.is_active ? (
        <Button
          variant="default"
          leftSection={<IconPlayerStop {...ICON} />}
          disabled={busy}
          onClick={() => void handleStop()}
        >
          S · Stop room
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay {...ICON} />} disabled={busy} onClick={() => run('activate')}>
          A · Activate room
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconDeviceMobileOff {...ICON} />}
        disabled={busy}
        onClick={() => void handleChangePhone()}
      >
        C · Change phone
      </Button>
      {host.is_online ? (
        <Button variant="default" leftSection={<IconLogout {...ICON} />} disabled={busy} onClick={() => run('logout')}>
          Log out phone
        </Button>
      ) : null}
    </>
  )
}
