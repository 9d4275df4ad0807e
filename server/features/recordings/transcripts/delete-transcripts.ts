import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'

/** Each has some hundred lines, which go with it. */
const AT_ONCE = 50

/** Deletes transcripts in steps, so that none takes long. Returns their number. */
export async function deleteTranscripts(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  let total = 0
  for (let count = AT_ONCE; count === AT_ONCE; total += count) count = await deleteSome(db, condition)
  return total
}

async function deleteSome(db: Db | Tx, condition: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from transcripts where id in (select id from transcripts where (${condition}) limit ${sql.lit(AT_ONCE)})
      and (${condition})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
