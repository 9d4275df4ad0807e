import { createHash } from 'node:crypto'

interface ClusterSlot {
  /** The hash tag of keys in this slot. */
  tag: string
  slot: number
}

/**
 * A blocked read cannot follow streams in several slots of a Cluster, so shared data is divided among these, which are
 * spread evenly over the masters. Other slots would be another format of the stored data.
 */
export const CLUSTER_SLOTS: readonly [ClusterSlot, ...ClusterSlot[]] = [
  { tag: 'parley:161', slot: 1_065 },
  { tag: 'parley:246', slot: 3_068 },
  { tag: 'parley:160', slot: 5_128 },
  { tag: 'parley:247', slot: 7_133 },
  { tag: 'parley:217', slot: 9_256 },
  { tag: 'parley:130', slot: 11_261 },
  { tag: 'parley:216', slot: 13_321 },
  { tag: 'parley:131', slot: 15_324 },
]

/** Returns the index, below `count`, of the partition that has the host's room. */
export function partitionOf(hostId: string, count: number): number {
  return createHash('sha256').update(hostId).digest().readUInt32BE() % count
}
