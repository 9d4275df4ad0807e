import { sql } from 'kysely'
import type { ChangeGroupUsers, GroupUsersOutcome } from '../../../shared/group-members.ts'
import { GROUPS_OF_USER_MAX, TOO_MANY_GROUPS_OF_USER } from '../../../shared/user-groups.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { isUuid } from '../../lib/uuid.ts'
import { listUserGroups, ROSTER_COLUMNS } from '../live-room/state/roster.ts'
import { requireGroup } from './user-groups.ts'

const NOT_FOUND = { code: 'not_found', message: 'User not found' }
const IN_TOO_MANY = { code: 'conflict', message: TOO_MANY_GROUPS_OF_USER }

/** Adds users to a group or takes them out, in one transaction and with one entry in the audit. */
export async function changeGroupUsers(
  deps: Deps,
  by: HostActor,
  groupId: string,
  { userIds, change }: ChangeGroupUsers,
): Promise<GroupUsersOutcome> {
  const requested = new Map(userIds.map((id) => [id.toLowerCase(), id])) // once each, reported as it was sent
  const ids = [...requested.keys()].filter(isUuid)
  const isAdded = change === 'add'
  return deps.rooms.withRoomLock(by.host_id, async () => {
    const { found, full, entries, number } = await deps.db.transaction().execute(async (tx) => {
      await lockHostShared(tx, by.host_id)
      const { id: room_id, change_number } = await nextChangeNumber(tx, by.host_id)
      const group = requireGroup(await listUserGroups(tx, room_id), groupId)
      const inRoom = tx.selectFrom('room_users').select(['id', 'group_ids']).where('room_id', '=', room_id)
      const found = ids.length > 0 ? await inRoom.where('id', 'in', ids).forUpdate().execute() : []
      const others = found.filter(({ group_ids }) => group_ids.includes(groupId) !== isAdded)
      const full = others.filter(({ group_ids }) => isAdded && group_ids.length >= GROUPS_OF_USER_MAX)
      const changed = others.filter((one) => !full.includes(one)).map(({ id }) => id)
      if (changed.length === 0) return { found, full, entries: [], number: change_number }
      const entries = await tx
        .updateTable('room_users')
        .set({
          group_ids: isAdded
            ? sql<string[]>`array_append(group_ids, ${groupId}::uuid)`
            : sql<string[]>`array_remove(group_ids, ${groupId}::uuid)`,
          updated_at: new Date(deps.now()),
        })
        .where('room_id', '=', room_id)
        .where('id', 'in', changed)
        .returning(ROSTER_COLUMNS)
        .execute()
      const listed = deps.listedUsers.tryTake(by.host_id, changed.length)
        ? { users: changed.map((id) => ({ id })) }
        : { users_changed: changed.length }
      const action = isAdded ? 'group_users_added' : 'group_users_removed'
      await audit(deps, tx, by, { action, target: groupId, after: { name: group.name, ...listed } })
      return { found, full, entries, number: change_number }
    })
    await deps.rooms.commit(
      by.host_id,
      number,
      entries.map((entry) => ({ type: 'upsert' as const, entry })),
    )
    const fullIds = new Set(full.map(({ id }) => id))
    const succeeded = found.flatMap(({ id }) => (fullIds.has(id) ? [] : [id]))
    const failed = [...requested].flatMap(([id, sent]) =>
      succeeded.includes(id) ? [] : [{ id: sent, ...(fullIds.has(id) ? IN_TOO_MANY : NOT_FOUND) }],
    )
    return { succeeded, failed }
  })
}
