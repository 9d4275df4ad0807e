import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hostUserId } from '../../../shared/host-ids.ts'
import { INVISIBLE_PATTERN, normaliseForComparison, visibleForm } from '../../../shared/normalise.ts'
import { isNameAsPassword, NAME_IS_PASSWORD } from '../../../shared/password-rule.ts'
import { type AddRoomUser, EditedRoomUserFields, type EditRoomUser, type RoomUser } from '../../../shared/room-users.ts'
import { groupDigits } from '../../../shared/too-long-message.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { diffFields } from '../../db/diff-fields.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'
import { namesForAudit } from '../audit/listed-users.ts'
import { passwordAad } from '../auth/user-password.ts'
import { nameTaken } from '../hosts/name-taken.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { listUserGroups, ROSTER_COLUMNS } from '../live-room/state/roster.ts'
import { voidPendingSignIns } from '../phones/void-pending-sign-ins.ts'
import { chosenGroups } from '../user-groups/chosen-groups.ts'

export const USER_ID_TAKEN = { path: 'user_id', msg: 'This User ID is already in use' }
export const USERNAME_TAKEN = { path: 'username', msg: 'This username is already in use' }
const NAMES = {
  room_users_room_id_user_id_key_key: USER_ID_TAKEN,
  room_users_room_id_username_key_key: USERNAME_TAKEN,
}

/** The limit of a room, because lists are polled whole and kept in memory. */
export const ROOM_USERS_MAX = 10_000
export const ROOM_IS_FULL = `A room has at most ${groupDigits(ROOM_USERS_MAX)} users. Please delete some first.`

/** Call after `nextChangeNumber`, because another server's new users may not have arrived here yet. */
export async function remainingCapacity(tx: Tx, room_id: string): Promise<number> {
  const { count } = await tx
    .selectFrom('room_users')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('room_id', '=', room_id)
    .executeTakeFirstOrThrow()
  return ROOM_USERS_MAX - count
}

/** Creates a user, who starts muted while the room is muted. */
export async function addRoomUser(deps: Deps, by: HostActor, input: AddRoomUser): Promise<RoomUser> {
  await requireFreeUserNames(deps.db, await deps.rooms.get(by.host_id), input)
  const password_hash = await deps.passwords.hashNew(input.password, by.id)
  return deps.rooms.withRoomLock(by.host_id, async () => {
    const room = await deps.rooms.get(by.host_id)
    const id = randomUUID()
    const { entry, number } = await deps.db
      .transaction()
      .execute(async (tx) => {
        await lockHostShared(tx, by.host_id)
        const { change_number, host_mute_all_active, mute_round } = await nextChangeNumber(tx, by.host_id)
        await requireFreeUserNames(tx, room, input)
        if ((await remainingCapacity(tx, room.id)) < 1) throw new AppError('conflict', ROOM_IS_FULL)
        const groups = chosenGroups(await listUserGroups(tx, room.id), input.group_ids ?? [])
        const created = await tx
          .insertInto('room_users')
          .values({
            id,
            room_id: room.id,
            ...nameColumns(input),
            group_ids: groups.map((group) => group.id),
            password_hash,
            password_ciphertext: deps.secrets.encrypt(input.password, passwordAad(id)),
            is_muted: host_mute_all_active,
            mute_round,
            created_at: new Date(deps.now()),
            updated_at: new Date(deps.now()),
          })
          .returning(ROSTER_COLUMNS)
          .executeTakeFirstOrThrow()
        const change = namesForAudit(deps, by.host_id, { after: { ...auditFields(input), ...groupsForAudit(groups) } })
        await audit(deps, tx, by, { action: 'user_created', target: id, ...change })
        return { entry: created, number: change_number }
      })
      .catch((error: unknown) => {
        throw nameTaken(error, NAMES)
      })
    await deps.rooms.commit(by.host_id, number, [{ type: 'upsert', entry }])
    return orNotFound(room.user(id))
  })
}

/** Checks only the names that an edit changes; a user keeps others from before these rules. */
function requireNewNames(names: object): void {
  const { error } = EditedRoomUserFields.safeParse(names)
  if (!error) return
  const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), msg: message }))
  throw new AppError('invalid_input', errors[0]?.msg ?? 'Invalid input', { errors })
}

/** If two consoles edit the same user, only the first one can save. */
function requireSeen(stored: Required<NonNullable<EditRoomUser['expect']>>, seen: EditRoomUser['expect']): void {
  if (!seen) return
  const { username, user_id, reference, group_ids } = stored
  const hasSeenGroups = seen.group_ids === undefined || isSameSet(group_ids, seen.group_ids)
  if (username === seen.username && user_id === seen.user_id && reference === seen.reference && hasSeenGroups) return
  throw new AppError(
    'state_changed',
    'This user has been changed in the meantime. Check what is new before you save again.',
  )
}

/** Keeps the password if it is blank; a new one signs the user's phone out. */
export async function editRoomUser(deps: Deps, by: HostActor, id: string, input: EditRoomUser): Promise<RoomUser> {
  const { password } = input
  await requireFreeUserNames(deps.db, await deps.rooms.get(by.host_id), input, id)
  const password_hash = password ? await deps.passwords.hashNew(password, by.id) : null
  return deps.rooms.withRoomLock(by.host_id, async () => {
    const room = await deps.rooms.get(by.host_id)
    const { entry, ended, voided, number } = await deps.db
      .transaction()
      .execute(async (tx) => {
        await lockHostShared(tx, by.host_id)
        const { change_number } = await nextChangeNumber(tx, by.host_id)
        const stored = await tx
          .selectFrom('room_users')
          .select(['user_id', 'username', 'reference', 'group_ids', 'password_ciphertext'])
          .where('id', '=', id)
          .where('room_id', '=', room.id)
          .forUpdate()
          .executeTakeFirst()
        if (!stored) throw new AppError('not_found', 'User not found')
        requireSeen(stored, input.expect)
        const { password_ciphertext, group_ids, ...before } = stored
        const groups = await listUserGroups(tx, room.id)
        const chosen = chosenGroups(groups, input.group_ids ?? group_ids)
        requireNewNames(diffFields(before, auditFields(input)).after)
        const currentPassword = password ? null : deps.secrets.decrypt(password_ciphertext, passwordAad(id))
        if (input.username !== before.username && isNameAsPassword(input.username, currentPassword))
          throw invalidField('username', NAME_IS_PASSWORD)
        await requireFreeUserNames(tx, room, input, id)
        const edited = await tx
          .updateTable('room_users')
          .set({
            ...nameColumns(input),
            ...(input.group_ids && { group_ids: chosen.map((group) => group.id) }),
            ...(password &&
              password_hash && {
                password_hash,
                password_ciphertext: deps.secrets.encrypt(password, passwordAad(id)),
              }),
            updated_at: new Date(deps.now()),
          })
          .where('id', '=', id)
          .where('room_id', '=', room.id)
          .returning(ROSTER_COLUMNS)
          .executeTakeFirstOrThrow()
        const signedOut = password_hash
          ? await deps.sessions.endRows(tx, { room_user_ids: [id] }, 'password_changed')
          : []
        const requests = password_hash ? await voidPendingSignIns(tx, [id]) : []
        const after = { ...auditFields(input), ...groupsForAudit(chosen), password: password ? true : undefined }
        const seen = { ...before, ...groupsForAudit(chosenGroups(groups, group_ids)) }
        const change = namesForAudit(deps, by.host_id, diffFields(seen, after))
        await audit(deps, tx, by, { action: 'user_edited', target: id, ...change })
        return { entry: edited, ended: signedOut, voided: requests, number: change_number }
      })
      .catch((error: unknown) => {
        throw nameTaken(error, NAMES)
      })
    const signOut = {
      type: 'sign-out' as const,
      ids: ended.length > 0 ? [id] : [],
      reason: 'password_changed' as const,
      at: deps.now(),
    }
    await deps.rooms.commit(by.host_id, number, [{ type: 'upsert', entry }, signOut, ...voided])
    deps.sessions.forget(ended, 'password_changed')
    return orNotFound(room.user(id))
  })
}

/** Reports all name conflicts; the unique constraints, which guard against races, would report only the first. */
async function requireFreeUserNames(db: Db | Tx, room: LiveRoom, names: EditRoomUser, ownId?: string): Promise<void> {
  const taken = await findTakenNames(db, room, [names], ownId)
  const errors = [
    ...(taken.usernames.has(visibleForm(normaliseForComparison(names.username))) ? [USERNAME_TAKEN] : []),
    ...(taken.userIds.has(visibleForm(normaliseForComparison(names.user_id))) ? [USER_ID_TAKEN] : []),
  ]
  const [first] = errors
  if (first) throw new AppError('conflict', first.msg, { errors })
}

/**
 * Finds the names that others in the room have, or that resemble theirs on screen, and the host's own name: a phone
 * that signs in by it is the host's. A user keeps a name that resembled another one before this was refused.
 */
export async function findTakenNames(
  db: Db | Tx,
  { id, hostId }: LiveRoom,
  names: Pick<EditRoomUser, 'username' | 'user_id'>[],
  ownId?: string,
): Promise<{ usernames: Set<string>; userIds: Set<string> }> {
  const usernames = names.map(({ username }) => normaliseForComparison(username))
  const userIds = names.map(({ user_id }) => normaliseForComparison(user_id))
  const rows = await db
    .selectFrom('room_users')
    .select(['id', 'username_key', 'user_id_key'])
    .where('room_id', '=', id)
    .where((eb) =>
      eb.or([
        eb('username_key', 'in', [...usernames, ...usernames.map(visibleForm)]),
        eb('user_id_key', 'in', [...userIds, ...userIds.map(visibleForm)]),
        eb('username_key', '~', INVISIBLE_PATTERN),
        eb('user_id_key', '~', INVISIBLE_PATTERN),
      ]),
    )
    .execute()
  const edited = rows.find((row) => row.id === ownId)
  const others = rows.filter((row) => row.id !== ownId)
  const takenKeys = (column: 'username_key' | 'user_id_key', wanted: string[]) =>
    edited && wanted.includes(edited[column]) ? [] : others.map((row) => visibleForm(row[column]))
  return {
    usernames: new Set([await hostNameKey(db, hostId), ...takenKeys('username_key', usernames)]),
    userIds: new Set(takenKeys('user_id_key', userIds)),
  }
}

async function hostNameKey(db: Db | Tx, host_id: string): Promise<string> {
  const host = await db.selectFrom('hosts').select('numerical_id').where('id', '=', host_id).executeTakeFirstOrThrow()
  return normaliseForComparison(hostUserId(host.numerical_id))
}

export function nameColumns({ user_id, username, reference }: EditRoomUser) {
  return {
    user_id,
    user_id_key: normaliseForComparison(user_id),
    username,
    username_key: normaliseForComparison(username),
    ...(reference !== undefined && { reference: reference || null }),
  }
}

export function auditFields({ user_id, username, reference }: EditRoomUser) {
  return { user_id, username, reference: reference === undefined ? undefined : reference || null }
}

/** Lists the names, since a group may be renamed or deleted later. */
function groupsForAudit(groups: readonly UserGroup[]) {
  return { groups: groups.length > 0 ? groups.map(({ name }) => name).join('; ') : undefined }
}

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  new Set(one).symmetricDifference(new Set(other)).size === 0

function orNotFound(user: RoomUser | null): RoomUser {
  if (!user) throw new AppError('not_found', 'User not found')
  return user
}
