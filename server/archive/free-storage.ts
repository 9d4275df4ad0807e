import { sql } from 'kysely'
import type { Tx } from '../db.ts'

/** Gives a host the room of these copies back. */
export async function freeStorage(
  tx: Tx,
  host_id: string,
  copies: { archived_path: string | null; archived_bytes: number | null }[],
): Promise<void> {
  const bytes = copies.reduce((sum, copy) => sum + (copy.archived_path ? (copy.archived_bytes ?? 0) : 0), 0)
  await tx
    .updateTable('hosts')
    .set({ storage_used_bytes: sql`greatest(0, storage_used_bytes - ${bytes})` })
    .where('id', '=', host_id)
    .execute()
}
