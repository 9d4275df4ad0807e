import type { z } from 'zod'
import { ATTENDEE_LINKS_MAX, ForgetAttendeeName, type LinkAttendee } from '../../../shared/seat.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { namesForAudit } from '../audit/listed-users.ts'
import { foldName } from '../live-room/state/attendee-matches.ts'

/** The database indexes names. A folded one may have more letters than the name, of three bytes each. */
const NAME_BYTES_MAX = 2_000

/** Says which user somebody in the Zoom meeting is, for this sitting or whenever this name comes. Gives no right. */
export async function linkAttendee(
  deps: Deps,
  by: HostActor,
  key: string,
  { user_id, remember }: z.output<typeof LinkAttendee>,
): Promise<void> {
  const linked = user_id === null ? null : uuidOr404(user_id, 'User not found')
  await deps.rooms.withRoomLock(by.host_id, async () => {
    const room = await deps.rooms.get(by.host_id)
    const attendee = room.seat.attendees().find((one) => one.key === key)
    if (!attendee || (linked !== null && !room.user(linked))) throw notFound('User')
    if (attendee.customer_key !== null || attendee.is_self)
      throw new AppError('conflict', 'This is known already, by the key with which it joined.')
    const name = foldName(attendee.name)
    if (linked !== null && remember && !isMemorable(name))
      throw new AppError('conflict', 'This name is empty or too long to be remembered.')
    const number = await deps.db.transaction().execute(async (tx) => {
      await lockHostShared(tx, by.host_id)
      const { id, change_number } = await nextChangeNumber(tx, by.host_id)
      if (linked === null) await forgetName(tx, id, name)
      else if (remember) await rememberName(deps, tx, { room_id: id, folded_name: name, room_user_id: linked })
      const named = namesForAudit(deps, by.host_id, { after: { name: attendee.name, remember } })
      await audit(deps, tx, by, { action: 'attendee_linked', target: linked, ...named })
      return change_number
    })
    const isKept = linked === null || remember
    const changes = isKept ? [{ type: 'attendee-name' as const, name, user_id: linked }] : []
    await deps.rooms.commit(by.host_id, number, changes)
    await room.seat.link(key, linked)
  })
}

/** Takes no name that could not be listed and forgotten again, and none that everyone without a name has. */
const isMemorable = (name: string) =>
  ForgetAttendeeName.safeParse({ name }).success && Buffer.byteLength(name) <= NAME_BYTES_MAX

async function forgetName(tx: Tx, room_id: string, name: string): Promise<void> {
  await tx.deleteFrom('attendee_links').where('room_id', '=', room_id).where('folded_name', '=', name).execute()
}

async function rememberName(
  { now }: Deps,
  tx: Tx,
  link: { room_id: string; folded_name: string; room_user_id: string },
): Promise<void> {
  const { room_id, folded_name, room_user_id } = link
  const user = await tx
    .selectFrom('room_users')
    .select('id')
    .where('id', '=', room_user_id)
    .where('room_id', '=', room_id)
    .forShare()
    .executeTakeFirst()
  if (!user) throw notFound('User')
  const { others } = await tx
    .selectFrom('attendee_links')
    .select((eb) => eb.fn.countAll<string>().as('others'))
    .where('room_id', '=', room_id)
    .where('folded_name', '<>', folded_name)
    .executeTakeFirstOrThrow()
  if (Number(others) >= ATTENDEE_LINKS_MAX)
    throw new AppError('conflict', `A room remembers at most ${ATTENDEE_LINKS_MAX} names. Take one back first.`)
  await tx
    .insertInto('attendee_links')
    .values({ ...link, created_at: new Date(now()) })
    .onConflict((conflict) => conflict.columns(['room_id', 'folded_name']).doUpdateSet({ room_user_id }))
    .execute()
}
