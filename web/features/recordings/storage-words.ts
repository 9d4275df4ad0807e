import type { Archive } from '../../../shared/recordings.ts'

const NEARLY = 0.9

/** What the storage bar says: sizes in GB, and whether the room for more is running out. */
export function storageWords({ used_gb, limit_gb }: Pick<Archive, 'used_gb' | 'limit_gb'>) {
  const share = limit_gb > 0 ? Math.min(1, used_gb / limit_gb) : 1
  const gb = (amount: number) => String(Number(amount.toFixed(amount < 10 ? 2 : 1)))
  return { words: `${gb(used_gb)} of ${gb(limit_gb)} GB of storage used`, share, isNearlyFull: share >= NEARLY }
}
