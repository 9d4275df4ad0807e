import type { HostRole } from '../../../shared/auth.ts'
import type { LiveState, RoomSummary } from '../../../shared/mobile.ts'
import type { Moderator } from '../../../shared/moderators.ts'
import type { RoomEvent } from '../../../shared/room-events.ts'
import type { Delivery, RoomUser } from '../../../shared/room-users.ts'
import type { StandingWord } from '../../../shared/room-words.ts'
import type { TurnLimit } from '../../../shared/turns.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { FlushTimers } from './flush-timers.ts'
import { Presence } from './presence.ts'
import type { RoomLog } from './replication/room-log.ts'
import { RoomCommands } from './room-commands.ts'
import { RoomSeat } from './room-seat.ts'
import type { RoomTimes } from './room-times.ts'
import { SentCommands } from './sent-commands.ts'
import { seqOf } from './state/event-id.ts'
import type { HandChange } from './state/hands.ts'
import { type Participant, roomUserOf, stateEvents, stateEventsForPhone } from './state/participant.ts'
import type { Participants } from './state/participants.ts'
import type { RoomChange } from './state/room-change.ts'
import type { RoomSnapshot } from './state/room-snapshot.ts'
import { RoomState } from './state/room-state.ts'
import type { RoomWord } from './state/room-words.ts'
import { nextUserId, type RosterEntry } from './state/roster.ts'
import type { Speech } from './state/speeches.ts'
import { type Floor, isTurnOver, turnEvents } from './state/turn.ts'
import { Broadcaster, type FanOut, type Subscriber } from './streams/broadcaster.ts'
import { EventLog, noticeOf } from './streams/event-log.ts'
import { Moderators } from './streams/moderators.ts'
import { type PolledAnswer, PolledList } from './streams/polled-list.ts'
import { PolledSummary } from './streams/room-summary.ts'
import { type AnswerWithUsers, UserEncoder } from './streams/user-encoder.ts'

/** A page that is loaded again leaves the list and is back within this time, of which consoles are told once. */
const TELL_MODERATORS_MS = 500

/** The roles that see and answer the requests of new phones. */
const ANSWER_PHONES: readonly HostRole[] = ['host', 'manager']

export interface LiveRoomOptions {
  now: Clock
  times: RoomTimes
  fanOut: FanOut
  metrics: Pick<Metrics, 'deliverySeconds' | 'eventLagSeconds'>
  /** A room user came online or went offline. */
  onPresence: (roomId: string, user: RosterEntry, isOnline: boolean) => void
  /** A room user has stopped speaking, perhaps only for a pause. */
  onSpoken: (roomId: string, speech: Speech) => void
  onHand: (roomId: string, hand: HandChange) => void
  /** Receives failures that no caller waits for. */
  onFault: (error: unknown) => void
}

/** A room in memory, with its streams. Its changes are made through `commands`. */
export class LiveRoom {
  readonly commands: RoomCommands
  readonly seat: RoomSeat
  readonly id: string
  readonly hostId: string
  readonly #log: RoomLog
  #state: RoomState
  #events: EventLog
  readonly #broadcaster: Broadcaster
  readonly #presence: Presence
  readonly #users: PolledList
  readonly #online: PolledList
  readonly #summary: PolledSummary
  readonly #moderators = new Moderators()
  #tellingModerators: NodeJS.Timeout | undefined
  readonly #encoder = new UserEncoder()
  readonly #options: LiveRoomOptions
  /** Users who went offline, and whose `last_seen` is not yet in the database. */
  readonly #unsavedOffline: RosterEntry[] = []
  readonly #flushTimers: FlushTimers
  readonly #sentCommands: SentCommands
  #inStepSince: number

  constructor(hostId: string, log: RoomLog, options: LiveRoomOptions) {
    const { id, epoch, seq } = log.start
    this.id = id
    this.hostId = hostId
    this.#options = options
    this.#inStepSince = options.now()
    this.#log = log
    this.#state = new RoomState(log.start)
    this.#events = new EventLog(epoch, seq)
    this.#broadcaster = new Broadcaster(this.#events, options.fanOut)
    this.#presence = new Presence({ ...options, log, find: (id) => this.#participants.get(id) })
    this.#flushTimers = new FlushTimers(log, options)
    this.#sentCommands = new SentCommands((seconds) => options.metrics.deliverySeconds.observe(seconds))
    const room = () => this.#state
    this.commands = new RoomCommands(log, this.#presence, room, options.now)
    const notify = (event: RoomEvent) => this.#broadcaster.notifyConsoles(noticeOf(event))
    this.seat = new RoomSeat({ ...options, log, room, notify })
    this.#users = new PolledList(room, () => {
      const users = this.#participants.users()
      const next_user_id = nextUserId(users.map(({ roster }) => roster))
      return this.#encode(users, { success: true, data: { users: [], next_user_id, groups: this.groups } })
    })
    const roomAndModerators = () => {
      const { epoch, version } = this.#state
      return { epoch, version, tag: this.#moderators.tag }
    }
    this.#online = new PolledList(roomAndModerators, () => {
      const outOfStep = this.isInStep ? {} : { out_of_step: true }
      const { hostMuteAll, floorId, floorSince, turnLimit, queueOrder, lastAct, words } = this.#state
      return this.#encode(this.#participants.online(), {
        success: true,
        data: { users: [] },
        host_mute_all_active: hostMuteAll,
        floor_user_id: floorId,
        floor_since: floorSince === null ? null : new Date(floorSince).toISOString(),
        turn_limit: turnLimit,
        queue_order: queueOrder,
        groups: this.groups,
        words: words.forConsoles(this.#participants),
        last_act: lastAct,
        moderators: this.#moderators.list,
        ...outOfStep,
      })
    })
    this.#summary = new PolledSummary(room)
    log.follow({
      apply: (change, isOwn) => this.#apply(change, isOwn),
      toSnapshot: () => this.#state.toSnapshot(),
      streams: () => this.#broadcaster.userIds(),
      moderators: () => this.#moderators,
      moderatorsElsewhere: (list) => this.#setModeratorsElsewhere(list),
      restart: (start) => this.#restart(start),
      republish: (local) => this.#presence.republish(local.participants).catch(options.onFault),
    })
  }

  get #participants(): Participants {
    return this.#state.participants
  }

  get users(): PolledAnswer {
    return this.#users.answer
  }

  get online(): PolledAnswer {
    this.#moderators.noteAsked()
    return this.#online.answer
  }

  /** Call before `users` is sent: a large list is not built again at once. */
  waitForUsers(): Promise<void> | undefined {
    return this.#users.due()
  }

  /** Call before `online` is sent. */
  waitForOnline(): Promise<void> | undefined {
    return this.#online.due()
  }

  get hostMuteAll(): boolean {
    return this.#state.hostMuteAll
  }

  /** The user who last got the floor from the queue, until that user is muted. */
  get floorId(): string | null {
    return this.#state.floorId
  }

  get turnLimit(): TurnLimit {
    return this.#state.turnLimit
  }

  /** Lists the groups of users by name. */
  get groups(): readonly UserGroup[] {
    return this.#state.groups
  }

  /** Returns the floor of a user who is to be muted now, at the end of the turn. */
  get overdueFloor(): Floor | null {
    const { floorId, floorSince, turnLimit } = this.#state
    return isTurnOver(this.#state, this.#options.now()) ? { floorId, floorSince, turnLimit } : null
  }

  /** The words of the host that stand, the latest last. */
  get words(): readonly RoomWord[] {
    return this.#state.words.standing
  }

  /** Lists them as consoles see them. */
  standingWords(): StandingWord[] {
    return this.#state.words.forConsoles(this.#participants)
  }

  get meetingId(): string | null {
    return this.#state.meetingId
  }

  counts(): { total: number; online: number; muted: number } {
    return this.#participants.counts()
  }

  /** Lists each user's version, as the phone reported it at its last sign-in. */
  appVersions(): (string | null)[] {
    return this.#participants.users().map(({ roster }) => roster.app_version)
  }

  get isInUse(): boolean {
    if (this.#broadcaster.hasSubscribers || this.#unsavedOffline.length > 0 || this.seat.holder) return true
    return [...this.#participants.all()].some((one) => one.is_online)
  }

  /** False while the room runs without the other servers. */
  get isInStep(): boolean {
    return this.#log.isInStep
  }

  /** True once the room has been in step for so long that every online phone has reported. */
  get knowsWhoIsOnline(): boolean {
    return this.isInStep && this.#options.now() - this.#inStepSince > this.#options.times.lease
  }

  /** Returns the online users, and when each of the others was last seen. */
  attendance(): { online: RosterEntry[]; lastSeen: Map<string, Date | null> } {
    return this.#participants.attendance()
  }

  isOnline(id: string): boolean {
    return this.#participants.get(id)?.is_online ?? false
  }

  has(id: string): boolean {
    return this.#participants.get(id) !== undefined
  }

  user(id: string): RoomUser | null {
    const participant = this.#participants.get(id)
    return participant && !participant.isHost ? roomUserOf(participant, this.meetingId !== null) : null
  }

  /** Lists the raised hands of online users, the next to speak first. */
  hands(): { id: string; wants_to_speak_at: number | null }[] {
    const queue = this.#participants.queue(this.#state.queueOrder)
    return queue.map(({ roster, wants_to_speak_at }) => ({ id: roster.id, wants_to_speak_at }))
  }

  /** Includes the host's own phone. */
  roster(): RosterEntry[] {
    return [...this.#participants.all()].map(({ roster }) => roster)
  }

  stateOf(id: string): LiveState | null {
    const participant = this.#participants.get(id)
    return participant ? this.#state.liveStateOf(participant) : null
  }

  /** Summarises the other users for this phone; null if the phone is not of this room. */
  summaryFor(id: string): RoomSummary | null {
    return this.#participants.get(id) ? this.#summary.of(id) : null
  }

  /**
   * Opens a stream with the missed events or the present state. Returns a function that removes it. `by` is the person
   * of a console.
   */
  subscribe(subscriber: Subscriber, lastEventId: string | null, by: Omit<Moderator, 'since'> | null): () => void {
    const { userId } = subscriber
    const unsubscribe = this.#broadcaster.subscribe(
      subscriber,
      lastEventId,
      this.#options.now(),
      (isResumed): RoomEvent[] => {
        if (userId === null && isResumed) return []
        if (userId === null) return [...stateEvents(this.#state, this.#participants.online()), ...this.seat.events()]
        const turn = this.floorId === userId ? turnEvents(this.#state) : []
        const words = this.#state.words.eventsForPhone(userId).map((data) => ({ name: 'word' as const, data }))
        const state = isResumed ? [] : stateEventsForPhone(this.#state, this.#participants.get(userId))
        return [...state, ...turn, ...words]
      },
    )
    if (!by) return unsubscribe
    const since = new Date(this.#options.now()).toISOString()
    if (this.#moderators.add({ ...by, since })) this.#tellModerators()
    return () => {
      unsubscribe()
      if (this.#moderators.remove(by.id)) this.#tellModerators()
    }
  }

  get changeNumber(): number {
    return this.#state.changeNumber
  }

  /** True if one of these events was not published here: it is still to come, or a disconnected server published it. */
  isBehind(ids: string[]): boolean {
    const { epoch, seq } = this.#state
    return ids.some((id) => (seqOf(epoch, id) ?? Number.POSITIVE_INFINITY) > seq)
  }

  /** Counts the phones that a command targets, and those of them that are awake and have an open stream. */
  async deliveryTo(ids: string[] | 'all users', except: string[] = []): Promise<Delivery> {
    const participants = ids === 'all users' ? this.#participants.users() : this.#participants.findUsers(ids)
    let [targeted, reachable] = [0, 0]
    const others: string[] = []
    for (const { is_online, is_asleep, roster } of participants) {
      if (!is_online || except.includes(roster.id)) continue
      targeted++
      if (is_asleep) continue
      if (this.#broadcaster.hasStream(roster.id)) reachable++
      else others.push(roster.id)
    }
    if (others.length > 0) reachable += await this.#log.countStreamsElsewhere(others)
    return { targeted, reachable }
  }

  /**
   * Takes silent phones offline, and ends the streams of offline phones: neither unsent bytes nor TCP reveal a vanished
   * peer in time, and a live one reconnects. Publishes what a stopped server has left unpublished. Returns how many
   * went offline.
   */
  async sweep(): Promise<number> {
    const { now, times } = this.#options
    const at = now()
    const offlineCount = await this.#presence.sweep(this.#participants, at, times)
    this.#broadcaster.endStreamsOfOffline((id) => this.isOnline(id), at - times.lease)
    await this.#flushTimers.flushLeft(this.#state)
    await this.seat.sweep(at)
    return offlineCount
  }

  /** Passes the users who went offline since the last call to `save`, and keeps them if it fails. */
  async flushOffline(save: (users: RosterEntry[]) => Promise<void>): Promise<void> {
    const users = this.#unsavedOffline.splice(0)
    if (users.length > 0) await save(users).catch(() => this.#unsavedOffline.unshift(...users))
  }

  close(): void {
    clearTimeout(this.#tellingModerators)
    this.#flushTimers.close()
    this.seat.close()
    this.#presence.close()
    this.#log.close()
  }

  #encode(participants: readonly Participant[], answer: AnswerWithUsers): Buffer {
    return this.#encoder.encode(answer, participants, this.meetingId !== null)
  }

  /** Every change of the room passes here. Each event is encoded once, then kept and sent. */
  #apply(change: RoomChange, isOwn: boolean): void {
    const pending = change.type === 'acknowledge' ? this.#participants.get(change.id)?.pending : null
    const { events, notices, phoneNotices, turns, words, online, offline, removed, spoken, hands } =
      this.#state.apply(change)
    for (const event of events) this.#broadcaster.publish(this.#events.append(event))
    this.#sentCommands.add(events)
    if (isOwn && pending) this.#sentCommands.acknowledged(pending.seq)
    for (const notice of notices)
      this.#broadcaster.notifyConsoles(noticeOf(notice), notice.name === 'phone-requests' ? ANSWER_PHONES : undefined)
    for (const notice of phoneNotices) this.#broadcaster.notifyPhones(noticeOf(notice))
    for (const turn of turns) this.#broadcaster.notifyConsolesAndPhone(turn.data.user_id, noticeOf(turn))
    for (const data of words) this.#broadcaster.notifyPhonesOf(data.user_id, noticeOf({ name: 'word', data }))
    for (const id of removed) this.#presence.forget(id)
    this.seat.publish()
    if (!isOwn) return
    this.#notifyPresence(online, offline)
    for (const speech of spoken) this.#options.onSpoken(this.id, speech)
    for (const hand of hands) this.#options.onHand(this.id, hand)
    this.#flushTimers.start(this.#state)
  }

  #setModeratorsElsewhere(moderators: readonly Moderator[]): void {
    if (this.#moderators.setElsewhere(moderators)) this.#tellModerators()
  }

  #tellModerators(): void {
    this.#tellingModerators ??= setTimeout(() => {
      this.#tellingModerators = undefined
      const moderators = [...this.#moderators.list]
      this.#broadcaster.notifyConsoles(noticeOf({ name: 'moderators', data: { moderators } }))
    }, TELL_MODERATORS_MS).unref()
  }

  /** Runs where the change was appended. A server out of step does not know who is online at the others. */
  #notifyPresence(online: RosterEntry[], offline: RosterEntry[]): void {
    for (const user of online) this.#options.onPresence(this.id, user, true)
    if (!this.isInStep) return
    this.#unsavedOffline.push(...offline)
    for (const user of offline) this.#options.onPresence(this.id, user, false)
  }

  /** Ends all streams: they start with the present state when they reopen. */
  #restart(start: RoomSnapshot): void {
    this.#state = new RoomState(start)
    this.#events = new EventLog(start.epoch, start.seq)
    this.#broadcaster.restart(this.#events)
    this.#inStepSince = this.#options.now()
    this.#sentCommands.clear()
    this.seat.restart()
    if (this.isInStep) return
    this.#presence.renewLeases()
    this.#setModeratorsElsewhere([])
  }
}
