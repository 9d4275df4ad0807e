import type { Db, Tx } from '../../db/client.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'

type LockedRoom = Awaited<ReturnType<typeof nextChangeNumber>>

/**
 * Makes a change that was planned for the room as it was after the change `read`. Returns null, with nothing written, if
 * another one has come since.
 */
export async function writePlanned<T>(
  db: Db,
  host_id: string,
  read: number,
  write: (tx: Tx, room: LockedRoom) => Promise<T>,
): Promise<T | null> {
  return db
    .transaction()
    .execute(async (tx) => {
      await lockHostShared(tx, host_id)
      const room = await nextChangeNumber(tx, host_id)
      // An unused number would hold up all later changes, so the transaction is rolled back.
      if (room.change_number !== read + 1) throw new RoomHasChanged()
      return write(tx, room)
    })
    .catch((error: unknown) => {
      if (error instanceof RoomHasChanged) return null
      throw error
    })
}

class RoomHasChanged extends Error {}
