import { audit, byHost } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { SignedInHost } from '../auth/guards.ts'
import { hostUserId } from '../hosts/hosts.ts'
import { passwordAad } from './room-users.ts'

/** The only call that decrypts a stored password; each use is audited. */
export async function revealCredentials(deps: Deps, host: SignedInHost, id: string, ip: string) {
  return deps.db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('room_users')
      .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
      .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
      .select(['room_users.user_id', 'room_users.username', 'room_users.password_ciphertext', 'hosts.numerical_id'])
      .where('room_users.id', '=', id)
      .where('hosts.id', '=', host.host_id)
      .executeTakeFirst()
    if (!user) throw new AppError('not_found', 'User not found')
    await audit(deps, tx, { ...byHost(host, ip), action: 'user_credentials_revealed', target: id })
    const { user_id, username } = user
    const password = deps.secrets.decrypt(user.password_ciphertext, passwordAad(id))
    return { host_id: hostUserId(user.numerical_id), user_id, username, password }
  })
}
