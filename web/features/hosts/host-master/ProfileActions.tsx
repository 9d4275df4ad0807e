import { Button, Tooltip } from '@mantine/core'
import { IconDeviceMobileOff, IconLogout, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { Host, ProfileAction } from '../../../../shared/hosts.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useProfileAction } from '../../../queries/own-profile.ts'
import { toast } from '../../../ui/toast.tsx'
import { confirmProfileAction } from './confirm-profile-action.ts'
import { NO_PHONE_REASON, noPhoneButtonProps } from './no-phone.ts'

const ICON = { size: 17, stroke: 1.75, 'aria-hidden': true }

/** S, A and C for the host's own row: stop the room, activate it, change the host's phone. */
export function ProfileActions({ host }: { host: Host }) {
  const act = useProfileAction()

  async function handle(action: ProfileAction) {
    if (!(await confirmProfileAction(action))) return
    act.mutate(action, {
      onSuccess: ({ message }) => toast.success(message ?? 'Done'),
      onError: (error) => toast.error(messageOf(error, `Failed to ${action} user`)),
    })
  }

  const busy = act.isPending
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerStop {...ICON} />}
        disabled={busy || !host.is_active}
        onClick={() => void handle('stop')}
      >
        S · Stop room
      </Button>
      <Button
        variant={host.is_active ? 'default' : 'filled'}
        leftSection={<IconPlayerPlay {...ICON} />}
        disabled={busy || host.is_active}
        onClick={() => void handle('activate')}
      >
        A · Activate room
      </Button>
      <Tooltip label={NO_PHONE_REASON} disabled={host.device_id !== null}>
        <Button
          variant="default"
          leftSection={<IconDeviceMobileOff {...ICON} />}
          disabled={busy}
          {...(host.device_id === null && noPhoneButtonProps)}
          onClick={host.device_id === null ? undefined : () => void handle('change-phone')}
        >
          C · Change phone
        </Button>
      </Tooltip>
      {host.is_online ? (
        <Button
          variant="default"
          leftSection={<IconLogout {...ICON} />}
          disabled={busy}
          onClick={() => void handle('logout')}
        >
          Sign out phone
        </Button>
      ) : null}
    </>
  )
}
