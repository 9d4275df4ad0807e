import type { Hearing } from '../../../../shared/phone-words.ts'
import type { QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomAct } from '../../../../shared/room-act.ts'
import type { DeactivationReason } from '../../../../shared/room-events.ts'
import type { SeatCommand } from '../../../../shared/seat.ts'
import type { TurnLimit } from '../../../../shared/turns.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import type { PhoneStatus } from './participant.ts'
import type { RoomWord } from './room-words.ts'
import type { RosterEntry } from './roster.ts'
import type { AppliedReport, SeatHolder } from './seat-state.ts'

/**
 * A change of a live room, as plain data. Each holds everything that its effect depends on, including the time, so that
 * the same changes in the same order lead to the same state and to the same events under the same ids.
 */
export type RoomChange =
  | { type: 'online'; id: string; at: number }
  | { type: 'offline'; users: { id: string; at: number }[] } // `at` is the last heartbeat
  | { type: 'asleep' | 'awake'; ids: string[] }
  | { type: 'last-seen'; users: { id: string; at: number }[] }
  | { type: 'status'; id: string; at: number; status: PhoneStatus }
  | { type: 'flush-voice' }
  | { type: 'acknowledge'; id: string; acks: string[] }
  | { type: 'flush-acks' }
  | { type: 'lower-hands'; ids: string[] }
  | { type: 'mute'; ids: string[]; is_muted: boolean; by: string; act?: RoomAct; at?: number } // without `act`: of no person
  | { type: 'mute-all'; active: boolean; except: string[]; act?: RoomAct; lock?: boolean } // unmuted users among `except` stay unmuted
  | { type: 'mute-all-lock'; is_on: boolean }
  | { type: 'turn-limit'; limit: TurnLimit }
  | { type: 'queue-order'; order: QueueOrder } // the former release shows the hands in its own order
  | { type: 'groups'; groups: UserGroup[] } // replaces them all; the former release has none
  | { type: 'word'; word: RoomWord } // replaces the one that stands there; the former release has no words
  | { type: 'word-over'; id: string } // taken back
  | { type: 'word-confirmed'; id: string; word: string; answer: Hearing | null } // null: read, and gone from the phone
  | { type: 'flush-words' }
  | { type: 'sign-out'; ids: string[]; reason: DeactivationReason; at: number }
  | { type: 'upsert'; entry: RosterEntry }
  | { type: 'remove'; id: string; at: number }
  | { type: 'muted-again'; id: string; at: number }
  | { type: 'phone-requests' } // the list of requests has changed
  | { type: 'meeting-runs'; is_running: boolean; sitting?: string | null } // may repeat the present state
  | { type: 'meeting'; meeting_id: string | null }
  | { type: 'in-meeting'; id: string; in_meeting: boolean }
  | { type: 'people-in-meeting'; ids: string[] } // replaces the whole set
  | { type: 'seat-taken'; holder: SeatHolder }
  | { type: 'seat-report'; report: AppliedReport; at: number; expires_at: number }
  | { type: 'seat-ended'; epoch: number; how: 'released' | 'lost'; at: number }
  | { type: 'seat-forgotten'; epoch: number } // whom a lost seat saw
  | { type: 'seat-command'; command: SeatCommand; at: number }
  | { type: 'seat-commands-failed'; ids: string[] }
  | { type: 'attendee-allowed'; key: string; is_allowed: boolean; id: string | null } // of the command that it settles
  | { type: 'attendee-linked'; key: string; user_id: string | null }
  | { type: 'attendee-name'; name: string; user_id: string | null } // a remembered name, folded
  | { type: 'committed'; number: number; changes: RoomChange[] } // by the transaction with this number
  | { type: 'catch-up'; base: number; number: number; changes: RoomChange[] } // from number `base` to `number`
