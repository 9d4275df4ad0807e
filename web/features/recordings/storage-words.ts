import type { Archive } from '../../../shared/recordings.ts'
import { usedOfLimit } from '../../lib/format-size.ts'

const NEARLY = 0.9

/** What the storage bar says, and whether the room for more is running out. */
export function storageWords({ used_gb, limit_gb }: Pick<Archive, 'used_gb' | 'limit_gb'>) {
  const share = limit_gb > 0 ? Math.min(1, used_gb / limit_gb) : 1
  return { words: `${usedOfLimit(used_gb, limit_gb)} of storage used`, share, isNearlyFull: share >= NEARLY }
}
