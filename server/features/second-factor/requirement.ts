import type { Db, Tx } from '../../db/client.ts'
import type { ConsoleAccount } from '../auth/session-rows.ts'

type Requirement = 'nobody' | 'masters' | 'masters_and_hosts'

async function readRequirement(db: Db | Tx): Promise<Requirement> {
  const row = await db.selectFrom('security_settings').select('require_second_factor').executeTakeFirst()
  return row?.require_second_factor ?? 'nobody'
}

/** Tells if the masters' rule asks a second factor of such an account. Assistants work in their host's room, as it does. */
export async function isFactorRequired(db: Db | Tx, { role }: Pick<ConsoleAccount, 'role'>): Promise<boolean> {
  const required = await readRequirement(db)
  return required === 'masters_and_hosts' || (required === 'masters' && role === 'master')
}
