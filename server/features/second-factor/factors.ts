import { sql } from 'kysely'
import type { AccountFactors } from '../../../shared/second-factor.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import type { ConsoleAccount } from '../auth/session-rows.ts'
import { ownerColumn } from './factor-owner.ts'
import { isRequiredOf, readRequirement } from './requirement.ts'

/** Tells if an account signs in with a second factor, wherever a passkey of it may work. */
export async function hasSecondFactor(db: Db | Tx, account: ConsoleAccount): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select ${ownsFactor(account, sql.val(account.id))} as has`.execute(db)
  return rows[0]?.has ?? false
}

/** The same as a condition, for an id that a statement has. */
export function ownsFactor(account: Pick<ConsoleAccount, 'role'>, id: ReturnType<typeof sql>) {
  const column = sql.ref(ownerColumn(account))
  return sql<boolean>`(
    exists (select from totp_secrets where ${column} = ${id} and confirmed_at is not null)
    or exists (select from passkeys where ${column} = ${id})
  )`
}

/** Describes the factors for their owner. `rpId` is the name of the site that asks. */
export async function describeFactors(
  { db }: Pick<Deps, 'db'>,
  account: ConsoleAccount,
  rpId: string,
): Promise<AccountFactors> {
  const column = ownerColumn(account)
  const totp = await db
    .selectFrom('totp_secrets')
    .select('id')
    .where(column, '=', account.id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const passkeys = await db
    .selectFrom('passkeys')
    .selectAll()
    .where(column, '=', account.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return {
    totp: totp !== undefined,
    recovery_codes_left: await countRecoveryCodes(db, account),
    passkeys: passkeys.map(({ id, name, created_at, last_used_at, rp_id }) => ({
      id,
      name,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
      usable_here: rp_id === rpId,
    })),
    is_required: isRequiredOf(await readRequirement(db), account),
  }
}

export async function countRecoveryCodes(db: Db | Tx, account: ConsoleAccount): Promise<number> {
  const query = db.selectFrom('recovery_codes').select((eb) => eb.fn.countAll().as('count'))
  const row = await query.where(ownerColumn(account), '=', account.id).executeTakeFirstOrThrow()
  return Number(row.count)
}
