import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  type AddGroup,
  type EditGroup,
  GROUPS_MAX,
  groupKey,
  TOO_MANY_GROUPS,
  type UserGroup,
} from '../../../shared/user-groups.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit, auditAll } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { diffFields } from '../../db/diff-fields.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { listUserGroups } from '../live-room/state/roster.ts'

export async function addGroup(deps: Deps, by: HostActor, { name, colour }: AddGroup): Promise<UserGroup> {
  return changeGroups(deps, by, async (tx, room_id, groups) => {
    if (groups.length >= GROUPS_MAX) throw new AppError('conflict', TOO_MANY_GROUPS)
    requireFreeName(groups, name)
    const group = { id: randomUUID(), name, colour }
    await insertGroups(deps, tx, by, { room_id, made: [group] })
    return group
  })
}

/** Call with groups whose names are free. `import_id`: of the import that names them. */
export async function insertGroups(
  deps: Deps,
  tx: Tx,
  by: HostActor,
  { room_id, made, import_id }: { room_id: string; made: readonly UserGroup[]; import_id?: string | undefined },
): Promise<void> {
  if (made.length === 0) return
  const at = new Date(deps.now())
  await tx
    .insertInto('user_groups')
    .values(made.map((one) => ({ room_id, ...one, name_key: groupKey(one.name), created_at: at, updated_at: at })))
    .execute()
  const entries = made.map(({ id, name, colour }) => ({
    action: 'group_created' as const,
    target: id,
    after: { name, colour, import_id },
  }))
  await auditAll(deps, tx, by, entries)
}

export async function editGroup(
  deps: Deps,
  by: HostActor,
  id: string,
  { name, colour, expect }: EditGroup,
): Promise<UserGroup> {
  return changeGroups(deps, by, async (tx, _room_id, groups) => {
    const { id: _, ...before } = requireGroup(groups, id)
    const change = diffFields(before, { name, colour })
    if (Object.keys(change.after).length > 0) {
      requireSeen(before, expect)
      requireFreeName(groups, name, id)
      const updated_at = new Date(deps.now())
      const set = { name, name_key: groupKey(name), colour, updated_at }
      await tx.updateTable('user_groups').set(set).where('id', '=', id).execute()
      await audit(deps, tx, by, { action: 'group_edited', target: id, before, after: change.after })
    }
    return { id, name, colour }
  })
}

/** Deletes a group. Its users stay, without it. */
export async function deleteGroup(deps: Deps, by: HostActor, id: string, expect: EditGroup['expect']): Promise<void> {
  await changeGroups(deps, by, async (tx, room_id, groups) => {
    const { id: _, ...before } = requireGroup(groups, id)
    requireSeen(before, expect)
    const members = await tx
      .updateTable('room_users')
      .set({ group_ids: sql<string[]>`array_remove(group_ids, ${id}::uuid)` })
      .where('room_id', '=', room_id)
      .where(sql<boolean>`${id}::uuid = any (group_ids)`)
      .returning('id')
      .execute()
    await tx.deleteFrom('user_groups').where('id', '=', id).execute()
    const listed = deps.listedUsers.tryTake(by.host_id, members.length)
      ? { users: members }
      : { users_changed: members.length }
    await audit(deps, tx, by, { action: 'group_deleted', target: id, before: { ...before, ...listed } })
  })
}

/** Makes a change of the room's groups in one transaction. The live room gets all groups. */
async function changeGroups<T>(
  deps: Deps,
  by: HostActor,
  write: (tx: Tx, room_id: string, groups: readonly UserGroup[]) => Promise<T>,
): Promise<T> {
  return deps.rooms.withRoomLock(by.host_id, async () => {
    const { result, groups, number } = await deps.db.transaction().execute(async (tx) => {
      await lockHostShared(tx, by.host_id)
      const { id, change_number } = await nextChangeNumber(tx, by.host_id)
      const result = await write(tx, id, await listUserGroups(tx, id))
      return { result, groups: await listUserGroups(tx, id), number: change_number }
    })
    await deps.rooms.commit(by.host_id, number, [{ type: 'groups', groups }])
    return result
  })
}

export function requireGroup(groups: readonly UserGroup[], id: string): UserGroup {
  const group = groups.find((one) => one.id === id)
  if (!group) throw notFound('Group')
  return group
}

function requireFreeName(groups: readonly UserGroup[], name: string, ownId?: string): void {
  const isTaken = groups.some((one) => one.id !== ownId && groupKey(one.name) === groupKey(name))
  if (!isTaken) return
  const msg = 'There is already a group with this name'
  throw new AppError('conflict', msg, { errors: [{ path: 'name', msg }] })
}

function requireSeen(stored: NonNullable<EditGroup['expect']>, seen: EditGroup['expect']): void {
  if (!seen || (stored.name === seen.name && stored.colour === seen.colour)) return
  throw new AppError('state_changed', 'Someone else has changed this group in the meantime. Nothing was saved.')
}
