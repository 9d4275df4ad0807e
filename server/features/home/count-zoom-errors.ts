import { HOUR_MS } from '../../../shared/dates.ts'
import { ZOOM_ERROR_HOURS, type ZoomErrorKind, type ZoomErrors } from '../../../shared/home.ts'
import type { Deps } from '../../deps.ts'

/** Counts what Zoom failed to do in each of the last hours. */
export async function countZoomErrors({ db, now, zoomErrors }: Deps): Promise<ZoomErrors> {
  await zoomErrors.flush()
  const last = Math.floor(now() / HOUR_MS) * HOUR_MS
  const start = last - (ZOOM_ERROR_HOURS - 1) * HOUR_MS
  const rows = await db.selectFrom('zoom_errors').selectAll().where('began_at', '>=', new Date(start)).execute()
  const counts = new Map(rows.map(({ began_at, kind, times }) => [`${began_at.getTime()} ${kind}`, times]))
  return Array.from({ length: ZOOM_ERROR_HOURS }, (_none, index) => {
    const at = start + index * HOUR_MS
    const count = (kind: ZoomErrorKind) => counts.get(`${at} ${kind}`) ?? 0
    return {
      at: new Date(at).toISOString(),
      unanswered: count('unanswered'),
      limited: count('limited'),
      refused: count('refused'),
      disconnected: count('disconnected'),
    }
  })
}
