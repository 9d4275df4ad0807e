import type { RoomAct } from '../../../shared/room-act.ts'
import type { SeenQueue } from '../../../shared/room-users.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { writePlanned } from './planned-change.ts'
import { recordAct } from './room-acts.ts'
import { writeMute } from './turns.ts'

/** Another server may commit a change of the room between this server's read of the queue and its lock. */
const ATTEMPTS = 5

type Turn = { speaker: string; muted: string | null }

/** Gives the floor to the first in the queue and mutes the previous speaker: both or neither. */
export async function letNextSpeak(deps: Deps, by: HostActor, seen?: SeenQueue) {
  return deps.rooms.withRoomLock(by.host_id, async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const room = await deps.rooms.getFresh(by.host_id)
      const read = room.changeNumber
      const turn = nextTurn(room, seen)
      const written = await writeTurn(deps, by, turn, read)
      if (written === null) continue
      const { number, act } = written
      const counted = room.deliveryTo([turn.speaker, ...(turn.muted ? [turn.muted] : [])])
      await deps.rooms.commit(by.host_id, number, [
        ...(turn.muted ? [{ type: 'mute' as const, ids: [turn.muted], is_muted: true, by: by.acts_as, act }] : []),
        { type: 'mute', ids: [turn.speaker], is_muted: false, by: by.acts_as, act },
      ])
      deps.metrics.commands.inc({ action: 'next-speaker' })
      return { ...turn, ...(await counted) }
    }
    throw new AppError('busy', 'The room is busy. Please try again.')
  })
}

/** Throws if the queue differs from what the host saw: the click was meant for the displayed person. */
function nextTurn(room: LiveRoom, seen: SeenQueue | undefined): Turn {
  const { floorId } = room
  const hands = room.hands()
  const hand = seen ? hands.find(({ id }) => id === seen.next) : hands[0]
  if (seen && seen.floor_user_id !== floorId) {
    const name = floorId === null ? null : room.user(floorId)?.username
    throw new AppError(
      'state_changed',
      name ? `${name} has been let speak already.` : 'The speaker has been muted already.',
    )
  }
  const seenAt = seen?.wants_to_speak_at ? Date.parse(seen.wants_to_speak_at) : null
  if (!hand || (seenAt !== null && seenAt !== hand.wants_to_speak_at))
    throw new AppError('state_changed', seen ? 'The queue has changed in the meantime.' : 'No one wants to speak.')
  return { speaker: hand.id, muted: floorId === hand.id ? null : floorId }
}

/** Returns null if the room has changed since the number `read`. */
async function writeTurn(
  deps: Deps,
  by: HostActor,
  { speaker, muted }: Turn,
  read: number,
): Promise<{ number: number; act: RoomAct } | null> {
  return writePlanned(deps.db, by.host_id, read, async (tx, { id, change_number, mute_round }) => {
    for (const [user, is_muted] of [
      [muted, true],
      [speaker, false],
    ] as const) {
      if (user === null) continue
      await writeMute(deps, tx, { room_id: id, user, is_muted, mute_round })
      await audit(deps, tx, by, {
        action: is_muted ? 'user_mute' : 'user_unmute',
        target: user,
        before: { is_muted: !is_muted },
        after: { is_muted },
      })
    }
    const act = await recordAct(deps, tx, by, { action: 'user_unmute', number: change_number })
    return { number: change_number, act }
  })
}
