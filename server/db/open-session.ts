import { AppError } from '../errors.ts'
import type { Db, Tx } from './client.ts'

/** Call before effects that would outlive a session that ended after the call's check. Lock the host's row first. */
export async function requireOpenSession(db: Db | Tx, id: string): Promise<void> {
  const open = db.selectFrom('sessions').select('id').where('id', '=', id).where('ended_at', 'is', null)
  if (!(await open.executeTakeFirst())) throw new AppError('not_signed_in', 'Please sign in again.')
}
