import type { ZoomWarning } from '../../../shared/hosts.ts'
import { NOBODY, readTold, type Work } from '../../zoom/webhook-event.ts'
import { StorageUsage } from '../../zoom/webhook-schemas.ts'

const ALMOST_FULL_PERCENT = 90
const CODE = 'zoom_storage'

/** Storage is the account's: every host on it hears when it is almost full, since recording stops when it is full. */
export const storageUsageUpdated: Work = async (_deps, tx, told) => {
  const { storage_used_percentage: percent } = readTold(StorageUsage, told.payload.object)
  const links = await tx
    .selectFrom('zoom_links')
    .select(['host_id', 'warnings'])
    .where('zoom_account_id', '=', told.account_id)
    .where((eb) => eb.or([eb('storage_told_at', 'is', null), eb('storage_told_at', '<=', told.at)]))
    .forUpdate()
    .execute()
  for (const { host_id, warnings } of links) {
    const others = warnings.filter(({ code }) => code !== CODE)
    await tx
      .updateTable('zoom_links')
      .set({ warnings: JSON.stringify([...others, ...storageWarning(percent)]), storage_told_at: told.at })
      .where('host_id', '=', host_id)
      .execute()
  }
  const [first] = links
  return first ? { host_id: first.host_id } : NOBODY
}

function storageWarning(percent: number): ZoomWarning[] {
  if (percent < ALMOST_FULL_PERCENT) return []
  const state = percent < 100 ? `is ${Math.floor(percent)} % full` : 'is full'
  const message = `Zoom’s cloud storage ${state}: once it is full, meetings are no longer recorded. Delete old recordings at zoom.us, under Recordings, or buy more storage.`
  return [{ code: CODE, message }]
}
