import type { LiveState } from '../../../shared/mobile.ts'
import type { DeactivationReason, RoomEvent } from '../../../shared/room-events.ts'
import type { Delivery, RoomUser } from '../../../shared/room-users.ts'
import type { Clock } from '../../lib/clock.ts'
import { randomToken } from '../../lib/secrets.ts'
import { Broadcaster, type FanOut, type Subscriber } from './broadcaster.ts'
import { EventLog } from './event-log.ts'
import { nextUserId } from './next-user-id.ts'
import { liveStateOf, type Participant, roomUserOf, type StatusReport, wouldChange } from './participant.ts'
import { stateEvents, stateEventsForPhone } from './participant-events.ts'
import { Presence } from './presence.ts'
import type { RoomChange } from './room-change.ts'
import { RoomState } from './room-state.ts'
import type { RoomTimes } from './room-times.ts'
import { PolledList, type Snapshot } from './snapshot.ts'
import { StatusThrottle } from './status-throttle.ts'
import type { RosterEntry, StoredRoom } from './stored-room.ts'

export interface LiveRoomOptions {
  now: Clock
  times: RoomTimes
  fanOut: FanOut
  /** A room user came online or went offline. */
  onPresence: (roomId: string, user: RosterEntry, isOnline: boolean) => void
  /** Something failed that no caller waits for. */
  onFault: (error: unknown) => void
}

/** It writes nothing: what must last is committed to the database first, and then applied here. */
export class LiveRoom {
  readonly id: string
  readonly hostId: string
  readonly #state: RoomState
  readonly #log: EventLog
  readonly #broadcaster: Broadcaster
  readonly #presence = new Presence()
  readonly #throttle: StatusThrottle
  readonly #users: PolledList
  readonly #online: PolledList
  readonly #options: LiveRoomOptions
  /** Went offline, and the database does not know when they were last seen. */
  readonly #unsavedOffline: RosterEntry[] = []
  #voiceTimer: NodeJS.Timeout | null = null
  #acksTimer: NodeJS.Timeout | null = null
  #acksFlushedAt = -Infinity

  constructor(hostId: string, stored: StoredRoom, options: LiveRoomOptions) {
    const epoch = randomToken(6).replaceAll('-', '_') // `-` divides epoch and number in event ids
    this.id = stored.id
    this.hostId = hostId
    this.#options = options
    this.#state = new RoomState(stored, epoch)
    this.#log = new EventLog(epoch)
    this.#broadcaster = new Broadcaster(this.#log, options.fanOut)
    this.#throttle = new StatusThrottle((id, rest) => {
      const participant = this.#find(id)
      if (participant?.is_online) this.#report(participant, options.now(), rest).catch(options.onFault)
    })
    const version = () => this.#state.version
    this.#users = new PolledList(epoch, version, () => {
      const users = this.#state.users()
      const next_user_id = nextUserId(users.map(({ roster }) => roster))
      return { success: true, data: { users: this.#roomUsers(users), next_user_id } }
    })
    this.#online = new PolledList(epoch, version, () => {
      const users = this.#roomUsers(this.#state.online())
      return { success: true, data: { users }, host_mute_all_active: this.#state.hostMuteAll }
    })
  }

  get users(): Snapshot {
    return this.#users.snapshot
  }

  get online(): Snapshot {
    return this.#online.snapshot
  }

  get hostMuteAll(): boolean {
    return this.#state.hostMuteAll
  }

  get meetingId(): string | null {
    return this.#state.meetingId
  }

  counts(): { total: number; online: number; muted: number } {
    const users = this.#state.users()
    const muted = users.filter(({ roster }) => roster.is_muted).length
    return { total: users.length, online: this.#state.online().length, muted }
  }

  /** As each user's phone reported it when it last signed in. */
  appVersions(): (string | null)[] {
    return this.#state.users().map(({ roster }) => roster.app_version)
  }

  get isInUse(): boolean {
    const { participants } = this.#state
    if (this.#broadcaster.hasSubscribers || this.#unsavedOffline.length > 0) return true
    return [...participants.values()].some((one) => one.is_online)
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

  /** With the host's own phone. */
  roster(): RosterEntry[] {
    return [...this.#state.participants.values()].map(({ roster }) => roster)
  }

  stateOf(id: string): LiveState | null {
    const participant = this.#find(id)
    return participant ? liveStateOf(participant, this.hostMuteAll) : null
  }

  /** A phone's status call. Most are heartbeats that change nothing. */
  async status(id: string, body: (StatusReport & { acks?: string[] | undefined }) | null | undefined) {
    const participant = this.#find(id)
    if (!participant) return null
    const { acks = [], ...report } = body ?? {}
    const at = this.#options.now()
    this.#presence.markSeen(id, at)
    if (!participant.is_online) await this.#change({ type: 'online', id, at })
    if (this.#isNews(participant, report) && this.#throttle.admits(id, report))
      await this.#report(participant, at, report)
    if (acks.length > 0 && participant.pending) await this.#change({ type: 'acknowledge', id, acks })
    return liveStateOf(participant, this.hostMuteAll)
  }

  /** Opens a stream with what it missed or with the present state; returns what removes it. */
  subscribe(subscriber: Subscriber, lastEventId: string | null): () => void {
    const { userId } = subscriber
    return this.#broadcaster.subscribe(subscriber, lastEventId, this.#options.now(), (): RoomEvent[] => {
      if (userId === null) return stateEvents(this.#state, this.#state.online())
      return stateEventsForPhone(this.#state, this.#find(userId))
    })
  }

  async mute(ids: string[], isMuted: boolean, by: string): Promise<Delivery> {
    await this.#change({ type: 'mute', ids, is_muted: isMuted, by })
    return this.#delivery(this.#state.findUsers(ids))
  }

  async lowerHands(ids: string[]): Promise<Delivery> {
    await this.#change({ type: 'lower-hands', ids })
    return this.#delivery(this.#state.findUsers(ids))
  }

  async muteAll(active: boolean): Promise<Delivery> {
    await this.#change({ type: 'mute-all', active })
    return this.#delivery(this.#state.users())
  }

  /** Publishes to phones that they are signed out. The caller ends their sessions right after. */
  async signOut(ids: string[], reason: DeactivationReason): Promise<Delivery> {
    const reached = this.#delivery(this.#state.find(ids))
    await this.#change({ type: 'sign-out', ids, reason, at: this.#options.now() })
    return reached
  }

  /** A phone signed itself out. */
  async leave(id: string): Promise<void> {
    await this.#change({ type: 'offline', users: [{ id, at: this.#options.now() }] })
  }

  async upsert(entry: RosterEntry): Promise<void> {
    await this.#change({ type: 'upsert', entry })
  }

  async remove(id: string): Promise<void> {
    await this.#change({ type: 'remove', id, at: this.#options.now() })
    this.#presence.forget(id)
  }

  async setMeeting(meeting_id: string | null): Promise<void> {
    await this.#change({ type: 'meeting', meeting_id })
  }

  /** Zoom's report of who is in the meeting itself. */
  async setInMeeting(id: string, in_meeting: boolean): Promise<void> {
    if (this.#find(id)?.in_meeting === in_meeting) return
    await this.#change({ type: 'in-meeting', id, in_meeting })
  }

  async setPeopleInMeeting(ids: ReadonlySet<string>): Promise<void> {
    const isKnown = [...this.#state.participants].every(([id, { in_meeting }]) => in_meeting === ids.has(id))
    if (!isKnown) await this.#change({ type: 'people-in-meeting', ids: [...ids] })
  }

  /**
   * Takes silent phones offline, and ends the streams of phones that are offline: neither unsent bytes nor TCP show in
   * time that a peer has vanished, and one that lives reconnects. Returns how many went offline.
   */
  async sweep(): Promise<number> {
    const { now, times } = this.#options
    const at = now()
    const { changes, offlineCount } = this.#presence.sweep(this.#state.participants.values(), at, times)
    for (const change of changes) await this.#change(change)
    this.#broadcaster.endStreamsOfOffline((id) => this.isOnline(id), at - times.lease)
    return offlineCount
  }

  /** Passes on who went offline since the last time; again after a failure. */
  async flushOffline(save: (users: RosterEntry[]) => Promise<void>): Promise<void> {
    const users = this.#unsavedOffline.splice(0)
    if (users.length > 0) await save(users).catch(() => this.#unsavedOffline.unshift(...users))
  }

  close(): void {
    if (this.#voiceTimer) clearTimeout(this.#voiceTimer)
    if (this.#acksTimer) clearTimeout(this.#acksTimer)
    this.#throttle.close()
  }

  #find(id: string): Participant | undefined {
    return this.#state.participants.get(id)
  }

  #roomUsers(participants: readonly Participant[]): RoomUser[] {
    return participants.map((participant) => roomUserOf(participant, this.meetingId !== null))
  }

  /** While the throttle holds a report back, later ones must follow it. */
  #isNews(participant: Participant, report: StatusReport): boolean {
    const isAsleep = report.awake === false
    if (isAsleep !== participant.is_asleep || wouldChange(participant, report)) return true
    return this.#throttle.isHolding(participant.roster.id)
  }

  async #report(participant: Participant, at: number, { awake = true, ...status }: StatusReport): Promise<void> {
    const { id } = participant.roster
    if (participant.is_asleep === awake)
      await this.#change(awake ? { type: 'awake', id } : { type: 'asleep', ids: [id] })
    if (wouldChange(participant, status)) await this.#change({ type: 'status', id, at, status })
  }

  /** Every change of the room passes here. Each event is encoded once, then logged and sent. */
  async #change(change: RoomChange): Promise<void> {
    const { events, online, offline } = this.#state.apply(change)
    for (const event of events) this.#broadcaster.publish(this.#log.append(event))
    this.#unsavedOffline.push(...offline)
    for (const user of online) this.#options.onPresence(this.id, user, true)
    for (const user of offline) this.#options.onPresence(this.id, user, false)

    const { times, onFault } = this.#options
    if (this.#state.isDirty)
      this.#voiceTimer ??= setTimeout(() => {
        this.#voiceTimer = null
        this.#change({ type: 'flush-voice' }).catch(onFault)
      }, times.mergeVoice)
    if (this.#state.hasUnpublishedAcks)
      this.#acksTimer ??= setTimeout(() => {
        this.#acksTimer = null
        this.#acksFlushedAt = this.#options.now()
        this.#change({ type: 'flush-acks' }).catch(onFault)
      }, this.#acksDelay())
  }

  /** A lone acknowledgement is published at once; of a crowd the first is, and then the others together. */
  #acksDelay(): number {
    const { now, times } = this.#options
    return now() - this.#acksFlushedAt < times.mergeAcks ? times.mergeAcks : 0
  }

  /** How many phones a command is for, and how many of them are awake and have an open stream to receive it. */
  #delivery(participants: readonly Participant[]): Delivery {
    const online = participants.filter((one) => one.is_online)
    const reachable = online.filter((one) => !one.is_asleep && this.#broadcaster.hasStream(one.roster.id))
    return { targeted: online.length, reachable: reachable.length }
  }
}
