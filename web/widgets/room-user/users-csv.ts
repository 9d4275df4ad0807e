import { BYTE_ORDER_MARK, csvLine } from '../../../shared/csv.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { GROUP_SEPARATOR, type UserGroup } from '../../../shared/user-groups.ts'

const COLUMNS = [
  'user_id',
  'username',
  'reference',
  'groups',
  'status',
  'is_active',
  'is_online',
  'login_time',
  'last_seen',
  'platform',
  'device_model',
  'app_version',
] as const

/** The first columns are those that an import reads. Passwords are not exported. */
export function usersCsv(users: readonly RoomUser[], groups: readonly UserGroup[]): string {
  const lines = users.map((user) =>
    csvLine(
      COLUMNS.map((column) => {
        if (column === 'groups') return namesIn(user, groups)
        const cell = user[column]
        return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : cell
      }),
    ),
  )
  return BYTE_ORDER_MARK + csvLine(COLUMNS) + lines.join('')
}

function namesIn({ group_ids }: RoomUser, groups: readonly UserGroup[]): string {
  const own = groups.filter(({ id }) => group_ids.includes(id))
  return own.map(({ name }) => name).join(`${GROUP_SEPARATOR} `)
}
