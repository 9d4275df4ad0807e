import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import {
  type ReleaseSeat,
  SEAT_LEASE_MS,
  SEAT_NAME_LENGTH,
  type SeatCommand,
  type SeatLease,
  type SeatReport,
  type SeatTicket,
  type TakeSeat,
} from '../../../shared/seat.ts'
import { cutToVisible } from '../../../shared/visible.ts'
import { type HostActor, SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { readAccountName } from '../auth/account-name.ts'
import type { Session } from '../auth/session-rows.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import type { SeatHolder } from '../live-room/state/seat-state.ts'
import type { GuardAudit } from './guard-audit.ts'
import { endExpiredLease, endLeaseOfSession, findHolder, releaseLease, renewLease, takeLease } from './seat-lease.ts'
import { createSeatTicket } from './seat-ticket.ts'
import type { SeatTrace } from './seat-trace.ts'

type Traced = Deps & { trace: SeatTrace }

/** The former holder has so long to leave Zoom before another console joins. */
const LEAVE_MS = 3_000
/** The lease is renewed in the database once in so long, however many reports come. */
const RENEW_EVERY_MS = 3_000

/**
 * Gives the seat to this console, with what it needs to join the meeting. Zoom is asked first, so that nobody loses the
 * seat to a console that cannot join.
 */
export async function takeSeat(
  deps: Traced,
  by: HostActor,
  { seat_id, as, take_over }: z.output<typeof TakeSeat>,
): Promise<{ lease: SeatLease; ticket: SeatTicket }> {
  await requireOpenSession(deps.db, by.session_id)
  const room = await deps.rooms.get(by.host_id)
  const isOwn = (holder: SeatHolder) => holder.seat_id === seat_id && holder.session_id === by.session_id
  const before = await findHolder(deps.db, room.id, deps.now())
  if (before && !isOwn(before) && !take_over) throw seatTaken(before)
  const ticket = await deps.trace.ticket(as, () => createSeatTicket(deps, by, as))

  const other = await findHolder(deps.db, room.id, deps.now())
  const former = other && !isOwn(other) ? other : null
  if (former && !take_over) throw seatTaken(former)
  if (former) await askToLeave(deps, room, former)
  const holder = await deps.db.transaction().execute(async (tx) => {
    await lockHostShared(tx, by.host_id)
    const name = await readAccountName(tx, by)
    const taking = { room_id: room.id, seat_id, session_id: by.session_id, by: name, at: deps.now() }
    const taken = await takeLease(tx, { ...taking, from: former?.epoch ?? null })
    if (!taken) throw seatTaken(await findHolder(tx, room.id, deps.now()))
    await audit(deps, tx, by, { action: former ? 'seat_taken_over' : 'seat_taken', target: room.id, after: { as } })
    return taken
  })
  await room.seat.take(holder)
  return { lease: leaseOf(holder), ticket }
}

/** Waits until the former holder has left Zoom, or takes too long. */
async function askToLeave(deps: Deps, room: LiveRoom, { seat_id, epoch }: SeatHolder): Promise<void> {
  if (!room.seat.isHeldBy({ seat_id, epoch })) return // no server knows where it is
  await room.seat.command({ seat_id, id: randomUUID(), do: 'leave' }, deps.now())
  await room.seat.waitForEnd(epoch, LEAVE_MS)
}

/** Takes a report of the holder, which renews its lease. Returns the commands that it has still to carry out. */
export async function reportSeat(
  deps: Traced & { guardAudit: GuardAudit },
  by: HostActor,
  { guarded, state: { zoom_code, ...state }, ...report }: z.output<typeof SeatReport>,
): Promise<{ expires_at: string; commands: SeatCommand[] }> {
  const room = await deps.rooms.get(by.host_id)
  const { seat_id, epoch } = report
  const at = deps.now()
  const holder =
    knownHolder(room, by, report, at) ?? (await renewLease(deps.db, by, { ...report, room_id: room.id }, at))
  if (!holder) {
    await requireOpenSession(deps.db, by.session_id)
    throw seatLost()
  }
  if (!room.seat.isHeldBy({ seat_id, epoch })) await room.seat.take(holder) // the room has been loaded since
  const known = guarded.length > 0 ? room.seat.attendees() : [] // before the report says who has left
  const attendees = report.attendees.map((one) => ({ ...one, name: cutToVisible(one.name, SEAT_NAME_LENGTH) }))
  const applied = { ...report, state, attendees, id: randomUUID() }
  await room.seat.report(applied, at, holder.expires_at)
  if (!room.seat.isHeldBy({ seat_id, epoch })) throw seatLost()
  if (!room.seat.hasApplied(applied))
    throw new AppError('seat_out_of_step', 'A report is missing. Send the whole list of attendees.')
  const { connection, powers } = state
  deps.trace.note(room.id, { state: connection, powers, zoom_code })
  const mutedAgain = guarded.flatMap(({ key, times }) => {
    const attendee = known.find((one) => one.key === key)
    return attendee ? [{ attendee, times }] : []
  })
  await deps.guardAudit.write({ id: room.id, host_id: by.host_id, epoch }, mutedAgain)
  return { expires_at: new Date(holder.expires_at).toISOString(), commands: room.seat.pendingCommands() }
}

/** Returns null if the database has to say who has the seat. */
function knownHolder(
  room: LiveRoom,
  { session_id }: HostActor,
  lease: { seat_id: string; epoch: number },
  at: number,
): SeatHolder | null {
  const { holder } = room.seat
  if (!holder || !room.seat.isHeldBy(lease) || holder.session_id !== session_id) return null
  return holder.expires_at - at > SEAT_LEASE_MS - RENEW_EVERY_MS ? holder : null
}

/** Does nothing if nobody has taken the seat since this console gave it up. */
export async function releaseSeat(
  deps: Traced,
  by: HostActor,
  { zoom_code, ...lease }: z.output<typeof ReleaseSeat>,
): Promise<void> {
  const room = await deps.rooms.get(by.host_id)
  const isReleased = await deps.db.transaction().execute(async (tx) => {
    await lockHostShared(tx, by.host_id)
    await requireOpenSession(tx, by.session_id)
    if (await releaseLease(tx, by, { ...lease, room_id: room.id })) {
      await audit(deps, tx, by, { action: 'seat_released', target: room.id })
      return true
    }
    const { epoch } =
      (await tx.selectFrom('seats').select(['epoch']).where('room_id', '=', room.id).executeTakeFirst()) ?? {}
    if (epoch !== lease.epoch || (await findHolder(tx, room.id, deps.now()))) throw seatLost()
    return false
  })
  if (!isReleased) return
  deps.trace.note(room.id, { state: 'ended', powers: room.seat.view.powers, zoom_code })
  await room.seat.end(lease.epoch, 'released', deps.now())
}

/**
 * Gives up the seat of a console whose session has ended, which can neither report nor give it up itself. Only the
 * memory of this server is asked who has the seat: the server that takes its reports knows both.
 */
export async function endSeatOfSession(deps: Deps, { id, host_id }: Pick<Session, 'id' | 'host_id'>): Promise<void> {
  const room = host_id === null ? null : deps.rooms.peek(host_id)
  const { holder } = room?.seat ?? {}
  if (!room || holder?.session_id !== id) return
  const isEnded = await deps.db.transaction().execute(async (tx) => {
    if (!(await endLeaseOfSession(tx, room.id, id))) return false // another server has
    await audit(deps, tx, { ...SYSTEM, host_id: room.hostId }, { action: 'seat_released', target: room.id })
    return true
  })
  if (isEnded) await room.seat.end(holder.epoch, 'released', deps.now())
}

/** Ends the seat of a console that has not renewed its lease. */
export async function endExpiredSeat({ db, now }: Pick<Deps, 'db' | 'now'>, room: LiveRoom): Promise<void> {
  const { holder } = room.seat
  const at = now()
  if (!holder || holder.expires_at > at) return
  const { epoch } = holder
  const isRenewed = await db.transaction().execute(async (tx) => {
    if (await endExpiredLease(tx, room.id, epoch, at)) {
      await audit({ now }, tx, { ...SYSTEM, host_id: room.hostId }, { action: 'seat_lost', target: room.id })
      return false
    }
    return (await findHolder(tx, room.id, at))?.epoch === epoch
  })
  if (!isRenewed || !room.isInStep) await room.seat.end(epoch, 'lost', at)
}

const leaseOf = ({ seat_id, epoch, expires_at }: SeatHolder): SeatLease => ({
  seat_id,
  epoch,
  expires_at: new Date(expires_at).toISOString(),
})

const seatLost = () => new AppError('seat_lost', "This console no longer has the host's seat.")

function seatTaken(holder: SeatHolder | null): AppError {
  if (!holder) return new AppError('seat_taken', 'Another console has just given the seat up. Please try again.')
  const { by, taken_at } = holder
  const details = { by, since: new Date(taken_at).toISOString() }
  return new AppError('seat_taken', "Another console has the host's seat.", { details })
}
