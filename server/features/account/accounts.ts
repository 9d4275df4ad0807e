import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../db/actor.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { findAssistant, loginNameOf } from '../assistants/find-assistant.ts'
import { actorOfSession } from '../auth/guards.ts'

/** A master, host or assistant who changes the own account. */
export interface AccountOwner extends Caller {
  role: 'master' | 'host' | 'assistant'
  id: string
  session_id: string
}

export function accountOwner({ session, ip }: FastifyRequest): AccountOwner {
  const by = session && actorOfSession(session, ip)
  if (!by || by.role === 'phone') throw new AppError('not_allowed', 'Consoles only.')
  return { ...by, role: by.role }
}

/** The tables of the accounts, each with its password. */
export const ACCOUNT_TABLES = { master: 'masters', host: 'hosts', assistant: 'assistants' } as const

/** Returns an account's secrets and names, for itself alone. */
export async function findAccount(db: Db, { role, id }: AccountOwner) {
  if (role === 'assistant') {
    const { password_hash, password_changed_at, ...names } = await findAssistant(db, id)
    return { password_hash, password_changed_at, signInName: loginNameOf(names), otherName: names.name }
  }
  const columns = ['email as otherName', 'password_hash', 'password_changed_at'] as const
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
          .where('removed_at', 'is', null)
          .executeTakeFirst()
  if (!account) throw new AppError('not_signed_in', 'Please sign in again.')
  return account
}
