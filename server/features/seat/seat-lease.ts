import { sql } from 'kysely'
import { SEAT_LEASE_MS } from '../../../shared/seat.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { SeatHolder } from '../live-room/state/seat-state.ts'

const COLUMNS = ['seat_id', 'epoch', 'session_id', 'by', 'taken_at', 'expires_at'] as const

interface Row {
  seat_id: string | null
  epoch: number
  session_id: string | null
  by: string
  taken_at: Date
  expires_at: Date
}

function holderOf(row: Row | undefined): SeatHolder | null {
  const { seat_id = null, session_id = null } = row ?? {}
  if (!row || seat_id === null || session_id === null) return null
  const { epoch, by, taken_at, expires_at } = row
  return { seat_id, epoch, session_id, by, taken_at: taken_at.getTime(), expires_at: expires_at.getTime() }
}

/** Returns null if nobody has the seat now. */
export async function findHolder(db: Db | Tx, room_id: string, at: number): Promise<SeatHolder | null> {
  const row = await db.selectFrom('seats').select(COLUMNS).where('room_id', '=', room_id).executeTakeFirst()
  const holder = holderOf(row)
  return holder && holder.expires_at > at ? holder : null
}

interface Taking {
  room_id: string
  seat_id: string
  session_id: string
  by: string
  at: number
  /** The lease of another console that may be ended; null: of none. */
  from: number | null
}

/**
 * Takes the seat in one statement if nobody has it, if this console has it, or if the lease `from` still has it. Returns
 * null otherwise.
 */
export async function takeLease(tx: Tx, { room_id, from, at, ...taking }: Taking): Promise<SeatHolder | null> {
  const taken_at = new Date(at)
  const lease = { ...taking, taken_at, expires_at: new Date(at + SEAT_LEASE_MS) }
  const row = await tx
    .insertInto('seats')
    .values({ room_id, epoch: 1, ...lease })
    .onConflict((conflict) =>
      conflict
        .column('room_id')
        .doUpdateSet({ ...lease, epoch: sql<number>`seats.epoch + 1` })
        .where((eb) =>
          eb.or([
            eb('seats.seat_id', 'is', null),
            eb('seats.session_id', 'is', null),
            eb('seats.expires_at', '<=', taken_at),
            eb.and([eb('seats.seat_id', '=', lease.seat_id), eb('seats.session_id', '=', lease.session_id)]),
            ...(from === null ? [] : [eb('seats.epoch', '=', from)]),
          ]),
        ),
    )
    .returning(COLUMNS)
    .executeTakeFirst()
  return holderOf(row)
}

interface Lease {
  room_id: string
  seat_id: string
  epoch: number
}

/** Returns null if this session no longer has the seat. */
export async function renewLease(
  db: Db,
  { session_id }: HostActor,
  { room_id, seat_id, epoch }: Lease,
  at: number,
): Promise<SeatHolder | null> {
  const row = await db
    .updateTable('seats')
    .set({ expires_at: new Date(at + SEAT_LEASE_MS) })
    .where('room_id', '=', room_id)
    .where('seat_id', '=', seat_id)
    .where('epoch', '=', epoch)
    .where('session_id', '=', session_id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return holderOf(row)
}

/** Returns false if this session no longer has the seat. */
export async function releaseLease(
  tx: Tx,
  { session_id }: HostActor,
  { room_id, seat_id, epoch }: Lease,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('seats')
    .set({ seat_id: null, session_id: null })
    .where('room_id', '=', room_id)
    .where('seat_id', '=', seat_id)
    .where('epoch', '=', epoch)
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends the lease of this epoch if it has not been renewed in time. Returns true if this call has ended it. */
export async function endExpiredLease(tx: Tx, room_id: string, epoch: number, at: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('seats')
    .set({ seat_id: null, session_id: null })
    .where('room_id', '=', room_id)
    .where('epoch', '=', epoch)
    .where('seat_id', 'is not', null)
    .where('expires_at', '<=', new Date(at))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Returns false if this session has no seat in the room. */
export async function endLeaseOfSession(tx: Tx, room_id: string, session_id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('seats')
    .set({ seat_id: null, session_id: null })
    .where('room_id', '=', room_id)
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
