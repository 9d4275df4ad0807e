import type { AssistantUser } from '../../../shared/auth.ts'
import { hostUserId } from '../../../shared/host-ids.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'

/** Assistants who have not been removed, of hosts that have not been deleted. */
function assistantRows(db: Db) {
  return db
    .selectFrom('assistants')
    .innerJoin('hosts', 'hosts.id', 'assistants.host_id')
    .innerJoin('rooms', 'rooms.host_id', 'assistants.host_id')
    .selectAll('assistants')
    .select(['hosts.username as host_name', 'hosts.numerical_id', 'rooms.name as room_name'])
    .where('assistants.removed_at', 'is', null)
    .where('hosts.deleted_at', 'is', null)
}

export type AssistantRow = Awaited<ReturnType<ReturnType<typeof assistantRows>['executeTakeFirstOrThrow']>>

/** Finds an assistant by NAME@HOSTNAME. A host's username may hold an @, the name of an assistant does not. */
export async function findAssistantByLoginName(db: Db, loginName: string): Promise<AssistantRow | undefined> {
  const key = normaliseForComparison(loginName)
  const at = key.indexOf('@')
  if (at === -1) return undefined
  return assistantRows(db)
    .where('hosts.username_key', '=', key.slice(at + 1))
    .where('assistants.name_key', '=', key.slice(0, at))
    .executeTakeFirst()
}

/** Finds the assistant of a session, which does not outlive it. */
export async function findAssistant(db: Db, id: string): Promise<AssistantRow> {
  const assistant = await assistantRows(db).where('assistants.id', '=', id).executeTakeFirst()
  if (!assistant) throw new AppError('not_signed_in', 'Please sign in again.')
  return assistant
}

export const loginNameOf = ({ name, host_name }: { name: string; host_name: string }) => `${name}@${host_name}`

export function assistantUser(row: AssistantRow): AssistantUser {
  const { id, name, role, host_id, numerical_id, host_name, room_name } = row
  const host = { id: host_id, user_id: hostUserId(numerical_id), username: host_name, room_name }
  return { id, name, username: loginNameOf(row), role, host }
}
