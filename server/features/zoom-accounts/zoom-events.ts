import type { ZoomWarning } from '../../../shared/hosts.ts'
import { IGNORED, parsePayload, type WebhookHandler } from '../../zoom/webhook-event.ts'
import { StorageUsage } from '../../zoom/webhook-schemas.ts'

const ALMOST_FULL_PERCENT = 90
const CODE = 'zoom_storage'

/** Storage belongs to the account. Each of its hosts gets the warning, because recording stops when it is full. */
export const storageUsageUpdated: WebhookHandler = async (_deps, tx, { account_id, payload, at }) => {
  const { storage_used_percentage: percent } = parsePayload(StorageUsage, payload.object)
  const links = await tx
    .selectFrom('zoom_links')
    .select(['host_id', 'warnings'])
    .where('zoom_account_id', '=', account_id)
    .where((eb) => eb.or([eb('storage_reported_at', 'is', null), eb('storage_reported_at', '<=', at)]))
    .forUpdate()
    .execute()
  for (const { host_id, warnings } of links) {
    const others = warnings.filter(({ code }) => code !== CODE)
    await tx
      .updateTable('zoom_links')
      .set({ warnings: JSON.stringify([...others, ...storageWarning(percent)]), storage_reported_at: at })
      .where('host_id', '=', host_id)
      .execute()
  }
  const [first] = links
  return first ? { host_id: first.host_id } : IGNORED
}

function storageWarning(percent: number): ZoomWarning[] {
  if (percent < ALMOST_FULL_PERCENT) return []
  const state = percent < 100 ? `is ${Math.floor(percent)} % full` : 'is full'
  const message = `Zoom’s cloud storage ${state}: once it is full, meetings are no longer recorded. Delete old recordings at zoom.us, under Recordings, or buy more storage.`
  return [{ code: CODE, message }]
}
