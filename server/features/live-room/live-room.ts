import type { z } from 'zod'
import type { LiveState, MobileStatus } from '../../../shared/mobile.ts'
import type { DeactivationReason } from '../../../shared/room-events.ts'
import type { Delivery, RoomUser } from '../../../shared/room-users.ts'
import type { Clock } from '../../lib/clock.ts'
import type { NewListener } from './announcer.ts'
import { liveStateOf, type Participant, type RosterEntry, roomUserOf, wouldChange } from './participant.ts'
import type { RoomChange } from './room-change.ts'
import type { RoomCopy } from './room-copy.ts'
import type { Seat } from './room-engine.ts'
import type { RoomTimes } from './room-times.ts'
import type { Snapshot } from './snapshot.ts'
import { type Reported, StatusThrottle } from './status-throttle.ts'

export interface LiveRoomOptions {
  now: Clock
  times: RoomTimes
  /** Something failed that nobody waits for. */
  onFault: (error: unknown) => void
}

/**
 * What the rest of the server asks of a room. It writes nothing: what must last goes to the database first, and is told
 * to the room after the commit. Every change goes by the engine, so that all nodes come to the same state.
 */
export class LiveRoom {
  readonly id: string
  readonly hostId: string
  readonly #copy: RoomCopy
  readonly #seat: Seat
  readonly #now: Clock
  readonly #times: RoomTimes
  readonly #onFault: LiveRoomOptions['onFault']
  #mergeTimer: NodeJS.Timeout | null = null
  #acksTimer: NodeJS.Timeout | null = null
  #acksToldAt = -Infinity
  readonly #throttle: StatusThrottle
  /** When phones opened their streams here, the last of each. */
  readonly #listenedAt = new Map<string, number>()

  constructor(hostId: string, copy: RoomCopy, seat: Seat, { now, times, onFault }: LiveRoomOptions) {
    this.id = copy.state.id
    this.hostId = hostId
    this.#copy = copy
    this.#seat = seat
    this.#now = now
    this.#times = times
    this.#onFault = onFault
    this.#throttle = new StatusThrottle((phone, rest) => {
      const participant = this.#find(phone)
      if (participant?.is_online) this.#inBackground(this.#hear(participant, now(), rest))
    })
  }

  get users(): Snapshot {
    return this.#copy.users.snapshot
  }

  get online(): Snapshot {
    return this.#copy.online.snapshot
  }

  get hostMuteAll(): boolean {
    return this.#copy.state.hostMuteAll
  }

  get meetingId(): string | null {
    return this.#copy.state.meetingId
  }

  counts(): { total: number; online: number; muted: number } {
    const users = this.#copy.state.users()
    const online = users.filter((user) => user.is_online).length
    return { total: users.length, online, muted: users.filter(({ roster }) => roster.is_muted).length }
  }

  /** What each user's phone said of its app when it last signed in. */
  appVersions(): (string | null)[] {
    return this.#copy.state.users().map(({ roster }) => roster.app_version)
  }

  /** Somebody is in it, listens to it, or has left without the database knowing. */
  get isInUse(): boolean {
    const { announcer, left, state } = this.#copy
    return announcer.hasListeners || left.length > 0 || [...state.participants.values()].some((one) => one.is_online)
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined
  }

  isOnline(id: string): boolean {
    return this.#find(id)?.is_online ?? false
  }

  user(id: string): RoomUser | null {
    const participant = this.#find(id)
    return participant && !participant.isHost ? roomUserOf(participant, this.meetingId !== null) : null
  }

  isMuted(id: string): boolean {
    return this.#find(id)?.roster.is_muted ?? false
  }

  /** Everyone's, the host's own phone too. */
  roster(): RosterEntry[] {
    return [...this.#copy.state.participants.values()].map(({ roster }) => roster)
  }

  stateOf(id: string): LiveState | null {
    const participant = this.#find(id)
    return participant ? liveStateOf(participant, this.hostMuteAll) : null
  }

  /** What a phone says of itself, as far as the host lets it; returns what holds now. Most often that changes nothing. */
  async status(id: string, body: z.output<typeof MobileStatus>): Promise<LiveState | null> {
    const participant = this.#find(id)
    if (!participant) return null
    const { acks = [], ...said } = body ?? {}
    const at = this.#now()
    this.#seat.seen(id, at)
    if (!participant.is_online) await this.#change({ type: 'came', id, at })
    if (this.#isNews(participant, said) && this.#throttle.admits(id, said)) await this.#hear(participant, at, said)
    if (acks.length > 0 && participant.pending) await this.#change({ type: 'acknowledged', id, acks })
    return liveStateOf(participant, this.hostMuteAll)
  }

  /** Opens a listener's stream with what it missed or the state as it is; returns what closes it. */
  listen(listener: NewListener, lastEventId: string | null): () => void {
    const { userId } = listener
    const { announcer } = this.#copy
    const at = this.#now()
    const remove = announcer.add(listener, lastEventId, at, () => this.#copy.eventsFor(userId))
    if (userId === null) return remove
    this.#listenedAt.set(userId, at)
    this.#countStreams(userId)
    return () => {
      remove()
      this.#countStreams(userId)
    }
  }

  async mute(ids: string[], isMuted: boolean, by: string): Promise<Delivery> {
    await this.#change({ type: 'muted', ids, is_muted: isMuted, by })
    return delivery(this.#copy.state.foundUsers(ids))
  }

  /** Says no to those who ask to speak; their phones hear it as news of their own hand. */
  async lowerHands(ids: string[]): Promise<Delivery> {
    await this.#change({ type: 'hands-lowered', ids })
    return delivery(this.#copy.state.foundUsers(ids))
  }

  /** Sets the room's flag and every user's mute with it; the host's own phone is left alone. */
  async muteAll(active: boolean): Promise<Delivery> {
    await this.#change({ type: 'all-muted', active })
    return delivery(this.#copy.state.users())
  }

  /** Tells phones that they are signed out. Their sessions end by the caller's hand, right after. */
  async signOut(ids: string[], reason: DeactivationReason): Promise<Delivery> {
    const reached = delivery(this.#copy.state.found(ids))
    await this.#change({ type: 'signed-out', ids, reason, at: this.#now() })
    return reached
  }

  /** A phone signed itself out. */
  async leave(id: string): Promise<void> {
    await this.#change({ type: 'went', left: [{ id, at: this.#now() }] })
  }

  /** Adds a user, or takes over what the database says of it now. */
  async put(entry: RosterEntry): Promise<void> {
    await this.#change({ type: 'put', entry })
  }

  async remove(id: string): Promise<void> {
    await this.#change({ type: 'removed', id, at: this.#now() })
  }

  async setMeeting(meeting_id: string | null): Promise<void> {
    await this.#change({ type: 'meeting', meeting_id })
  }

  /** Zoom's word on who is in the meeting itself. */
  async setInMeeting(id: string, in_meeting: boolean): Promise<void> {
    if (this.#find(id)?.in_meeting === in_meeting) return
    await this.#change({ type: 'in-meeting', id, in_meeting })
  }

  /** The same of all: they are in the meeting, and nobody else. */
  async setPeopleInMeeting(ids: ReadonlySet<string>): Promise<void> {
    const isKnown = [...this.#copy.state.participants].every(([id, { in_meeting }]) => in_meeting === ids.has(id))
    if (!isKnown) await this.#change({ type: 'people-in-meeting', ids: [...ids] })
  }

  /**
   * Takes offline whoever gave no sign of life for the length of the lease, and ends the streams of phones that are
   * offline: neither unsent bytes nor TCP notice in time that a peer has vanished, and one that lives comes back by
   * itself. Returns how many went.
   */
  async sweep(): Promise<number> {
    const at = this.#now()
    const { lease, asleep, lastSeen } = this.#times
    const online = [...this.#copy.state.participants.values()].filter((one) => one.is_online)
    const seen = await this.#seat.lastSeen(online.map(({ roster }) => roster.id))
    const seenAt = ({ roster }: Participant) => seen.get(roster.id) ?? 0
    const withTime = (one: Participant) => ({ id: one.roster.id, at: seenAt(one) })

    const left = online.filter((one) => seenAt(one) < at - lease)
    const silent = online.filter((one) => !one.is_asleep && seenAt(one) < at - asleep && !left.includes(one))
    const outdated = online.filter((one) => timeOfLastSeen(one) < at - lastSeen && timeOfLastSeen(one) < seenAt(one))
    if (outdated.length > 0) await this.#change({ type: 'seen', seen: outdated.map(withTime) })
    if (silent.length > 0) await this.#change({ type: 'slept', ids: silent.map(({ roster }) => roster.id) })
    if (left.length > 0) await this.#change({ type: 'went', left: left.map(withTime) })
    this.#endStreamsOfOffline(at - lease)
    return left.length
  }

  /** Hands over who left since the last time, so that the database learns of it; again, where that has failed. */
  async handOverLeft(save: (left: RosterEntry[]) => Promise<void>): Promise<void> {
    const left = this.#copy.left.splice(0)
    if (left.length > 0) await save(left).catch(() => this.#copy.left.unshift(...left))
  }

  async close(): Promise<void> {
    if (this.#mergeTimer) clearTimeout(this.#mergeTimer)
    if (this.#acksTimer) clearTimeout(this.#acksTimer)
    this.#throttle.close()
    this.#mergeTimer = null
    this.#acksTimer = null
    await this.#seat.leave()
  }

  #find(id: string): Participant | undefined {
    return this.#copy.state.participants.get(id)
  }

  /** A phone's stream was opened or has ended. */
  #countStreams(id: string): void {
    const streams = this.#copy.announcer.streamsOf(id)
    if (streams === 0) this.#listenedAt.delete(id)
    this.#inBackground(this.#change({ type: 'listening', id, seat: this.#seat.id, streams }))
  }

  /** A phone may open its stream before it first reports. */
  #endStreamsOfOffline(openedBefore: number): void {
    for (const [id, at] of this.#listenedAt)
      if (at < openedBefore && !this.isOnline(id)) this.#copy.announcer.endStreamsOf(id)
  }

  /** Most status calls say nothing new. After something that is still to be heard, everything is. */
  #isNews(participant: Participant, said: Reported): boolean {
    const isAsleep = said.awake === false
    if (isAsleep !== participant.is_asleep || wouldChange(participant, said)) return true
    return this.#throttle.isHolding(participant.roster.id)
  }

  async #hear(participant: Participant, at: number, { awake = true, ...said }: Reported): Promise<void> {
    const { id } = participant.roster
    if (participant.is_asleep === awake) await this.#change(awake ? { type: 'woke', id } : { type: 'slept', ids: [id] })
    if (wouldChange(participant, said)) await this.#change({ type: 'said', id, at, said })
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch(this.#onFault)
  }

  async #change(change: RoomChange): Promise<void> {
    await this.#seat.append(change)
    const { hasUntold, hasUntoldAcks } = this.#copy.state
    if (hasUntold) this.#mergeTimer ??= setTimeout(() => this.#tellVoices(), this.#times.merge)
    if (hasUntoldAcks) this.#acksTimer ??= setTimeout(() => this.#tellAcks(), this.#acksWait())
  }

  #tellVoices(): void {
    this.#mergeTimer = null
    this.#inBackground(this.#seat.append({ type: 'voices-due' }))
  }

  /** One that comes alone is told at once; of a crowd the first is, and the others together. */
  #acksWait(): number {
    const { mergeAcks } = this.#times
    return this.#now() - this.#acksToldAt < mergeAcks ? mergeAcks : 0
  }

  #tellAcks(): void {
    this.#acksTimer = null
    this.#acksToldAt = this.#now()
    this.#inBackground(this.#seat.append({ type: 'acks-due' }))
  }
}

function timeOfLastSeen({ roster }: Participant): number {
  return roster.last_seen?.getTime() ?? 0
}

/** How many a command is for, and how many of them are awake and have a stream open to hear it by. */
function delivery(participants: readonly Participant[]): Delivery {
  const online = participants.filter((one) => one.is_online)
  return { targeted: online.length, reachable: online.filter((one) => one.streams !== null && !one.is_asleep).length }
}
