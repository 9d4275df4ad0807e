import type { HostActor } from '../../db/actor.ts'
import type { Db, Tx } from '../../db/client.ts'

/** Returns the name by which others in the room know a host or an assistant. */
export async function readAccountName(db: Db | Tx, { id, acts_as }: Pick<HostActor, 'id' | 'acts_as'>) {
  const named =
    acts_as === 'host'
      ? await db.selectFrom('hosts').select('username as name').where('id', '=', id).executeTakeFirst()
      : await db.selectFrom('assistants').select('name').where('id', '=', id).executeTakeFirst()
  return named?.name ?? ''
}
