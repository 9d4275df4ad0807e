import type { Host } from '../../../../shared/hosts.ts'
import { HostDetailsModal } from '../details/HostDetailsModal.tsx'
import { EditHostModal } from '../edit/EditHostModal.tsx'
import { ManageSubscriptionModal } from '../subscription/ManageSubscriptionModal.tsx'
import type { HostAction } from './host-columns.tsx'
import type { OpenHostDialog } from './use-host-actions.ts'

type HostModalsProps = {
  hosts: Host[]
  shown: OpenHostDialog | null
  onClose: () => void
  onAction: (action: HostAction, host: Host) => void
}

/** The dialog of one host. It stays open when another master deletes that host: saving then reports it. */
export function HostModals({ hosts, shown, onClose, onAction }: HostModalsProps) {
  if (!shown) return null
  const host = hosts.find(({ id }) => id === shown.host.id) ?? shown.host
  if (shown.action === 'edit') return <EditHostModal key={host.id} host={host} onClose={onClose} />
  if (shown.action === 'subscription') {
    const { months } = shown
    return <ManageSubscriptionModal key={`${host.id} ${months}`} host={host} chosen={months} onClose={onClose} />
  }
  return <HostDetailsModal host={host} onClose={onClose} onEdit={() => onAction('edit', host)} />
}
