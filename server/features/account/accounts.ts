import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../db/actor.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { actorOfSession } from '../auth/guards.ts'

/** A master or host who changes the own account. */
export interface AccountOwner extends Caller {
  role: 'master' | 'host'
  id: string
  session_id: string
}

export function accountOwner({ session, ip }: FastifyRequest): AccountOwner {
  if (session?.role !== 'master' && session?.role !== 'host') throw new AppError('not_allowed', 'Consoles only.')
  return { ...actorOfSession(session, ip), role: session.role }
}

/** Returns an account's secrets and names, for itself alone. */
export async function findAccount(db: Db, { role, id }: AccountOwner) {
  const columns = ['email', 'password_hash', 'password_changed_at'] as const
  const account =
    role === 'host'
      ? await db
          .selectFrom('hosts')
          .select([...columns, 'username as signInName'])
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
      : await db
          .selectFrom('masters')
          .select([...columns, 'email as signInName'])
          .where('id', '=', id)
          .executeTakeFirst()
  if (!account) throw new AppError('not_signed_in', 'Please sign in again.')
  return account
}
