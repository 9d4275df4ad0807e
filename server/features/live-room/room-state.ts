import type { DeactivationReason, RoomEvent } from '../../../shared/room-events.ts'
import type { PendingCommand } from '../../../shared/room-users.ts'
import { eventId, type NumberedEvent, seqOf } from './event-log.ts'
import {
  applyStatus,
  clearVoice,
  lowerHand,
  newParticipant,
  type Participant,
  type PhoneStatus,
  setLastSeen,
  setMuted,
} from './participant.ts'
import { flushSpeaker, flushVoice, isDirty, presenceEvent } from './participant-events.ts'
import type { RoomChange } from './room-change.ts'
import type { RosterEntry, StoredRoom } from './stored-room.ts'

interface Outcome {
  events: NumberedEvent[]
  online: RosterEntry[]
  offline: RosterEntry[]
}

/**
 * Who is in a room and what they may do, and what each change makes of that. A reducer: it knows no clock, no sockets
 * and no chance.
 */
export class RoomState {
  readonly id: string
  readonly epoch: string
  hostMuteAll: boolean
  meetingId: string | null
  /** Counts the changes of what the lists show. */
  version = 0
  readonly participants = new Map<string, Participant>()
  #users: readonly Participant[] | null = null
  #seq = 0
  #outcome: Outcome = { events: [], online: [], offline: [] }
  readonly #dirty = new Set<Participant>()
  readonly #acknowledged = new Set<Participant>()

  constructor({ id, hostMuteAll, meetingId, inMeeting, roster, host }: StoredRoom, epoch: string) {
    this.id = id
    this.epoch = epoch
    this.hostMuteAll = hostMuteAll
    this.meetingId = meetingId
    for (const participant of [...roster.map((entry) => newParticipant(entry)), newParticipant(host, true)]) {
      participant.in_meeting = inMeeting.has(participant.roster.id)
      this.participants.set(participant.roster.id, participant)
    }
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0
  }

  get hasUnpublishedAcks(): boolean {
    return this.#acknowledged.size > 0
  }

  /** All but the host's own phone; the same array until a user is added or removed. */
  users(): readonly Participant[] {
    this.#users ??= [...this.participants.values()].filter((one) => !one.isHost)
    return this.#users
  }

  online(): Participant[] {
    return this.users().filter((one) => one.is_online)
  }

  find(ids: string[]): Participant[] {
    return ids.flatMap((id) => this.participants.get(id) ?? [])
  }

  findUsers(ids: string[]): Participant[] {
    return this.find(ids).filter((one) => !one.isHost)
  }

  apply(change: RoomChange): Outcome {
    const outcome: Outcome = { events: [], online: [], offline: [] }
    this.#outcome = outcome
    switch (change.type) {
      case 'online':
        for (const one of this.find([change.id])) this.#goOnline(one, change.at)
        break
      case 'offline':
        for (const { id, at } of change.users) for (const one of this.find([id])) this.#goOffline(one, at)
        break
      case 'asleep':
        this.#setAsleep(change.ids, true)
        break
      case 'awake':
        this.#setAsleep([change.id], false)
        break
      case 'last-seen':
        for (const { id, at } of change.users) for (const one of this.find([id])) setLastSeen(one, at)
        this.version++
        break
      case 'status':
        for (const one of this.find([change.id])) this.#applyStatus(one, change.status, change.at)
        break
      case 'flush-voice':
        for (const participant of this.#dirty) for (const event of flushVoice(participant)) this.#emit(event)
        this.#dirty.clear()
        break
      case 'acknowledge':
        for (const one of this.find([change.id])) this.#acknowledge(one, change.acks)
        break
      case 'flush-acks':
        this.#flushAcks()
        break
      case 'lower-hands':
        this.#markDirty(this.findUsers(change.ids).filter(lowerHand))
        break
      case 'mute':
        this.#muteEach(this.findUsers(change.ids), change.is_muted, change.by)
        break
      case 'mute-all':
        this.#muteAll(change.active)
        break
      case 'sign-out':
        this.#signOut(change.ids, change.reason, change.at)
        break
      case 'upsert':
        this.#upsert(change.entry)
        break
      case 'remove':
        this.#remove(change.id, change.at)
        break
      case 'meeting':
        if (change.meeting_id !== this.meetingId) this.#setPeopleInMeeting(new Set())
        this.meetingId = change.meeting_id
        this.version++
        break
      case 'in-meeting':
        for (const participant of this.find([change.id])) participant.in_meeting = change.in_meeting
        this.version++
        break
      case 'people-in-meeting':
        this.#setPeopleInMeeting(new Set(change.ids))
        break
    }
    return outcome
  }

  #emit(event: RoomEvent): { id: string; seq: number } {
    const seq = ++this.#seq
    const id = eventId(this.epoch, seq)
    this.#outcome.events.push({ id, seq, event })
    return { id, seq }
  }

  #goOnline(participant: Participant, at: number): void {
    if (participant.is_online) return
    participant.is_online = true
    participant.is_asleep = false
    setLastSeen(participant, at)
    this.version++
    if (participant.isHost) return
    this.#outcome.online.push(participant.roster)
    this.#emit(presenceEvent(participant))
  }

  #goOffline(participant: Participant, at: number): void {
    clearVoice(participant)
    lowerHand(participant)
    participant.pending = null
    this.#markDirty([participant])
    if (!participant.is_online) return
    participant.is_online = false
    participant.is_asleep = false
    setLastSeen(participant, at)
    this.#outcome.offline.push(participant.roster)
    if (!participant.isHost) this.#emit(presenceEvent(participant))
  }

  #setAsleep(ids: string[], isAsleep: boolean): void {
    for (const participant of this.find(ids)) {
      if (!participant.is_online || participant.is_asleep === isAsleep) continue
      participant.is_asleep = isAsleep
      this.version++
      if (!participant.isHost) this.#emit(presenceEvent(participant))
    }
  }

  #applyStatus(participant: Participant, status: PhoneStatus, at: number): void {
    if (!applyStatus(participant, status, at)) return
    this.version++
    if (participant.isHost) return
    for (const event of flushSpeaker(participant)) this.#emit(event)
    if (isDirty(participant)) this.#dirty.add(participant)
  }

  /** An acknowledged event acknowledges those before it too: a stream keeps their order. */
  #acknowledge(participant: Participant, acks: string[]): void {
    const seq = Math.max(...acks.map((id) => seqOf(this.epoch, id) ?? -1))
    if (!participant.pending || participant.pending.seq > seq) return
    participant.pending = null
    this.version++
    if (!participant.isHost) this.#acknowledged.add(participant)
  }

  /** Omits users who have a newer command pending. */
  #flushAcks(): void {
    const user_ids = [...this.#acknowledged].filter(({ pending }) => !pending).map(({ roster }) => roster.id)
    this.#acknowledged.clear()
    if (user_ids.length > 0) this.#emit({ name: 'commands-acknowledged', data: { user_ids } })
  }

  #muteEach(users: Participant[], isMuted: boolean, by: string): void {
    const changed = users.filter((participant) => {
      const data = { user_id: participant.roster.id, is_muted: isMuted, by }
      setPending(participant, { ...this.#emit({ name: 'user-mute-status', data }), type: isMuted ? 'mute' : 'unmute' })
      return setMuted(participant, isMuted)
    })
    this.#markDirty(changed)
  }

  /** One event for all; the host's own phone is left alone. */
  #muteAll(active: boolean): void {
    this.hostMuteAll = active
    const { id, seq } = this.#emit({ name: 'host-mute-all', data: { room_id: this.id, active } })
    const changed = this.users().filter((participant) => {
      setPending(participant, { id, seq, type: active ? 'mute-all' : 'unmute-all' })
      return setMuted(participant, active)
    })
    this.#markDirty(changed)
  }

  #markDirty(participants: Participant[]): void {
    this.version++
    for (const participant of participants) if (!participant.isHost) this.#dirty.add(participant)
  }

  #signOut(ids: string[], reason: DeactivationReason, at: number): void {
    for (const participant of this.find(ids)) {
      this.#emit({ name: 'user-deactivated', data: { user_id: participant.roster.id, reason } })
      this.#goOffline(participant, at)
    }
  }

  #setPeopleInMeeting(ids: Set<string>): void {
    for (const [id, participant] of this.participants) participant.in_meeting = ids.has(id)
    this.version++
  }

  #upsert(entry: RosterEntry): void {
    const known = this.participants.get(entry.id)
    if (known) known.roster = { ...entry, ...laterThanRow(entry, known.roster) }
    else this.participants.set(entry.id, newParticipant({ ...entry }))
    this.#users = null
    this.version++
  }

  #remove(id: string, at: number): void {
    const participant = this.participants.get(id)
    if (!participant || participant.isHost) return
    this.#goOffline(participant, at)
    this.participants.delete(id)
    this.#users = null
    this.#dirty.delete(participant)
    this.#acknowledged.delete(participant)
  }
}

function setPending(participant: Participant, command: PendingCommand & { seq: number }): void {
  participant.pending = participant.is_online ? command : null
}

/** What the room knows better than the row: a later sign of life, and a mute that came with all the others. */
function laterThanRow(entry: RosterEntry, known: RosterEntry) {
  return { is_muted: known.is_muted, last_seen: latest(entry.last_seen, known.last_seen) }
}

function latest(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a > b ? a : b) : (a ?? b)
}
