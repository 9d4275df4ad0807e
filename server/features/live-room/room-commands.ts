import type { z } from 'zod'
import type { LiveState, MobileStatus } from '../../../shared/mobile.ts'
import type { Hearing, PhoneWords } from '../../../shared/phone-words.ts'
import type { DeactivationReason } from '../../../shared/room-events.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Presence } from './presence.ts'
import type { RoomLog } from './replication/room-log.ts'
import { buildReconcilingChange } from './state/differences.ts'
import { isMutedAgainNoticeDue } from './state/participant.ts'
import type { RoomChange } from './state/room-change.ts'
import type { RoomState } from './state/room-state.ts'
import type { StoredRoom } from './state/roster.ts'

/** An attempt fails if another change comes first; the next sweep continues. */
const RECONCILE_ATTEMPTS = 10

/** Changes a live room. Writes nothing to the database: commit there first, then apply the change here. */
export class RoomCommands {
  readonly #log: RoomLog
  readonly #presence: Presence
  readonly #room: () => RoomState
  readonly #now: Clock

  constructor(log: RoomLog, presence: Presence, room: () => RoomState, now: Clock) {
    this.#log = log
    this.#presence = presence
    this.#room = room
    this.#now = now
  }

  /** Applies a phone's status call. */
  async applyStatusCall(id: string, body: z.output<typeof MobileStatus>): Promise<LiveState | null> {
    const participant = this.#room().participants.get(id)
    if (!participant) return null
    const { acks = [], muted_again = false, left = false, rejoined = false, ...report } = body ?? {}
    if (left) await this.leave(id)
    else await this.#presence.report(participant, report, rejoined)
    const at = this.#now()
    if (muted_again && isMutedAgainNoticeDue(participant, at)) await this.#log.append({ type: 'muted-again', id, at })
    const ack = this.#room().settlingAck(participant, acks)
    if (ack !== null) await this.#log.append({ type: 'acknowledge', id, acks: [ack] })
    return this.#room().liveStateOf(participant)
  }

  /**
   * Applies a phone's confirmation of a word, and returns the words that it then shows. Returns null if the word no
   * longer stands for this user.
   */
  async confirmWord(id: string, word: string, answer: Hearing | null): Promise<PhoneWords | null> {
    if (!this.#room().words.findFor(id, word)) return null
    if (this.#room().words.awaits(id, word, answer))
      await this.#log.append({ type: 'word-confirmed', id, word, answer })
    return this.#room().words.forPhone(id)
  }

  /** Call before a phone's stream opens: a command at another server right after then counts it as reachable. */
  async announceStream(userId: string): Promise<void> {
    await this.#log.announceStream(userId)
  }

  /** Applies a committed transaction. If an earlier number is missing, it waits for that one. */
  async commit(number: number, changes: RoomChange[]): Promise<void> {
    await this.#log.append({ type: 'committed', number, changes })
  }

  /** Makes the room match the database, unless it has applied newer commits since the read. */
  async reconcile(stored: StoredRoom): Promise<void> {
    for (let attempt = 0; attempt < RECONCILE_ATTEMPTS && this.#room().changeNumber < stored.changeNumber; attempt++)
      await this.#log.append(buildReconcilingChange(this.#room(), stored, this.#now()))
  }

  async lowerHands(ids: string[]): Promise<void> {
    await this.#log.append({ type: 'lower-hands', ids })
  }

  /** Publishes to phones that they are signed out. The caller then ends their sessions. */
  async signOut(ids: string[], reason: DeactivationReason): Promise<void> {
    await this.#log.append({ type: 'sign-out', ids, reason, at: this.#now() })
  }

  /** Call when a phone has signed itself out or reported that it leaves. */
  async leave(id: string): Promise<void> {
    this.#presence.left(id)
    await this.#log.append({ type: 'offline', users: [{ id, at: this.#now() }] })
  }

  /** Notifies the phones, some of which may wait for the meeting. `sitting` is Zoom's id of the one that runs. */
  async announceMeeting(sitting: string | null): Promise<void> {
    await this.#log.append({ type: 'meeting-runs', is_running: sitting !== null, sitting })
  }

  /** Applies Zoom's report that a user joined or left the meeting itself. */
  async setInMeeting(id: string, in_meeting: boolean): Promise<void> {
    if (this.#room().participants.get(id)?.in_meeting === in_meeting) return
    await this.#log.append({ type: 'in-meeting', id, in_meeting })
    if (!in_meeting) await this.#presence.closeMicrophones([id])
  }

  async setPeopleInMeeting(ids: ReadonlySet<string>): Promise<void> {
    const changed = [...this.#room().participants.all()].filter((one) => one.in_meeting !== ids.has(one.roster.id))
    if (changed.length === 0) return
    const left = changed.flatMap(({ in_meeting, roster }) => (in_meeting ? [roster.id] : []))
    await this.#log.append({ type: 'people-in-meeting', ids: [...ids] })
    await this.#presence.closeMicrophones(left)
  }
}
