import { randomUUID } from 'node:crypto'
import { normaliseForComparison, visibleForm } from '../../../shared/normalise.ts'
import type { ImportedRoomUser, ImportOutcome, ImportRoomUsers } from '../../../shared/room-users.ts'
import { TOO_MANY_GROUPS, type UserGroup } from '../../../shared/user-groups.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { namesForAudit } from '../audit/listed-users.ts'
import { passwordAad } from '../auth/user-password.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { listUserGroups, ROSTER_COLUMNS } from '../live-room/state/roster.ts'
import { NamedGroups } from '../user-groups/chosen-groups.ts'
import { insertGroups } from '../user-groups/user-groups.ts'
import { hashPasswords } from './jobs.ts'
import {
  auditFields,
  findTakenNames,
  nameColumns,
  ROOM_IS_FULL,
  remainingCapacity,
  USER_ID_TAKEN,
  USERNAME_TAKEN,
} from './room-users.ts'

/**
 * Adds users in one transaction, in order. A user whose name is taken is reported, and the others are added. A job
 * hashes their passwords afterwards, since that takes the most time.
 */
export async function importRoomUsers(
  deps: Deps,
  by: HostActor,
  { users: inputs, import_id }: ImportRoomUsers,
): Promise<ImportOutcome> {
  const taken = await findNameConflicts(deps.db, await deps.rooms.get(by.host_id), inputs)
  deps.passwords.count(by.id, inputs.length - taken.length)

  return deps.rooms.withRoomLock(by.host_id, async () => {
    const room = await deps.rooms.get(by.host_id)
    const { outcome, entries, number, groups } = await deps.db.transaction().execute(async (tx) => {
      await lockHostShared(tx, by.host_id)
      const { change_number: number, host_mute_all_active, mute_round } = await nextChangeNumber(tx, by.host_id)
      const takenSince = await findNameConflicts(tx, room, inputs)
      const refusedAt = new Map([...taken, ...takenSince].map((one) => [one.index, one]))
      const refused = [...refusedAt.values()].sort((a, b) => a.index - b.index)
      const addable = inputs.flatMap((input, index) => {
        if (refusedAt.has(index)) return []
        return [{ index, input, id: randomUUID() }]
      })
      const capacity = await remainingCapacity(tx, room.id)
      const { accepted, refused: unfit, made } = fitIn(addable, capacity, await listUserGroups(tx, room.id))
      const failed = [...refused, ...unfit]
      if (accepted.length === 0) return { outcome: { added: [], failed }, entries: [], number, groups: null }
      await insertGroups(deps, tx, by, { room_id: room.id, made, import_id })
      const groups = made.length > 0 ? await listUserGroups(tx, room.id) : null
      const rows = await tx
        .insertInto('room_users')
        .values(
          accepted.map(({ index, input, id, group_ids }) => ({
            id,
            room_id: room.id,
            ...nameColumns(input),
            group_ids,
            password_hash: null,
            password_ciphertext: deps.secrets.encrypt(input.password, passwordAad(id)),
            is_muted: host_mute_all_active,
            mute_round,
            // Lists are ordered by creation, so the times are a millisecond apart.
            created_at: new Date(deps.now() - inputs.length + index),
            updated_at: new Date(deps.now()),
          })),
        )
        .onConflict((conflict) => conflict.doNothing()) // another node may have added one meanwhile
        .returning(ROSTER_COLUMNS)
        .execute()
      const insertedIds = new Set(rows.map(({ id }) => id))
      const inserted = accepted.filter(({ id }) => insertedIds.has(id))
      const conflicting = accepted.filter(({ id }) => !insertedIds.has(id))
      await auditAdded(deps, tx, by, inserted, import_id)
      const added = inserted.map(({ index, id, input }) => ({ index, id, user_id: input.user_id }))
      const conflicts = conflicting.map(({ index }) => ({ index, path: 'username', message: USERNAME_TAKEN.msg }))
      return { outcome: { added, failed: [...failed, ...conflicts] }, entries: rows, number, groups }
    })
    const entryOf = new Map(entries.map((entry) => [entry.id, entry]))
    const changes = outcome.added.flatMap(({ id }) => {
      const entry = entryOf.get(id)
      return entry ? [{ type: 'upsert' as const, entry }] : []
    })
    const grouped = groups ? [{ type: 'groups' as const, groups }] : []
    await deps.rooms.commit(by.host_id, number, [...grouped, ...changes])
    if (changes.length > 0) deps.jobs.wake(hashPasswords)
    return outcome
  })
}

type Addable = { index: number; input: ImportedRoomUser; id: string }

/** Takes users, in order, as far as the room has space for them and for the groups that they name. */
function fitIn(addable: readonly Addable[], capacity: number, groups: readonly UserGroup[]) {
  const named = new NamedGroups(groups)
  const accepted: (Addable & { group_ids: string[] })[] = []
  const refused: ImportOutcome['failed'] = []
  for (const one of addable) {
    const { index, input } = one
    const isFull = accepted.length >= capacity
    const group_ids = isFull ? null : named.resolve(input.groups ?? [])
    if (group_ids) accepted.push({ ...one, group_ids })
    else if (isFull) refused.push({ index, path: 'username', message: ROOM_IS_FULL })
    else refused.push({ index, path: 'groups', message: TOO_MANY_GROUPS })
  }
  return { accepted, refused, made: named.made }
}

/**
 * Writes one entry for all users, so that a large import does not hide other entries. Lists them while the host's audit
 * still lists users.
 */
async function auditAdded(
  deps: Deps,
  tx: Tx,
  by: HostActor,
  added: readonly { id: string; input: ImportedRoomUser }[],
  import_id: string | undefined,
): Promise<void> {
  const [only, another] = added
  if (!only) return
  const action = 'user_created'
  if (!another) {
    const { after } = namesForAudit(deps, by.host_id, { after: auditFields(only.input) })
    return audit(deps, tx, by, { action, target: only.id, after: { ...after, import_id } })
  }
  const listed = deps.listedUsers.tryTake(by.host_id, added.length)
    ? { users: added.map(({ id, input }) => ({ id, ...auditFields(input) })) }
    : { users_changed: added.length }
  await audit(deps, tx, by, { action, after: { ...listed, import_id } })
}

/** Finds names that are in use in the room or earlier in the list. */
async function findNameConflicts(
  db: Db | Tx,
  room: LiveRoom,
  inputs: ImportedRoomUser[],
): Promise<ImportOutcome['failed']> {
  const { usernames, userIds } = await findTakenNames(db, room, inputs)
  return inputs.flatMap((input, index) => {
    const [username, userId] = [
      visibleForm(normaliseForComparison(input.username)),
      visibleForm(normaliseForComparison(input.user_id)),
    ]
    const taken = usernames.has(username) ? USERNAME_TAKEN : userIds.has(userId) ? USER_ID_TAKEN : null
    if (taken) return [{ index, path: taken.path, message: taken.msg }]
    usernames.add(username)
    userIds.add(userId)
    return []
  })
}
