import type { DeactivationReason } from '../../../shared/room-events.ts'
import {
  clearVoice,
  hear,
  lowerHand,
  newParticipant,
  type Participant,
  type RosterEntry,
  setStreams,
} from './participant.ts'
import type { RoomChange, Said, SharedRoom } from './room-change.ts'
import { acknowledge, type EventSayer, muteAll, muteEach } from './room-commands.ts'
import { isUntold, presence, tellSpeaker, tellVoice } from './state-events.ts'

export interface Moves {
  arrived: RosterEntry[]
  left: RosterEntry[]
}

/**
 * Who is in a room and what they may do, and what each change makes of that. It knows no clock and no chance, so that
 * the same changes make the same state everywhere.
 */
export class RoomState {
  readonly id: string
  hostMuteAll: boolean
  meetingId: string | null
  /** Counts the changes of what the lists show. */
  version: number
  readonly participants = new Map<string, Participant>()
  readonly #events: EventSayer
  #users: readonly Participant[] | null = null
  readonly #untold = new Set<Participant>()
  readonly #acknowledged = new Set<Participant>()

  constructor(events: EventSayer, begin: SharedRoom) {
    this.id = begin.id
    this.#events = events
    this.hostMuteAll = begin.hostMuteAll
    this.meetingId = begin.meetingId
    this.version = begin.version
    for (const participant of begin.participants) {
      this.participants.set(participant.roster.id, participant)
      if (isUntold(participant)) this.#untold.add(participant)
      if (participant.hasAcknowledged) this.#acknowledged.add(participant)
    }
  }

  get hasUntold(): boolean {
    return this.#untold.size > 0
  }

  get hasUntoldAcks(): boolean {
    return this.#acknowledged.size > 0
  }

  /** All but the host's own phone; the same array until somebody is added or removed. */
  users(): readonly Participant[] {
    this.#users ??= [...this.participants.values()].filter((one) => !one.isHost)
    return this.#users
  }

  found(ids: string[]): Participant[] {
    return ids.flatMap((id) => this.participants.get(id) ?? [])
  }

  foundUsers(ids: string[]): Participant[] {
    return this.found(ids).filter((one) => !one.isHost)
  }

  /** Returns who came online and who went offline by it. */
  apply(change: RoomChange): Moves {
    const moves: Moves = { arrived: [], left: [] }
    switch (change.type) {
      case 'came':
        for (const participant of this.found([change.id])) this.#come(participant, change.at, moves)
        break
      case 'went':
        for (const { id, at } of change.left) for (const one of this.found([id])) this.#leave(one, at, moves)
        break
      case 'slept':
        this.#setAsleep(change.ids, true)
        break
      case 'woke':
        this.#setAsleep([change.id], false)
        break
      case 'seen':
        for (const { id, at } of change.seen) for (const one of this.found([id])) seenAt(one, at)
        this.version++
        break
      case 'said':
        for (const participant of this.found([change.id])) this.#hear(participant, change.said, change.at)
        break
      case 'voices-due':
        for (const participant of this.#untold) for (const event of tellVoice(participant)) this.#events.say(event)
        this.#untold.clear()
        break
      case 'acknowledged':
        for (const one of this.found([change.id])) this.#acknowledge(one, change.acks)
        break
      case 'acks-due':
        this.#tellAcks()
        break
      case 'hands-lowered':
        this.#voicesChanged(this.foundUsers(change.ids).filter(lowerHand))
        break
      case 'muted':
        this.#voicesChanged(muteEach(this.#events, this.foundUsers(change.ids), change.is_muted, change.by))
        break
      case 'all-muted':
        this.hostMuteAll = change.active
        this.#voicesChanged(muteAll(this.#events, this.users(), this.id, change.active))
        break
      case 'signed-out':
        this.#signOut(change.ids, change.reason, change.at, moves)
        break
      case 'put':
        this.#put(change.entry)
        break
      case 'removed':
        this.#remove(change.id, change.at, moves)
        break
      case 'meeting':
        if (change.meeting_id !== this.meetingId) this.#setPeopleInMeeting(new Set())
        this.meetingId = change.meeting_id
        this.version++
        break
      case 'in-meeting':
        for (const participant of this.found([change.id])) participant.in_meeting = change.in_meeting
        this.version++
        break
      case 'people-in-meeting':
        this.#setPeopleInMeeting(new Set(change.ids))
        break
      case 'listening':
        for (const participant of this.found([change.id])) setStreams(participant, change.seat, change.streams)
        break
      case 'seat-lost':
        for (const participant of this.participants.values()) setStreams(participant, change.seat, 0)
        break
    }
    return moves
  }

  #come(participant: Participant, at: number, moves: Moves): void {
    if (participant.is_online) return
    participant.is_online = true
    participant.is_asleep = false
    seenAt(participant, at)
    this.version++
    if (participant.isHost) return
    moves.arrived.push(participant.roster)
    this.#events.say(presence(participant))
  }

  #leave(participant: Participant, at: number, moves: Moves): void {
    clearVoice(participant)
    lowerHand(participant)
    participant.pending = null
    this.#voicesChanged([participant])
    if (!participant.is_online) return
    participant.is_online = false
    participant.is_asleep = false
    seenAt(participant, at)
    moves.left.push(participant.roster)
    if (!participant.isHost) this.#events.say(presence(participant))
  }

  #setAsleep(ids: string[], isAsleep: boolean): void {
    for (const participant of this.found(ids)) {
      if (!participant.is_online || participant.is_asleep === isAsleep) continue
      participant.is_asleep = isAsleep
      this.version++
      if (!participant.isHost) this.#events.say(presence(participant))
    }
  }

  #hear(participant: Participant, said: Said, at: number): void {
    if (!hear(participant, said, at)) return
    this.version++
    if (participant.isHost) return
    for (const event of tellSpeaker(participant)) this.#events.say(event)
    if (isUntold(participant)) this.#untold.add(participant)
  }

  #acknowledge(participant: Participant, acks: string[]): void {
    if (!acknowledge(this.#events, participant, acks)) return
    this.version++
    if (participant.isHost) return
    participant.hasAcknowledged = true
    this.#acknowledged.add(participant)
  }

  /** Leaves out whom another command is on its way to by now. */
  #tellAcks(): void {
    const user_ids = [...this.#acknowledged].filter(({ pending }) => !pending).map(({ roster }) => roster.id)
    for (const participant of this.#acknowledged) participant.hasAcknowledged = false
    this.#acknowledged.clear()
    if (user_ids.length > 0) this.#events.say({ name: 'commands-acknowledged', data: { user_ids } })
  }

  #voicesChanged(participants: Participant[]): void {
    this.version++
    for (const participant of participants) if (!participant.isHost) this.#untold.add(participant)
  }

  #signOut(ids: string[], reason: DeactivationReason, at: number, moves: Moves): void {
    for (const participant of this.found(ids)) {
      this.#events.say({ name: 'user-deactivated', data: { user_id: participant.roster.id, reason } })
      this.#leave(participant, at, moves)
    }
  }

  #setPeopleInMeeting(ids: Set<string>): void {
    for (const [id, participant] of this.participants) participant.in_meeting = ids.has(id)
    this.version++
  }

  /** Adds a user, or takes over what the database says of it now. */
  #put(entry: RosterEntry): void {
    const known = this.participants.get(entry.id)
    if (known) known.roster = { ...entry, ...laterThanRow(entry, known.roster) }
    else this.participants.set(entry.id, newParticipant({ ...entry }))
    this.#users = null
    this.version++
  }

  #remove(id: string, at: number, moves: Moves): void {
    const participant = this.participants.get(id)
    if (!participant || participant.isHost) return
    this.#leave(participant, at, moves)
    this.participants.delete(id)
    this.#users = null
    this.#untold.delete(participant)
    this.#acknowledged.delete(participant)
  }
}

/** What the room knows better than the row: a later sign of life, and a mute that came with all the others. */
function laterThanRow(entry: RosterEntry, known: RosterEntry) {
  return { is_muted: known.is_muted, last_seen: latest(entry.last_seen, known.last_seen) }
}

function seenAt(participant: Participant, at: number): void {
  participant.roster = { ...participant.roster, last_seen: new Date(at) }
}

function latest(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a > b ? a : b) : (a ?? b)
}
