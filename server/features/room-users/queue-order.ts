import type { QueueOrder } from '../../../shared/queue-order.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'

/** Orders the hands that are up now, and those to come. The order that holds already changes nothing. */
export async function setQueueOrder(deps: Deps, by: HostActor, queue_order: QueueOrder): Promise<void> {
  await deps.rooms.withRoomLock(by.host_id, async () => {
    const number = await deps.db.transaction().execute(async (tx) => {
      await lockHostShared(tx, by.host_id)
      const { id, change_number } = await nextChangeNumber(tx, by.host_id)
      const before = await tx.selectFrom('rooms').select('queue_order').where('id', '=', id).executeTakeFirstOrThrow()
      if (before.queue_order !== queue_order) {
        await tx.updateTable('rooms').set({ queue_order }).where('id', '=', id).execute()
        await audit(deps, tx, by, { action: 'queue_order_set', target: id, before, after: { queue_order } })
      }
      return change_number
    })
    await deps.rooms.commit(by.host_id, number, [{ type: 'queue-order', order: queue_order }])
  })
}
