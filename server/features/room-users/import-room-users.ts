import { randomUUID } from 'node:crypto'
import { comparable } from '../../../shared/normalise.ts'
import type { AddRoomUser, ImportOutcome } from '../../../shared/room-users.ts'
import { audit, byHost } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import type { SignedInHost } from '../auth/guards.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { ROSTER_COLUMNS } from '../live-room/stored-room.ts'
import {
  freePlaces,
  namesOf,
  passwordAad,
  ROOM_IS_FULL,
  shownOf,
  takenNames,
  USER_ID_TAKEN,
  USERNAME_TAKEN,
} from './add-room-user.ts'

/** Adds users in one transaction, in their order. Whose name is taken is reported, and the others are added. */
export async function importRoomUsers(
  deps: Deps,
  host: SignedInHost,
  inputs: AddRoomUser[],
  ip: string,
): Promise<ImportOutcome> {
  const taken = await findTaken(deps.db, await deps.rooms.of(host.host_id), inputs)
  const isTaken = (index: number) => taken.some((one) => one.index === index)
  deps.passwords.count(host.host_id, inputs.length - taken.length)
  const hashes = await Promise.all(
    inputs.map(({ password }, index) => (isTaken(index) ? null : deps.passwords.hash(password, host.host_id))),
  )

  return deps.rooms.withRoomLock(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    const { outcome, entries } = await deps.db.transaction().execute(async (tx) => {
      const takenMeanwhile = await findTaken(tx, room, inputs)
      const refused = inputs.flatMap(
        (_input, at) => [...takenMeanwhile, ...taken].find(({ index }) => index === at) ?? [],
      )
      const addable = inputs.flatMap((input, index) => {
        const password_hash = hashes[index]
        if (!password_hash || refused.some((one) => one.index === index)) return []
        return [{ index, input, id: randomUUID(), password_hash }]
      })
      const wanted = addable.slice(0, freePlaces(room))
      const beyond = addable.slice(wanted.length)
      const failed = [...refused, ...beyond.map(({ index }) => ({ index, path: 'username', message: ROOM_IS_FULL }))]
      if (wanted.length === 0) return { outcome: { added: [], failed }, entries: [] }
      const rows = await tx
        .insertInto('room_users')
        .values(
          wanted.map(({ index, input, id, password_hash }) => ({
            id,
            room_id: room.id,
            ...namesOf(input),
            password_hash,
            password_ciphertext: deps.secrets.encrypt(input.password, passwordAad(id)),
            is_muted: room.hostMuteAll,
            // A millisecond apart: lists are in the order of making.
            created_at: new Date(deps.now() - inputs.length + index),
            updated_at: new Date(deps.now()),
          })),
        )
        .onConflict((conflict) => conflict.doNothing()) // another node was quicker
        .returning(ROSTER_COLUMNS)
        .execute()
      const made = wanted.filter(({ id }) => rows.some((row) => row.id === id))
      const late = wanted.filter((one) => !made.includes(one))
      const by = byHost(host, ip)
      for (const { input, id } of made)
        await audit(deps, tx, { ...by, action: 'user_created', target: id, after: shownOf(input) })
      const added = made.map(({ index, id, input }) => ({ index, id, user_id: input.user_id }))
      const lost = late.map(({ index }) => ({ index, path: 'username', message: USERNAME_TAKEN.msg }))
      return { outcome: { added, failed: [...failed, ...lost] }, entries: rows }
    })
    for (const { id } of outcome.added) {
      const entry = entries.find((row) => row.id === id)
      if (entry) await room.upsert(entry)
    }
    return outcome
  })
}

/** Whose name is in use in the room, or by one further up in the list. */
async function findTaken(db: Db | Tx, room: LiveRoom, inputs: AddRoomUser[]): Promise<ImportOutcome['failed']> {
  const { usernames, userIds } = await takenNames(db, room, inputs)
  return inputs.flatMap((input, index) => {
    const [username, userId] = [comparable(input.username), comparable(input.user_id)]
    const taken = usernames.has(username) ? USERNAME_TAKEN : userIds.has(userId) ? USER_ID_TAKEN : null
    if (taken) return [{ index, path: taken.path, message: taken.msg }]
    usernames.add(username)
    userIds.add(userId)
    return []
  })
}
