import type { Tx } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import type { SignedInHost } from './guards.ts'

/** Call before effects that would outlive a session that ended after the call's check. Lock the host's row first. */
export async function requireOpenSession(tx: Tx, { session }: SignedInHost): Promise<void> {
  const open = tx.selectFrom('sessions').select('id').where('id', '=', session.id).where('ended_at', 'is', null)
  if (!(await open.executeTakeFirst())) throw new AppError('not_signed_in', 'Please sign in again.')
}
