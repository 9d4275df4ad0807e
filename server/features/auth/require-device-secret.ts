import type { Db } from '../../db/client.ts'
import type { Session } from './session-rows.ts'

/**
 * Requires the device secret from now on, because the use of a session proves that the phone received it. Locks the
 * binding first, as wherever sessions end: one that is being switched stays as it is.
 */
export async function requireDeviceSecret(db: Db, session: Session): Promise<void> {
  const { host_id, room_user_id } = session
  const [table, id] = room_user_id ? (['room_users', room_user_id] as const) : (['hosts', host_id ?? ''] as const)
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute()
    const isLive = tx.selectFrom('sessions').where('id', '=', session.id).where('ended_at', 'is', null)
    if (await isLive.select('id').executeTakeFirst())
      await tx.updateTable(table).set({ device_secret_required: true }).where('id', '=', id).execute()
  })
  session.device_secret_issued = false
}
