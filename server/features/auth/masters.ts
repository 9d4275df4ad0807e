import type { MasterUser } from '../../../shared/auth.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { randomToken } from '../../lib/secrets.ts'
import { hashPassword } from './passwords.ts'

/** Creates the first master: the configured one, or one with a generated password, which is returned. */
export async function ensureMaster({ db, config }: Deps): Promise<{ email: string; password: string } | null> {
  if (!(await isEmptyDatabase(db))) return null
  const email = config.MASTER_EMAIL ?? 'master@parley.example'
  const password = config.MASTER_PASSWORD ?? randomToken(15)
  const created = await db
    .insertInto('masters')
    .values({ email, email_key: normaliseForComparison(email), password_hash: await hashPassword(password) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst() // undefined if another server was quicker
  return created && !config.MASTER_PASSWORD ? { email, password } : null
}

export async function isEmptyDatabase(db: Db): Promise<boolean> {
  return !(await db.selectFrom('masters').select('id').limit(1).executeTakeFirst())
}

export async function findMaster({ db }: Deps, id: string): Promise<MasterUser> {
  const found = db.selectFrom('masters').selectAll().where('id', '=', id).where('removed_at', 'is', null)
  const master = await found.executeTakeFirst()
  if (!master) throw new AppError('not_signed_in', 'Please sign in again.')
  return masterUser(master)
}

/** Locks a master who has not been removed, so that a removal waits. Returns false for one who has been. */
export async function lockPresentMaster(tx: Tx, id: string): Promise<boolean> {
  const master = tx.selectFrom('masters').select('id').where('id', '=', id).where('removed_at', 'is', null)
  return (await master.forShare().executeTakeFirst()) !== undefined
}

/** Call before an effect that would outlive the master's removal, such as a link. Lock the host's row first. */
export async function requirePresentMaster(tx: Tx, id: string): Promise<void> {
  if (!(await lockPresentMaster(tx, id))) throw new AppError('not_signed_in', 'Please sign in again.')
}

export function masterUser({
  id,
  email,
  full_name,
}: {
  id: string
  email: string
  full_name: string | null
}): MasterUser {
  return { id, email, username: email, full_name, role: 'master' }
}
