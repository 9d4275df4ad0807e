import { randomUUID } from 'node:crypto'
import { comparable } from '../../../shared/normalise.ts'
import type { AddRoomUser, ImportOutcome } from '../../../shared/room-users.ts'
import { audit, byHost } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { numberChange } from '../../db/number-change.ts'
import type { Deps } from '../../deps.ts'
import type { SignedInHost } from '../auth/guards.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { ROSTER_COLUMNS } from '../live-room/roster.ts'
import {
  auditFields,
  findTakenNames,
  nameColumns,
  passwordAad,
  ROOM_IS_FULL,
  remainingCapacity,
  USER_ID_TAKEN,
  USERNAME_TAKEN,
} from './room-users.ts'

/** Adds users in one transaction, in their order. A user whose name is taken is reported, and the others are added. */
export async function importRoomUsers(
  deps: Deps,
  host: SignedInHost,
  inputs: AddRoomUser[],
  ip: string,
): Promise<ImportOutcome> {
  const taken = await findNameConflicts(deps.db, await deps.rooms.of(host.host_id), inputs)
  const isTaken = (index: number) => taken.some((one) => one.index === index)
  deps.passwords.count(host.host_id, inputs.length - taken.length)
  const hashes = await Promise.all(
    inputs.map(({ password }, index) => (isTaken(index) ? null : deps.passwords.hash(password, host.host_id))),
  )

  return deps.rooms.withRoomLock(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    const { outcome, entries, number } = await deps.db.transaction().execute(async (tx) => {
      const { change_number: number, host_mute_all_active, mute_round } = await numberChange(tx, host.host_id)
      const takenSince = await findNameConflicts(tx, room, inputs)
      const refused = inputs.flatMap((_input, at) => [...takenSince, ...taken].find(({ index }) => index === at) ?? [])
      const addable = inputs.flatMap((input, index) => {
        const password_hash = hashes[index]
        if (!password_hash || refused.some((one) => one.index === index)) return []
        return [{ index, input, id: randomUUID(), password_hash }]
      })
      const accepted = addable.slice(0, remainingCapacity(room))
      const overCapacity = addable.slice(accepted.length)
      const failed = [
        ...refused,
        ...overCapacity.map(({ index }) => ({ index, path: 'username', message: ROOM_IS_FULL })),
      ]
      if (accepted.length === 0) return { outcome: { added: [], failed }, entries: [], number }
      const rows = await tx
        .insertInto('room_users')
        .values(
          accepted.map(({ index, input, id, password_hash }) => ({
            id,
            room_id: room.id,
            ...nameColumns(input),
            password_hash,
            password_ciphertext: deps.secrets.encrypt(input.password, passwordAad(id)),
            is_muted: host_mute_all_active,
            mute_round,
            // A millisecond apart, since lists are ordered by it.
            created_at: new Date(deps.now() - inputs.length + index),
            updated_at: new Date(deps.now()),
          })),
        )
        .onConflict((conflict) => conflict.doNothing()) // another node may have added one since
        .returning(ROSTER_COLUMNS)
        .execute()
      const inserted = accepted.filter(({ id }) => rows.some((row) => row.id === id))
      const conflicting = accepted.filter((one) => !inserted.includes(one))
      const by = byHost(host, ip)
      for (const { input, id } of inserted)
        await audit(deps, tx, { ...by, action: 'user_created', target: id, after: auditFields(input) })
      const added = inserted.map(({ index, id, input }) => ({ index, id, user_id: input.user_id }))
      const conflicts = conflicting.map(({ index }) => ({ index, path: 'username', message: USERNAME_TAKEN.msg }))
      return { outcome: { added, failed: [...failed, ...conflicts] }, entries: rows, number }
    })
    const changes = outcome.added.flatMap(({ id }) => {
      const entry = entries.find((row) => row.id === id)
      return entry ? [{ type: 'upsert' as const, entry }] : []
    })
    await deps.rooms.commit(host.host_id, number, changes)
    return outcome
  })
}

/** Names that are in use in the room or further up in the list. */
async function findNameConflicts(db: Db | Tx, room: LiveRoom, inputs: AddRoomUser[]): Promise<ImportOutcome['failed']> {
  const { usernames, userIds } = await findTakenNames(db, room, inputs)
  return inputs.flatMap((input, index) => {
    const [username, userId] = [comparable(input.username), comparable(input.user_id)]
    const taken = usernames.has(username) ? USERNAME_TAKEN : userIds.has(userId) ? USER_ID_TAKEN : null
    if (taken) return [{ index, path: taken.path, message: taken.msg }]
    usernames.add(username)
    userIds.add(userId)
    return []
  })
}
