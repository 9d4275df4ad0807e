import { randomUUID } from 'node:crypto'
import { comparable } from '../../shared/normalise.ts'
import type { AddRoomUser, EditRoomUser, RoomUser } from '../../shared/room-users.ts'
import { audit } from '../audit/audit.ts'
import { changed } from '../audit/changed.ts'
import type { SignedInHost } from '../auth/guards.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Db, Tx } from '../db.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { hostUserId } from '../hosts/hosts.ts'
import { nameTaken } from '../hosts/name-taken.ts'
import { ROSTER_COLUMNS } from '../room-events/live-rooms.ts'

export const USER_ID_TAKEN = { path: 'user_id', msg: 'This User ID is already in use' }
export const USERNAME_TAKEN = { path: 'username', msg: 'This username is already in use' }
const NAMES = {
  room_users_room_id_user_id_key_key: USER_ID_TAKEN,
  room_users_room_id_username_key_key: USERNAME_TAKEN,
}

/** Names the place of a stored password, so that its ciphertext opens nowhere else. */
export const passwordPlace = (id: string) => `room_users.password:${id}`

/** A user made while the room is muted begins muted. */
export async function addRoomUser(deps: Deps, host: SignedInHost, input: AddRoomUser, ip: string): Promise<RoomUser> {
  const password_hash = await hashPassword(input.password)
  return deps.rooms.exclusively(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    const id = randomUUID()
    await refuseHostName(deps, host, input)
    const entry = await deps.db
      .transaction()
      .execute(async (tx) => {
        const made = await tx
          .insertInto('room_users')
          .values({
            id,
            room_id: room.id,
            ...namesOf(input),
            password_hash,
            password_ciphertext: deps.secrets.encrypt(input.password, passwordPlace(id)),
            is_muted: room.hostMuteAll,
            created_at: new Date(deps.now()),
            updated_at: new Date(deps.now()),
          })
          .returning(ROSTER_COLUMNS)
          .executeTakeFirstOrThrow()
        await audit(deps, tx, { ...byHost(host, ip), action: 'user_created', target: id, after: shownOf(input) })
        return made
      })
      .catch((error: unknown) => {
        throw nameTaken(error, NAMES)
      })
    await room.put(entry)
    return known(room.user(id))
  })
}

/** A blank password keeps the current one; a new one signs the user's phone out. */
export async function editRoomUser(
  deps: Deps,
  host: SignedInHost,
  id: string,
  input: EditRoomUser,
  ip: string,
): Promise<RoomUser> {
  const { password } = input
  const password_hash = password ? await hashPassword(password) : null
  return deps.rooms.exclusively(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    await refuseHostName(deps, host, input)
    const { entry, ended } = await deps.db
      .transaction()
      .execute(async (tx) => {
        const before = await tx
          .selectFrom('room_users')
          .select(['user_id', 'username', 'reference'])
          .where('id', '=', id)
          .where('room_id', '=', room.id)
          .forUpdate()
          .executeTakeFirst()
        if (!before) throw new AppError('not_found', 'User not found')
        const edited = await tx
          .updateTable('room_users')
          .set({
            ...namesOf(input),
            ...(password &&
              password_hash && {
                password_hash,
                password_ciphertext: deps.secrets.encrypt(password, passwordPlace(id)),
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
        const after = { ...shownOf(input), password: password ? true : undefined }
        const change = changed(before, after)
        await audit(deps, tx, { ...byHost(host, ip), action: 'user_edited', target: id, ...change })
        return { entry: edited, ended: signedOut }
      })
      .catch((error: unknown) => {
        throw nameTaken(error, NAMES)
      })
    await room.put(entry)
    if (ended.length > 0) await room.signOut([id], 'logout')
    deps.sessions.dropped(ended, 'password_changed')
    return known(room.user(id))
  })
}

/** Whoever signs in by the room's Host ID is taken for the host, so that no user can be named so. */
async function refuseHostName(deps: Deps, host: SignedInHost, { username }: EditRoomUser): Promise<void> {
  if (comparable(username) === (await hostNameKey(deps.db, host.host_id)))
    throw new AppError('conflict', USERNAME_TAKEN.msg, { errors: [USERNAME_TAKEN] })
}

/** As names are compared: what the host's own phone signs in by. */
export async function hostNameKey(db: Db | Tx, host_id: string): Promise<string> {
  const host = await db.selectFrom('hosts').select('numerical_id').where('id', '=', host_id).executeTakeFirstOrThrow()
  return comparable(hostUserId(host.numerical_id))
}

export function namesOf({ user_id, username, reference }: EditRoomUser) {
  return {
    user_id,
    user_id_key: comparable(user_id),
    username,
    username_key: comparable(username),
    ...(reference !== undefined && { reference: reference || null }),
  }
}

export function shownOf({ user_id, username, reference }: EditRoomUser) {
  return { user_id, username, reference: reference === undefined ? undefined : reference || null }
}

export function byHost(host: SignedInHost, ip: string) {
  return { actor_role: 'host' as const, actor_id: host.host_id, host_id: host.host_id, ip }
}

function known(user: RoomUser | null): RoomUser {
  if (!user) throw new AppError('not_found', 'User not found')
  return user
}
