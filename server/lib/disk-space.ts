import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'

export type DiskStats = Pick<StatsFs, 'blocks' | 'bfree' | 'bavail' | 'bsize'>

/** Returns bytes as `df` counts them, without what root alone may use. */
export function diskSpaceOf({ blocks, bfree, bavail, bsize }: DiskStats): { free: number; size: number } {
  return { free: bavail * bsize, size: (blocks - bfree + bavail) * bsize }
}

export async function readDiskSpace(folder: string): Promise<{ free: number; size: number }> {
  return diskSpaceOf(await statfs(folder))
}
