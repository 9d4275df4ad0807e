import type { Archive } from '../../../shared/recordings.ts'
import { formatSize } from './recording-format.ts'

const NEARLY = 0.9
const GB = 1024 ** 3

/** What the storage bar says, and whether the room for more is running out. */
export function storageWords({ used_gb, limit_gb }: Pick<Archive, 'used_gb' | 'limit_gb'>) {
  const share = limit_gb > 0 ? Math.min(1, used_gb / limit_gb) : 1
  const used = used_gb > 0 ? formatSize(used_gb * GB) : '0'
  return { words: `${used} of ${formatSize(limit_gb * GB)} of storage used`, share, isNearlyFull: share >= NEARLY }
}
