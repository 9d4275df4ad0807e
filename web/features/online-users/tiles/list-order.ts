import type { RoomUser } from '../../../../shared/room-users.ts'
import { type TileState, tileState } from './tile-state.ts'

export const SORTED_COLUMNS = ['name', 'user_id', 'reference', 'state', 'since', 'phone'] as const
export type SortedColumn = (typeof SORTED_COLUMNS)[number]
/** Null is the order of the tiles. */
export type ListOrder = { column: SortedColumn | 'spoken'; isDescending: boolean } | null

const byText = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
/** States that need attention come first. */
const STATE_ORDER: TileState[] = ['speaking', 'wants-to-speak', 'speaker-on', 'listening', 'muted']

/** Returns since when the user has spoken or waited, else when the phone signed in. */
export function sinceOf(user: RoomUser): string | null {
  if (user.is_speaking) return user.speaking_since
  return user.wants_to_speak ? user.wants_to_speak_at : user.login_time
}

export function phoneOf({ device_model, platform }: RoomUser): string {
  return device_model ?? platform ?? ''
}

const compare: Record<SortedColumn | 'spoken', (one: RoomUser, other: RoomUser) => number> = {
  name: (one, other) => byText.compare(one.username, other.username),
  user_id: (one, other) => byText.compare(one.user_id, other.user_id),
  reference: (one, other) => emptyLast(one.reference ?? '', other.reference ?? ''),
  state: (one, other) => STATE_ORDER.indexOf(tileState(one)) - STATE_ORDER.indexOf(tileState(other)),
  since: (one, other) => Date.parse(sinceOf(one) ?? '9999-01-01') - Date.parse(sinceOf(other) ?? '9999-01-01'),
  spoken: (one, other) => one.spoken_ms - other.spoken_ms,
  phone: (one, other) => emptyLast(phoneOf(one), phoneOf(other)),
}

function emptyLast(one: string, other: string): number {
  return Number(one === '') - Number(other === '') || byText.compare(one, other)
}

/** Equal users keep the order of the tiles. */
export function sortUsers(users: readonly RoomUser[], order: ListOrder): readonly RoomUser[] {
  if (!order) return users
  const sign = order.isDescending ? -1 : 1
  return users.toSorted((one, other) => sign * compare[order.column](one, other))
}

/** Cycles through ascending, descending, and the order of the tiles. */
export function nextOrder(order: ListOrder, column: SortedColumn): ListOrder {
  if (order?.column !== column) return { column, isDescending: false }
  return order.isDescending ? null : { column, isDescending: true }
}
