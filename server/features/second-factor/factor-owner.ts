import type { Caller } from '../../db/actor.ts'
import type { ConsoleAccount } from '../auth/session-rows.ts'

/** An account that signs in by itself. */
export interface FactorAccount extends ConsoleAccount {
  /** Null for masters. */
  host_id: string | null
}

/** An account that changes its own factors. */
export type FactorOwner = Caller & FactorAccount & { session_id: string }

const COLUMNS = { master: 'master_id', host: 'host_id', assistant: 'assistant_id' } as const

/** Returns the column that names the account, in each table of second factors. */
export const ownerColumn = ({ role }: Pick<ConsoleAccount, 'role'>) => COLUMNS[role]

/** Returns the columns of a new row of the account. */
export function ownerColumns(account: ConsoleAccount) {
  const none = { master_id: null, host_id: null, assistant_id: null }
  return { ...none, [ownerColumn(account)]: account.id }
}
