import { randomUUID } from 'node:crypto'
import { comparable } from '../../shared/normalise.ts'
import type { AddRoomUser, ImportOutcome } from '../../shared/room-users.ts'
import { audit } from '../audit/audit.ts'
import type { SignedInHost } from '../auth/guards.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Tx } from '../db.ts'
import type { Deps } from '../deps.ts'
import type { LiveRoom } from '../room-events/live-room.ts'
import { ROSTER_COLUMNS } from '../room-events/live-rooms.ts'
import { byHost, hostNameKey, namesOf, passwordPlace, shownOf, USER_ID_TAKEN, USERNAME_TAKEN } from './add-room-user.ts'

/** Adds users in one transaction, in their order. Whose name is taken is reported, and the others are added. */
export async function importRoomUsers(
  deps: Deps,
  host: SignedInHost,
  inputs: AddRoomUser[],
  ip: string,
): Promise<ImportOutcome> {
  // One after the other, which leaves the machine's other cores to those who sign in meanwhile.
  const hashes: string[] = []
  for (const { password } of inputs) hashes.push(await hashPassword(password))

  return deps.rooms.exclusively(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    const { outcome, entries } = await deps.db.transaction().execute(async (tx) => {
      const failed = await takenNames(tx, room, inputs)
      const wanted = inputs.flatMap((input, index) =>
        failed.some((one) => one.index === index) ? [] : [{ index, input, id: randomUUID() }],
      )
      if (wanted.length === 0) return { outcome: { added: [], failed }, entries: [] }
      const rows = await tx
        .insertInto('room_users')
        .values(
          wanted.map(({ index, input, id }) => ({
            id,
            room_id: room.id,
            ...namesOf(input),
            password_hash: hashes[index] ?? '',
            password_ciphertext: deps.secrets.encrypt(input.password, passwordPlace(id)),
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
      if (entry) await room.put(entry)
    }
    return outcome
  })
}

/** Who has a name that is in use in the room, or by one further up in the list. */
async function takenNames(tx: Tx, room: LiveRoom, inputs: AddRoomUser[]): Promise<ImportOutcome['failed']> {
  const keys = inputs.map(({ username, user_id }) => ({ username: comparable(username), user_id: comparable(user_id) }))
  const rows = await tx
    .selectFrom('room_users')
    .select(['username_key', 'user_id_key'])
    .where('room_id', '=', room.id)
    .where((eb) =>
      eb.or([
        eb(
          'username_key',
          'in',
          keys.map(({ username }) => username),
        ),
        eb(
          'user_id_key',
          'in',
          keys.map(({ user_id }) => user_id),
        ),
      ]),
    )
    .execute()
  const usernames = new Set([await hostNameKey(tx, room.hostId), ...rows.map((row) => row.username_key)])
  const userIds = new Set(rows.map((row) => row.user_id_key))
  return keys.flatMap(({ username, user_id }, index) => {
    const taken = usernames.has(username) ? USERNAME_TAKEN : userIds.has(user_id) ? USER_ID_TAKEN : null
    if (taken) return [{ index, path: taken.path, message: taken.msg }]
    usernames.add(username)
    userIds.add(user_id)
    return []
  })
}
