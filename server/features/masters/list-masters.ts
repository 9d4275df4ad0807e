import { sql } from 'kysely'
import type { Master, MasterInvitation } from '../../../shared/masters.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import type { Sessions } from '../auth/sessions.ts'
import { ownsFactor } from '../second-factor/factors.ts'

/** The part of `Deps` that commands have too, without a server. */
export type MastersDeps = Pick<Deps, 'db' | 'config' | 'now'> & { sessions: Pick<Sessions, 'endRows' | 'forget'> }

/** Lists the oldest first. `you` is the id of the one who asks. */
export async function listMasters({ db }: MastersDeps, you: string | null): Promise<Master[]> {
  const rows = await db
    .selectFrom('masters')
    .select(['id', 'email', 'full_name', 'created_at'])
    .select((eb) =>
      eb
        .selectFrom('sessions')
        .select((of) => of.fn.max('last_active_at').as('at'))
        .whereRef('sessions.master_id', '=', 'masters.id')
        .as('last_active_at'),
    )
    .select(ownsFactor({ role: 'master' }, sql.ref('masters.id')).as('has_second_factor'))
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ created_at, last_active_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    last_active_at: last_active_at?.toISOString() ?? null,
    is_you: row.id === you,
  }))
}

/** Lists the oldest first. */
export async function listInvitations(db: Db | Tx, now: number): Promise<MasterInvitation[]> {
  const rows = await db
    .selectFrom('account_links')
    .leftJoin('masters', 'masters.id', 'maker_id')
    .select(['account_links.id', 'account_links.email', 'account_links.created_at', 'expires_at'])
    .select('masters.email as made_by')
    .where('purpose', '=', 'master_invite')
    .where('expires_at', '>', new Date(now))
    .orderBy('account_links.created_at')
    .orderBy('account_links.id')
    .execute()
  return rows.map(({ id, email, made_by, created_at, expires_at }) => ({
    id,
    email: email ?? '',
    made_by,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }))
}
