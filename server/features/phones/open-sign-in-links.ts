import type { OpenSignInLink } from '../../../shared/sign-in-links.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

export const LINK_NOT_OPEN = 'This user has no open link any more.'

/** Lists the valid links, the next to expire first. The links themselves are not stored. */
export async function listOpenSignInLinks({ db, now }: Deps, { host_id }: HostActor): Promise<OpenSignInLink[]> {
  const rows = await db
    .selectFrom('sign_in_links')
    .innerJoin('room_users', 'room_users.id', 'room_user_id')
    .innerJoin('rooms', 'rooms.id', 'room_id')
    .select(['room_users.id', 'expires_at'])
    .where('host_id', '=', host_id)
    .where('expires_at', '>', new Date(now()))
    .orderBy('expires_at')
    .execute()
  return rows.map(({ id, expires_at }) => ({ id, expires_at: expires_at.toISOString() }))
}

/** Fails with `not_found` if another revocation, or a sign-in by the link, came first. */
export async function revokeSignInLink(deps: Deps, by: HostActor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockHostShared(tx, by.host_id)
    const usersOfHost = tx
      .selectFrom('room_users')
      .innerJoin('rooms', 'rooms.id', 'room_id')
      .where('host_id', '=', by.host_id)
    const revoked = await tx
      .deleteFrom('sign_in_links')
      .where('room_user_id', '=', id)
      .where('room_user_id', 'in', usersOfHost.select('room_users.id'))
      .where('expires_at', '>', new Date(deps.now()))
      .returning('expires_at')
      .executeTakeFirst()
    if (!revoked) throw new AppError('not_found', LINK_NOT_OPEN)
    await audit(deps, tx, by, { action: 'sign_in_link_revoked', target: id, before: revoked })
  })
}
