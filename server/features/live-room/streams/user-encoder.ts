import type { Moderator } from '../../../../shared/moderators.ts'
import type { QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomAct } from '../../../../shared/room-act.ts'
import type { StandingWord } from '../../../../shared/room-words.ts'
import type { TurnLimit } from '../../../../shared/turns.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { type Participant, roomUserOf } from '../state/participant.ts'

/** An answer whose list of users is still to be filled in. */
export interface AnswerWithUsers {
  success: true
  data: { users: never[]; next_user_id?: string; groups?: readonly UserGroup[] }
  host_mute_all_active?: boolean
  floor_user_id?: string | null
  floor_since?: string | null
  turn_limit?: TurnLimit
  queue_order?: QueueOrder
  groups?: readonly UserGroup[]
  words?: readonly StandingWord[]
  last_act?: RoomAct | null
  moderators?: readonly Moderator[]
  out_of_step?: boolean
}

interface Encoded {
  state: Participant
  is_muted: boolean
  roomHasZoom: boolean
  json: Buffer
}

const COMMA = Buffer.from(',')

/**
 * Encodes polled lists of users. Only those who have changed since the last list are encoded anew: in a room of ten
 * thousand, a change of one would otherwise stop the server for a tenth of a second.
 */
export class UserEncoder {
  readonly #known = new WeakMap<Participant, Encoded>()

  /** Returns the answer as JSON, with these users. */
  encode(answer: AnswerWithUsers, participants: readonly Participant[], roomHasZoom: boolean): Buffer {
    const [before = '', after = ''] = JSON.stringify(answer).split('"users":[]', 2)
    const pieces: Buffer[] = [Buffer.from(`${before}"users":[`)]
    for (const participant of participants) {
      if (pieces.length > 1) pieces.push(COMMA)
      pieces.push(this.#encodeOne(participant, roomHasZoom))
    }
    pieces.push(Buffer.from(`]${after}`))
    return Buffer.concat(pieces)
  }

  #encodeOne(participant: Participant, roomHasZoom: boolean): Buffer {
    const known = this.#known.get(participant)
    if (known && known.roomHasZoom === roomHasZoom && isUnchanged(known, participant)) return known.json
    const json = unpooled(JSON.stringify(roomUserOf(participant, roomHasZoom)))
    const { is_muted } = participant.roster
    this.#known.set(participant, { state: { ...participant }, is_muted, roomHasZoom, json })
    return json
  }
}

/** `Buffer.from` would keep 64 KB of its pool for each user who has changed since the others. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** Compares everything that `roomUserOf` reads. A roster entry is replaced when it changes, but for `is_muted`. */
function isUnchanged({ state, is_muted }: Encoded, now: Participant): boolean {
  return (
    state.roster === now.roster &&
    is_muted === now.roster.is_muted &&
    state.is_online === now.is_online &&
    state.is_asleep === now.is_asleep &&
    state.is_speaking === now.is_speaking &&
    state.speaking_since === now.speaking_since &&
    state.speaker_on === now.speaker_on &&
    state.wants_to_speak === now.wants_to_speak &&
    state.wants_to_speak_at === now.wants_to_speak_at &&
    state.asked_to_speak === now.asked_to_speak &&
    state.audio === now.audio &&
    state.microphone === now.microphone &&
    state.zoom_code === now.zoom_code &&
    state.in_meeting === now.in_meeting &&
    state.spoken === now.spoken &&
    state.pending === now.pending
  )
}
