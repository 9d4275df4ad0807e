import { createHash } from 'node:crypto'

interface ClusterSlot {
  /** Keys with this hash tag are in the slot. */
  tag: string
  slot: number
}

/**
 * One blocked read cannot follow streams in several slots of a Cluster, so what servers share is divided among these, which
 * lie evenly among the masters. Others, or another number of them, would be another form of what is kept.
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

/** Which of so many has the room of a host. */
export function partitionOf(hostId: string, count: number): number {
  return createHash('sha256').update(hostId).digest().readUInt32BE() % count
}
