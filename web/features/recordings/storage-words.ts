import type { Archive } from '../../../shared/recordings.ts'
import { formatUsedOfLimit } from '../../lib/format-size.ts'

const NEARLY = 0.9

/** Words the storage bar; warns from 90% on. */
export function storageWords({ used_gb, limit_gb }: Pick<Archive, 'used_gb' | 'limit_gb'>) {
  const share = limit_gb > 0 ? Math.min(1, used_gb / limit_gb) : 1
  return { words: `${formatUsedOfLimit(used_gb, limit_gb)} of storage used`, share, isNearlyFull: share >= NEARLY }
}
