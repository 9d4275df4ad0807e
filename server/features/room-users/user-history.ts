import { sql } from 'kysely'
import type { UserHistory, UserHistoryQuery } from '../../../shared/user-history.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

/** Returns a page of the times at which a user was online, and the time at which its phone was bound. */
export async function readUserHistory(
  deps: Deps,
  { host_id }: HostActor,
  id: string,
  { limit, before }: UserHistoryQuery,
): Promise<UserHistory> {
  const { db } = deps
  const user = await db
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select(['room_users.created_at', 'room_users.device_bound_at'])
    .where('room_users.id', '=', id)
    .where('rooms.host_id', '=', host_id)
    .executeTakeFirst()
  if (!user) throw new AppError('not_found', 'User not found')
  await deps.stays.flush()

  const now = new Date(deps.now())
  const seconds = sql<number>`extract(epoch from coalesce(left_at, ${now}) - joined_at)::int`
  const stays = await db
    .selectFrom('stays')
    .select(['joined_at', 'left_at', seconds.as('seconds')])
    .where('room_user_id', '=', id)
    .$if(before !== undefined, (query) => query.where('joined_at', '<', new Date(before ?? 0)))
    .orderBy('joined_at', 'desc')
    .limit(limit + 1)
    .execute()
  const { visits, total_seconds } = await db
    .selectFrom('stays')
    .select([
      sql<number>`count(*)::int`.as('visits'),
      sql<number>`coalesce(sum(${seconds}), 0)::int`.as('total_seconds'),
    ])
    .where('room_user_id', '=', id)
    .executeTakeFirstOrThrow()

  const page = stays.slice(0, limit)
  return {
    created_at: user.created_at.toISOString(),
    device_bound_at: user.device_bound_at?.toISOString() ?? null,
    visits,
    total_seconds,
    stays: page.map(({ joined_at, left_at, ...stay }) => ({
      joined_at: joined_at.toISOString(),
      left_at: left_at?.toISOString() ?? null,
      ...stay,
    })),
    next: stays.length > limit ? (page.at(-1)?.joined_at.toISOString() ?? null) : null,
  }
}
