import { createElement, useCallback, useState } from 'react'
import type { Host } from '../../../../shared/hosts.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useDeleteHost } from '../queries.ts'
import { DeleteWarning } from './DeleteWarning.tsx'
import type { HostAction } from './host-columns.tsx'

/** The host whose dialog is open, as it was then: the list may no longer contain it. `months` to extend are chosen. */
export type OpenHostDialog = { action: Exclude<HostAction, 'delete'>; host: Host; months?: number }

/** Runs a row's actions: opens a dialog, or confirms and deletes. */
export function useHostActions() {
  const [shown, setShown] = useState<OpenHostDialog | null>(null)
  const { mutate: deleteHost } = useDeleteHost()

  const act = useCallback(
    async (action: HostAction, host: Host) => {
      if (action !== 'delete') return setShown({ action, host })
      const { id, username } = host
      const agreed = await confirm({
        title: `Delete ${username}?`,
        body: createElement(DeleteWarning, { username }),
        confirmLabel: 'Delete host',
        danger: true,
      })
      if (!agreed) return
      deleteHost(id, {
        onSuccess: ({ message }) =>
          toast.success(
            message ??
              `Host "${username}" deleted successfully. All associated data has been removed. It can be restored for 30 days.`,
          ),
        onError: (error) => toast.error(`Failed to delete host: ${messageOf(error, 'Please try again.')}`),
      })
    },
    [deleteHost],
  )
  const close = useCallback(() => setShown(null), [])
  return { shown, act, close }
}
