import { randomUUID } from 'node:crypto'
import type { Attendee } from '../../../shared/seat.ts'
import type { Deps } from '../../deps.ts'
import type { LiveRoom } from '../live-room/live-room.ts'

/** Zoom mutes one person a second: more of them are muted together, those too who may speak. */
const MOST_ONE_BY_ONE = 8

/**
 * Has the seat mute everybody in the Zoom meeting who may not speak. Call after a Mute All. Returns how many have an open
 * microphone, and null without a seat. Of those who are host or co-host nobody is muted one by one.
 */
export async function muteAllInZoom({ now }: Pick<Deps, 'now'>, { seat }: LiveRoom): Promise<number | null> {
  const { holder, view, list } = seat
  const isIn = view.state === 'in' || view.state === 'reconnecting'
  if (!holder || !isIn || view.powers === 'none') return null
  const open = list.attendees.filter(isOpen)
  const muted = open.filter((one) => !one.is_allowed)
  if (muted.length === 0) return 0
  const { seat_id } = holder
  if (muted.length === open.length || muted.length > MOST_ONE_BY_ONE) {
    await seat.command({ seat_id, id: randomUUID(), do: 'mute-all' }, now())
    return muted.length
  }
  const sounds = ({ key }: Attendee) => list.speaking.includes(key)
  for (const { key, zoom_user_id } of muted.toSorted((one, other) => Number(sounds(other)) - Number(sounds(one))))
    await seat.command({ seat_id, id: randomUUID(), do: 'mute', key, user_id: zoom_user_id }, now())
  return muted.length
}

const isOpen = ({ audio, muted, is_hold, is_self, is_host, is_co_host }: Attendee) =>
  audio !== '' && muted === false && !is_hold && !is_self && !is_host && !is_co_host
