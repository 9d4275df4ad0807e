import { BYTE_ORDER_MARK, csvLine } from '../../shared/csv.ts'
import type { RoomUser } from '../../shared/room-users.ts'

const COLUMNS = [
  'user_id',
  'username',
  'reference',
  'status',
  'is_active',
  'is_online',
  'login_time',
  'last_seen',
  'platform',
  'device_model',
  'app_version',
] as const

/** Users as a file; its first columns are those that an import reads. Passwords are not in it. */
export function usersCsv(users: readonly RoomUser[]): string {
  const lines = users.map((user) =>
    csvLine(
      COLUMNS.map((column) => {
        const cell = user[column]
        return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : cell
      }),
    ),
  )
  return BYTE_ORDER_MARK + csvLine(COLUMNS) + lines.join('')
}
