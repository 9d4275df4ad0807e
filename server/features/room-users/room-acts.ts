import { sql } from 'kysely'
import type { AuditAction } from '../../../shared/audit.ts'
import type { RoomAct } from '../../../shared/room-act.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { readAccountName } from '../auth/account-name.ts'

interface NewAct {
  action: Extract<AuditAction, 'mute_all' | 'unmute_all' | 'user_mute' | 'user_unmute'>
  /** Given by the room to this change. */
  number: number
}

/** Keeps the act as the room's last one. Call in its transaction, while the room is locked. */
export async function recordAct(
  { now }: Pick<Deps, 'now'>,
  tx: Tx,
  by: HostActor,
  { action, number }: NewAct,
): Promise<RoomAct> {
  const { id, acts_as: role } = by
  const name = await readAccountName(tx, by)
  const at = new Date(now()).toISOString()
  const act: RoomAct = { act: String(number), action, by: { id, name, role }, at }
  await tx
    .updateTable('rooms')
    .set({
      last_act: JSON.stringify(act),
      other_act: sql<string>`case when last_act -> 'by' ->> 'id' = ${id}::text then other_act else last_act end`,
    })
    .where('host_id', '=', by.host_id)
    .execute()
  return act
}

/** Throws if another person has acted since the act that the caller saw. Call while the room is locked. */
export async function requireNoActSince(tx: Tx, by: HostActor, seen: string | undefined): Promise<void> {
  if (seen === undefined) return
  const { last_act, other_act } = await readActs(tx, by)
  const others = last_act?.by.id === by.id ? other_act : last_act
  if (others && !(Number(others.act) <= Number(seen)))
    throw roomChanged(`${others.by.name} has acted in the meantime.`, last_act)
}

export async function readLastAct(tx: Tx, by: HostActor): Promise<RoomAct | null> {
  return (await readActs(tx, by)).last_act
}

/** Names the last act, so that the console can say who was quicker. */
export const roomChanged = (message: string, last_act: RoomAct | null) =>
  new AppError('state_changed', message, { details: { last_act } })

function readActs(tx: Tx, { host_id }: HostActor) {
  return tx
    .selectFrom('rooms')
    .select(['last_act', 'other_act'])
    .where('host_id', '=', host_id)
    .executeTakeFirstOrThrow()
}
