import { sql } from 'kysely'
import { normaliseForComparison, visibleForm } from '../../../shared/normalise.ts'
import type { Db, Tx } from '../../db/client.ts'
import { AppError, invalidField } from '../../errors.ts'

/** An arbitrary fixed number. */
const LOCK = 7_265_112

/** Hosts and assistants sign in at one form, so that the names of both are given out one after the other. */
async function holdNames(db: Db | Tx): Promise<void> {
  if (db.isTransaction) await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(db)
}

/** Call in the transaction that adds or renames the assistant, under a lock of its host. */
export async function requireFreeAssistantName(
  tx: Tx,
  host: { id: string; username_key: string },
  name: string,
  ownId?: string,
): Promise<void> {
  await holdNames(tx)
  const name_key = normaliseForComparison(name)
  const others = await tx
    .selectFrom('assistants')
    .select(['id', 'name_key'])
    .where('host_id', '=', host.id)
    .where('removed_at', 'is', null)
    .execute()
  if (others.some((other) => other.id !== ownId && visibleForm(other.name_key) === visibleForm(name_key))) {
    const taken = { path: 'name', msg: 'An assistant of this room has this name already' }
    throw new AppError('conflict', taken.msg, { errors: [taken] })
  }
  const namesake = tx.selectFrom('hosts').select('id').where('username_key', '=', `${name_key}@${host.username_key}`)
  if (await namesake.where('deleted_at', 'is', null).executeTakeFirst())
    throw invalidField('name', 'A host signs in with this name. Choose another.')
}

/** Refuses a host's name with which an assistant signs in; and, of a host with assistants, one that makes theirs a host's. */
export async function requireNoAssistantsName(db: Db | Tx, username: string, ownId?: string): Promise<void> {
  await holdNames(db)
  const key = normaliseForComparison(username)
  const at = key.indexOf('@')
  const rows = await db
    .selectFrom('assistants')
    .innerJoin('hosts', 'hosts.id', 'assistants.host_id')
    .select('assistants.id')
    .where('removed_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('hosts.deleted_at', 'is', null),
          eb('hosts.username_key', '=', at === -1 ? '' : key.slice(at + 1)),
          eb('name_key', '=', key.slice(0, Math.max(at, 0))),
        ]),
        eb.and([
          eb('host_id', '=', ownId ?? null),
          eb.exists(
            eb
              .selectFrom('hosts as namesakes')
              .select('namesakes.id')
              .where('namesakes.deleted_at', 'is', null)
              .where('namesakes.username_key', '=', sql<string>`assistants.name_key || '@' || ${key}::text`),
          ),
        ]),
      ]),
    )
    .limit(1)
    .execute()
  if (rows.length > 0) throw invalidField('username', 'An assistant signs in with this name. Choose another.')
}
