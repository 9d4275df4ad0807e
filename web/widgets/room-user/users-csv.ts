import { BYTE_ORDER_MARK, csvLine } from '../../../shared/csv.ts'
import type { RoomUser } from '../../../shared/room-users.ts'

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

/** The first columns are those that an import reads. Passwords are not exported. */
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
