import type { z } from 'zod'
import type { LiveState, MobileStatus } from '../../shared/mobile.ts'
import { type DeactivationReason, PRESENCE_LEASE_MS, type RoomEvent } from '../../shared/room-events.ts'
import type { Delivery, PendingCommand, RoomUser } from '../../shared/room-users.ts'
import type { Clock } from '../clock.ts'
import { Announcer, type Listener } from './announcer.ts'
import {
  clearVoice,
  liveStateOf,
  lowerHand,
  newParticipant,
  type Participant,
  type RosterEntry,
  roomUserOf,
  speakerToggleOf,
} from './participant.ts'
import { Poll } from './poll.ts'

/** Speaking flickers: changes of one room are merged over this long, and the last of each user is told. */
const MERGE_MS = 60

export interface RoomFacts {
  id: string
  hostId: string
  meetingId: string | null // null without Zoom
  hostMuteAll: boolean
  roster: RosterEntry[]
  host: RosterEntry // the host's own phone
}

/**
 * The present state of one room. It writes nothing: what must last goes to the database first, and is told to the room
 * after the commit.
 */
export class LiveRoom {
  readonly id: string
  readonly hostId: string
  readonly users: Poll
  readonly online: Poll
  meetingId: string | null
  readonly #announcer: Announcer
  readonly #now: Clock
  readonly #participants = new Map<string, Participant>()
  readonly #changed = new Set<Participant>()
  readonly #left: RosterEntry[] = []
  #mergeTimer: NodeJS.Timeout | null = null
  #hostMuteAll: boolean
  #nextUserId: () => string

  constructor(facts: RoomFacts, epoch: string, now: Clock, nextUserId: (taken: RosterEntry[]) => string) {
    this.id = facts.id
    this.hostId = facts.hostId
    this.#announcer = new Announcer(epoch, now)
    this.#now = now
    this.#hostMuteAll = facts.hostMuteAll
    this.meetingId = facts.meetingId
    this.#nextUserId = () => nextUserId(this.#users().map(({ roster }) => roster))
    for (const entry of facts.roster) this.#participants.set(entry.id, newParticipant(entry))
    this.#participants.set(facts.host.id, newParticipant(facts.host, true))
    this.users = new Poll(epoch, () => ({
      success: true,
      data: { users: this.#wire(this.#users()), next_user_id: this.#nextUserId() },
    }))
    this.online = new Poll(epoch, () => ({
      success: true,
      data: { users: this.#wire(this.#users().filter((user) => user.is_online)) },
      host_mute_all_active: this.#hostMuteAll,
    }))
  }

  get hostMuteAll(): boolean {
    return this.#hostMuteAll
  }

  get isIdle(): boolean {
    return this.#announcer.listeners === 0 && ![...this.#participants.values()].some((one) => one.is_online)
  }

  counts(): { total: number; online: number } {
    const users = this.#users()
    return { total: users.length, online: users.filter((user) => user.is_online).length }
  }

  isOnline(id: string): boolean {
    return this.#participants.get(id)?.is_online ?? false
  }

  user(id: string): RoomUser | null {
    const participant = this.#participants.get(id)
    return participant && !participant.isHost ? roomUserOf(participant, this.meetingId !== null) : null
  }

  stateOf(id: string): LiveState | null {
    const participant = this.#participants.get(id)
    return participant ? liveStateOf(participant, this.#hostMuteAll) : null
  }

  /** What a phone says of itself, as far as the host lets it; returns what holds now. */
  status(id: string, said: z.output<typeof MobileStatus>): LiveState | null {
    const participant = this.#participants.get(id)
    if (!participant) return null
    this.#seen(participant)
    if (said) {
      this.#hear(participant, said)
      if (said.acks?.length) this.#acknowledge(participant, said.acks)
    }
    return liveStateOf(participant, this.#hostMuteAll)
  }

  /** Opens a listener's stream with what it missed or the state as it is; returns what closes it. */
  listen(listener: Listener, lastEventId: string | null): () => void {
    const remove = this.#announcer.add(listener, lastEventId, () => this.#stateFor(listener.userId))
    const participant = listener.userId === null ? undefined : this.#participants.get(listener.userId)
    if (participant) this.#seen(participant)
    return () => {
      remove()
      if (participant) participant.seen_at = this.#now()
    }
  }

  mute(ids: string[], isMuted: boolean, by: string): Delivery {
    const muted = this.#found(ids)
    for (const participant of muted) {
      this.#silence(participant, isMuted)
      const { roster } = participant
      const said = this.#announcer.say({
        name: 'user-mute-status',
        data: { user_id: roster.id, is_muted: isMuted, by },
      })
      this.#command(participant, { ...said, type: isMuted ? 'mute' : 'unmute' })
      this.#sayVoice(participant)
    }
    this.#usersChanged()
    return this.#delivery(muted)
  }

  /** Sets the room's flag and every user's mute with it, by one event for all; the host's own phone is left alone. */
  muteAll(active: boolean): Delivery {
    this.#hostMuteAll = active
    const users = this.#users()
    for (const participant of users) this.#silence(participant, active)
    const said = this.#announcer.say({ name: 'host-mute-all', data: { room_id: this.id, active } })
    for (const participant of users) this.#command(participant, { ...said, type: active ? 'mute-all' : 'unmute-all' })
    for (const participant of users) this.#sayVoice(participant)
    this.#usersChanged()
    return this.#delivery(users)
  }

  /** Tells phones that they are signed out. Their sessions end by the caller's hand, right after. */
  signOut(ids: string[], reason: DeactivationReason): Delivery {
    const out = ids.flatMap((id) => this.#participants.get(id) ?? [])
    const delivery = this.#delivery(out)
    for (const participant of out) {
      this.#announcer.say({ name: 'user-deactivated', data: { user_id: participant.roster.id, reason } })
      this.#leave(participant)
    }
    this.#usersChanged()
    return delivery
  }

  /** A phone signed itself out. */
  leave(id: string): void {
    const participant = this.#participants.get(id)
    if (!participant) return
    this.#leave(participant)
    this.#usersChanged()
  }

  /** Adds a user, or takes over what the database says of it now. */
  put(entry: RosterEntry): void {
    const known = this.#participants.get(entry.id)
    if (known) known.roster = { ...entry, last_seen: latest(entry.last_seen, known.roster.last_seen) }
    else this.#participants.set(entry.id, newParticipant(entry))
    this.#usersChanged()
  }

  remove(id: string): void {
    const participant = this.#participants.get(id)
    if (!participant || participant.isHost) return
    this.#leave(participant)
    this.#participants.delete(id)
    this.#changed.delete(participant)
    this.#usersChanged()
  }

  setMeeting(meetingId: string | null): void {
    this.meetingId = meetingId
    this.#usersChanged()
  }

  /** Zoom's word on who is in the meeting itself. */
  setInMeeting(id: string, inMeeting: boolean): void {
    const participant = this.#participants.get(id)
    if (!participant || participant.in_meeting === inMeeting) return
    participant.in_meeting = inMeeting
    this.#usersChanged()
  }

  /** Takes offline whoever gave no sign of life for the length of the lease; returns how many. */
  sweep(): number {
    const deadline = this.#now() - PRESENCE_LEASE_MS
    const gone = [...this.#participants.values()].filter(
      (one) => one.is_online && one.seen_at < deadline && this.#announcer.streamsOf(one.roster.id) === 0,
    )
    for (const participant of gone) this.#leave(participant)
    if (gone.length > 0) this.#usersChanged()
    return gone.length
  }

  /** Who left since this was last asked, so that the database learns when they were last seen. */
  takeLeft(): RosterEntry[] {
    return this.#left.splice(0)
  }

  close(): void {
    if (this.#mergeTimer) clearTimeout(this.#mergeTimer)
  }

  #users(): Participant[] {
    return [...this.#participants.values()].filter((one) => !one.isHost)
  }

  #found(ids: string[]): Participant[] {
    return ids.flatMap((id) => this.#participants.get(id) ?? []).filter((one) => !one.isHost)
  }

  #wire(participants: Participant[]): RoomUser[] {
    return participants.map((participant) => roomUserOf(participant, this.meetingId !== null))
  }

  #usersChanged(): void {
    this.users.changed()
    this.online.changed()
  }

  #seen(participant: Participant): void {
    participant.seen_at = this.#now()
    if (participant.is_online) return
    participant.is_online = true
    this.#usersChanged()
    if (!participant.isHost)
      this.#announcer.say({ name: 'user-online', data: { user_id: participant.roster.id, is_online: true } })
  }

  #leave(participant: Participant): void {
    const { roster } = participant
    clearVoice(participant)
    lowerHand(participant)
    participant.pending = null
    participant.in_meeting = false
    if (!participant.is_online) return
    participant.is_online = false
    participant.roster = { ...roster, last_seen: new Date(this.#now()) }
    this.#left.push(participant.roster)
    if (!participant.isHost)
      this.#announcer.say({ name: 'user-online', data: { user_id: roster.id, is_online: false } })
    this.#sayVoice(participant)
  }

  #hear(participant: Participant, said: NonNullable<z.output<typeof MobileStatus>>): void {
    const before = JSON.stringify(liveStateOf(participant, false))
    const { is_muted } = participant.roster
    if (said.speaker_on !== undefined) participant.speaker_on = said.speaker_on && !is_muted
    if (said.is_speaking !== undefined) participant.is_speaking = said.is_speaking && !is_muted
    else if (said.speaker_on === false) participant.is_speaking = false
    if (said.wants_to_speak === true && !participant.wants_to_speak) {
      participant.wants_to_speak = true
      participant.wants_to_speak_at = this.#now()
    } else if (said.wants_to_speak === false) lowerHand(participant)
    if (before === JSON.stringify(liveStateOf(participant, false))) return
    this.online.changed()
    this.users.changed()
    this.#sayVoice(participant)
  }

  /** An acknowledged event acknowledges those before it too: a stream keeps their order. */
  #acknowledge(participant: Participant, acks: string[]): void {
    const heard = Math.max(...acks.map((id) => this.#announcer.seqOf(id) ?? -1))
    if (!participant.pending || participant.pending.seq > heard) return
    participant.pending = null
    this.online.changed()
    this.users.changed()
  }

  #silence(participant: Participant, isMuted: boolean): void {
    participant.roster = { ...participant.roster, is_muted: isMuted }
    if (isMuted) clearVoice(participant)
    else lowerHand(participant)
  }

  #command(participant: Participant, command: PendingCommand & { seq: number }): void {
    participant.pending = participant.is_online ? command : null
  }

  #delivery(participants: Participant[]): Delivery {
    const online = participants.filter((one) => one.is_online)
    return {
      targeted: online.length,
      reachable: online.filter((one) => this.#announcer.streamsOf(one.roster.id) > 0).length,
    }
  }

  #sayVoice(participant: Participant): void {
    if (participant.isHost) return
    this.#changed.add(participant)
    this.#mergeTimer ??= setTimeout(() => this.#sayChanges(), MERGE_MS)
  }

  #sayChanges(): void {
    this.#mergeTimer = null
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const participant of changed) {
      const speaker = JSON.stringify(speakerToggleOf(participant))
      if (participant.told.is_speaking !== participant.is_speaking) {
        participant.told.is_speaking = participant.is_speaking
        const { roster, is_speaking } = participant
        this.#announcer.say({ name: 'user-speaking-status', data: { user_id: roster.id, is_speaking } })
      }
      if (participant.told.speaker !== speaker) {
        participant.told.speaker = speaker
        this.#announcer.say({ name: 'user-speaker-toggle', data: speakerToggleOf(participant) })
      }
    }
  }

  #stateFor(userId: string | null): RoomEvent[] {
    const flag: RoomEvent = { name: 'host-mute-all', data: { room_id: this.id, active: this.#hostMuteAll } }
    const own = userId === null ? undefined : this.#participants.get(userId)
    if (userId !== null) return own && !own.isHost ? [flag, ...ownState(own)] : [flag]
    const online = this.#users().filter((user) => user.is_online)
    return [flag, ...online.flatMap((user) => [...presenceState(user), ...ownState(user)])]
  }
}

/** The room may know of a later sign of life than the row. */
function latest(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a > b ? a : b) : (a ?? b)
}

function presenceState({ roster, is_speaking }: Participant): RoomEvent[] {
  return [
    { name: 'user-online', data: { user_id: roster.id, is_online: true } },
    { name: 'user-speaking-status', data: { user_id: roster.id, is_speaking } },
  ]
}

function ownState(participant: Participant): RoomEvent[] {
  const { id, is_muted } = participant.roster
  return [
    { name: 'user-mute-status', data: { user_id: id, is_muted, by: 'host' } },
    { name: 'user-speaker-toggle', data: speakerToggleOf(participant) },
  ]
}
