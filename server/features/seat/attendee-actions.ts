import { randomUUID } from 'node:crypto'
import type { AuditAction } from '../../../shared/audit.ts'
import type { Attendee, AttendeeAction, SeatOrder } from '../../../shared/seat.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { namesForAudit } from '../audit/listed-users.ts'
import type { LiveRoom } from '../live-room/live-room.ts'

/** The order that each action gives to the seat; null: none, since the guard alone has to know. */
const ORDERS: Record<AttendeeAction, SeatOrder | null> = {
  mute: 'mute',
  'ask-unmute': 'ask-unmute',
  allow: null,
  remove: 'remove',
  hold: 'hold',
  admit: 'admit',
  'lower-hand': 'lower-hand',
}
const ALLOWS: Partial<Record<AttendeeAction, boolean>> = { mute: false, 'ask-unmute': true, allow: true }

/** Has the seat do this to somebody in the Zoom meeting. Returns the id by which the outcome is published. */
export async function actOnAttendee(
  deps: Deps,
  by: HostActor,
  key: string,
  action: AttendeeAction,
): Promise<{ command_id: string }> {
  const room = await deps.rooms.get(by.host_id)
  const seat_id = requirePower(room)
  const attendee = room.seat.attendees().find((one) => one.key === key)
  if (!attendee || attendee.is_self) throw notFound('User') // the seat itself would lose its powers
  await auditAct(deps, by, { action: `attendee_${action}`, attendee })
  const id = randomUUID()
  const [order, allows] = [ORDERS[action], ALLOWS[action]]
  if (allows !== undefined) await room.seat.allow(key, allows, order === null ? id : null)
  if (order) await room.seat.command({ seat_id, id, do: order, key, user_id: attendee.zoom_user_id }, deps.now())
  return { command_id: room.seat.pendingId(order, key) ?? id }
}

export async function admitAll(deps: Deps, by: HostActor): Promise<{ command_id: string }> {
  const room = await deps.rooms.get(by.host_id)
  return commandAll(deps, by, room, { order: 'admit-all', action: 'attendee_admit-all' })
}

/** Lets Zoom ask everybody. While Mute All holds there, whoever agreed would be muted again. */
export async function askAllToUnmute(deps: Deps, by: HostActor): Promise<{ command_id: string }> {
  const room = await deps.rooms.get(by.host_id)
  requirePower(room)
  if (room.seat.view.lock) throw new AppError('conflict', 'Mute All holds in Zoom. Unmute all first.')
  return commandAll(deps, by, room, { order: 'ask-all', action: 'attendee_ask-unmute-all' })
}

async function commandAll(
  deps: Deps,
  by: HostActor,
  room: LiveRoom,
  { order, action }: { order: SeatOrder; action: AuditAction },
): Promise<{ command_id: string }> {
  const seat_id = requirePower(room)
  await auditAct(deps, by, { action })
  const id = randomUUID()
  await room.seat.command({ seat_id, id, do: order }, deps.now())
  return { command_id: room.seat.pendingId(order) ?? id }
}

/** Returns the seat that may act in the meeting. */
export function requirePower({ seat }: LiveRoom): string {
  const { holder, view } = seat
  if (!holder || !(view.state === 'in' || view.state === 'reconnecting'))
    throw new AppError('no_seat', "The host's seat in the meeting is free. Take it first.")
  if (view.powers === 'none')
    throw new AppError('no_power', "The host's seat is in the meeting without the powers of a host or co-host.")
  return holder.seat_id
}

/** The name is kept only because the host acted on it. */
async function auditAct(
  deps: Deps,
  by: HostActor,
  { action, attendee }: { action: AuditAction; attendee?: Attendee },
): Promise<void> {
  const named = attendee && namesForAudit(deps, by.host_id, { after: { name: attendee.name } })
  await deps.db
    .transaction()
    .execute((tx) => audit(deps, tx, by, { action, target: attendee?.user_id ?? null, ...named }))
}
