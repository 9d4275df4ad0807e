import { hostUserId } from '../../../shared/host-ids.ts'
import type { CredentialsOfMany } from '../../../shared/room-users.ts'
import type { HostActor } from '../../db/actor.ts'
import { anyOf } from '../../db/any-of.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { isUuid } from '../../lib/uuid.ts'
import { passwordAad } from '../auth/user-password.ts'

/** Audits each use. */
export async function revealCredentials(deps: Deps, by: HostActor, id: string, purpose: string | undefined) {
  return deps.db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('room_users')
      .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
      .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
      .select(['room_users.user_id', 'room_users.username', 'room_users.password_ciphertext', 'hosts.numerical_id'])
      .where('room_users.id', '=', id)
      .where('hosts.id', '=', by.host_id)
      .executeTakeFirst()
    if (!user) throw new AppError('not_found', 'User not found')
    await audit(deps, tx, by, { action: 'user_credentials_revealed', target: id, ...after(purpose) })
    const { user_id, username } = user
    const password = deps.secrets.decrypt(user.password_ciphertext, passwordAad(id))
    return { host_id: hostUserId(user.numerical_id), user_id, username, password }
  })
}

/**
 * Returns cards to hand out. `ids` are distinct and in lower case; those of other rooms are reported as not found. One
 * audit entry lists all users.
 */
export async function revealCredentialsOfMany(
  deps: Deps,
  by: HostActor,
  { ids, purpose }: { ids: readonly string[]; purpose: string | undefined },
): Promise<CredentialsOfMany> {
  return deps.db.transaction().execute(async (tx) => {
    const room = await tx
      .selectFrom('hosts')
      .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
      .leftJoin('app_info', 'app_info.host_id', 'hosts.id')
      .select(['rooms.id', 'rooms.name', 'hosts.numerical_id', 'app_info.user_title'])
      .where('hosts.id', '=', by.host_id)
      .executeTakeFirstOrThrow()
    const rows = await tx
      .selectFrom('room_users')
      .select(['id', 'user_id', 'username', 'password_ciphertext'])
      .where('room_id', '=', room.id)
      .where('id', '=', anyOf(ids.filter(isUuid)))
      .execute()
    const users = new Map(rows.map((row) => [row.id, row]))
    const found = ids.flatMap((id) => users.get(id) ?? [])
    const [only] = found
    if (only) {
      const whose = found.length === 1 ? { target: only.id } : { before: { users: found.map(({ id }) => ({ id })) } }
      await audit(deps, tx, by, { action: 'user_credentials_revealed', ...whose, ...after(purpose) })
    }
    return {
      host_id: hostUserId(room.numerical_id),
      room_name: room.name,
      app_title: room.user_title || null,
      credentials: found.map(({ id, user_id, username, password_ciphertext }) => ({
        ...{ id, user_id, username },
        password: deps.secrets.decrypt(password_ciphertext, passwordAad(id)),
      })),
      failed: ids.filter((id) => !users.has(id)).map((id) => ({ id, code: 'not_found', message: 'User not found' })),
    }
  })
}

const after = (purpose: string | undefined) => (purpose ? { after: { purpose } } : {})
