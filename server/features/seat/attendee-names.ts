import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { namesForAudit } from '../audit/listed-users.ts'

/** Lists the names by which a user is recognised in the Zoom meeting. */
export async function listAttendeeNames({ db }: Deps, { host_id }: HostActor, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .leftJoin('attendee_links', 'attendee_links.room_user_id', 'room_users.id')
    .select('attendee_links.folded_name')
    .where('room_users.id', '=', id)
    .where('rooms.host_id', '=', host_id)
    .orderBy('attendee_links.folded_name')
    .execute()
  if (rows.length === 0) throw notFound('User')
  return rows.flatMap(({ folded_name }) => folded_name ?? [])
}

/** Has a user no longer recognised by this name. Does nothing if it is forgotten already, or another user's. */
export async function forgetAttendeeName(
  deps: Deps,
  by: HostActor,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const { host_id } = by
  await deps.rooms.withRoomLock(host_id, async () => {
    const room = await deps.rooms.get(host_id)
    if (!room.user(id)) throw notFound('User')
    const { number, isForgotten } = await deps.db.transaction().execute(async (tx) => {
      await lockHostShared(tx, host_id)
      await requireOpenSession(tx, by.session_id)
      const { id: room_id, change_number } = await nextChangeNumber(tx, host_id)
      const { numDeletedRows } = await tx
        .deleteFrom('attendee_links')
        .where('room_id', '=', room_id)
        .where('room_user_id', '=', id)
        .where('folded_name', '=', name)
        .executeTakeFirst()
      const isForgotten = numDeletedRows > 0n
      const named = namesForAudit(deps, host_id, { after: { name } })
      if (isForgotten) await audit(deps, tx, by, { action: 'attendee_name_forgotten', target: id, ...named })
      return { number: change_number, isForgotten }
    })
    await deps.rooms.commit(host_id, number, isForgotten ? [{ type: 'attendee-name', name, user_id: null }] : [])
  })
}
