import type { LiveState } from '../../../../shared/mobile.ts'
import type { WordEvent } from '../../../../shared/phone-words.ts'
import { FIRST_COME, type QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomAct } from '../../../../shared/room-act.ts'
import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { SeenAttendee } from '../../../../shared/seat.ts'
import { NO_TURN_LIMIT, type TurnLimit } from '../../../../shared/turns.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { withDashes } from '../../../lib/uuid.ts'
import { speakersByName } from './attendee-matches.ts'
import { ChangeOrder } from './change-order.ts'
import { eventId, type NumberedEvent, seqOf } from './event-id.ts'
import { type HandChange, handChange } from './hands.ts'
import {
  applyStatus,
  askToSpeak,
  clearVoice,
  flushSpeaker,
  flushVoice,
  isDirty,
  liveStateOf,
  lowerHand,
  noteMutedAgain,
  type Participant,
  type PhoneStatus,
  presenceEvent,
  setLastSeen,
  setMuted,
  setPending,
} from './participant.ts'
import { Participants } from './participants.ts'
import type { RoomChange } from './room-change.ts'
import type { RoomSnapshot } from './room-snapshot.ts'
import { RoomWords } from './room-words.ts'
import type { RosterEntry } from './roster.ts'
import { SeatState, type SettledCommand } from './seat-state.ts'
import { type Speech, ZoomSpeeches } from './speeches.ts'
import { addSpeech, addTurn, QUIET_MS } from './spoken.ts'
import { endOfTurn, type TurnEvent, turnEvents } from './turn.ts'

/** Milliseconds per phone. A meeting's start makes every waiting phone request a ticket. */
const SPREAD_MS = 5
const LONGEST_SPREAD_MS = 10_000

interface Outcome {
  events: NumberedEvent[]
  /** Sent to consoles without a number: a console that misses one gets the same from its next poll. */
  notices: RoomEvent[]
  /** Sent to phones without a number: a phone that misses one retries anyway. */
  phoneNotices: RoomEvent[]
  /** Sent to consoles and to the phone of its user, without a number: both get it again with their next stream. */
  turns: TurnEvent[]
  /** Sent to phones without a number: they get them again with their next stream, and with each status call. */
  words: WordEvent[]
  online: RosterEntry[]
  offline: RosterEntry[]
  removed: string[]
  spoken: Speech[]
  hands: HandChange[]
}

const emptyOutcome = (): Outcome => ({
  events: [],
  notices: [],
  phoneNotices: [],
  turns: [],
  words: [],
  online: [],
  offline: [],
  removed: [],
  spoken: [],
  hands: [],
})

const timeOf = (act: RoomAct | undefined) => (act ? Date.parse(act.at) : null)
const actorOf = (act: RoomAct | undefined) => (act ? { by_id: act.by.id, by_name: act.by.name } : {})

/** Holds a room's users and flags, and applies changes. A reducer: it uses no clock, no sockets and no randomness. */
export class RoomState {
  readonly id: string
  readonly epoch: string
  hostMuteAll: boolean
  /** Mute All holds for people in Zoom's own app too, while somebody has the seat. */
  muteAllLock: boolean
  meetingId: string | null
  /** Zoom's id of the meeting that is under way; null between meetings, and in a room without Zoom. */
  sitting: string | null
  /** The latest moment at which a user spoke, had a turn or left, in ms; null while none has spoken. */
  #spokenAt: number | null
  /** The user who last got the floor from the queue, until that user is muted. */
  floorId: string | null
  /** When that user got it, in ms; null where the former release gave it. */
  floorSince: number | null
  turnLimit: TurnLimit
  queueOrder: QueueOrder
  /** The groups of users, by name. */
  groups: readonly UserGroup[]
  /** Null where the former release runs a room that nobody has acted on since. */
  lastAct: RoomAct | null
  /** Counts the changes that affect the polled lists. */
  version: number
  readonly participants: Participants
  /** Users by the names in Zoom, folded, by which the host has them recognised. */
  readonly names: Map<string, string>
  /** Null until somebody takes the seat. */
  seat: SeatState | null
  /** The words of the host that stand. */
  readonly words: RoomWords
  #wordsConfirmed: boolean
  readonly #zoomSpeeches: ZoomSpeeches
  readonly #committed: ChangeOrder
  #seq: number
  #outcome: Outcome = emptyOutcome()
  readonly #dirty: Set<Participant>
  readonly #acknowledged: Set<Participant>

  constructor({ changeNumber, early, participants, dirty, acknowledged, seq, ...shared }: RoomSnapshot) {
    this.id = shared.id
    this.epoch = shared.epoch
    this.version = shared.version
    this.hostMuteAll = shared.hostMuteAll
    this.muteAllLock = shared.muteAllLock ?? true
    this.meetingId = shared.meetingId
    this.sitting = shared.sitting ?? null
    this.#spokenAt = shared.spokenAt ?? null
    this.floorId = shared.floorId
    this.floorSince = shared.floorSince ?? null
    this.turnLimit = shared.turnLimit ?? NO_TURN_LIMIT
    this.queueOrder = shared.queueOrder ?? FIRST_COME
    this.groups = shared.groups ?? []
    this.lastAct = shared.lastAct ?? null
    this.participants = new Participants(participants)
    this.names = new Map(shared.names)
    this.seat = shared.seat ? new SeatState(shared.seat) : null
    this.words = new RoomWords(shared.epoch, shared.words)
    this.#wordsConfirmed = shared.wordsConfirmed ?? false
    this.#zoomSpeeches = new ZoomSpeeches(shared.zoomSpeeches)
    this.#committed = new ChangeOrder(changeNumber, early)
    this.#seq = seq
    this.#dirty = new Set(this.participants.find(dirty))
    this.#acknowledged = new Set(this.participants.find(acknowledged))
  }

  toSnapshot(): RoomSnapshot {
    const { id, epoch, version, hostMuteAll, muteAllLock, meetingId, lastAct, changeNumber } = this
    const { floorId, floorSince, turnLimit, queueOrder, sitting, groups } = this
    const zoomSpeeches = this.#zoomSpeeches.toSnapshot()
    const words = this.words.toSnapshot()
    const idsOf = (some: Iterable<Participant>) => [...some].map(({ roster }) => roster.id)
    return {
      ...{ id, epoch, version, hostMuteAll, muteAllLock, meetingId, lastAct, changeNumber },
      ...{ floorId, floorSince, turnLimit, queueOrder, sitting, spokenAt: this.#spokenAt },
      ...(groups.length > 0 && { groups: [...groups] }),
      seq: this.#seq,
      early: this.#committed.waiting(),
      participants: [...this.participants.all()],
      ...(this.names.size > 0 && { names: [...this.names] }),
      ...(this.seat && { seat: this.seat.toSnapshot() }),
      ...(zoomSpeeches.length > 0 && { zoomSpeeches }),
      ...(words && { words }),
      ...(this.#wordsConfirmed && { wordsConfirmed: true }),
      dirty: idsOf(this.#dirty),
      acknowledged: idsOf(this.#acknowledged),
    }
  }

  /** The number of the last event. */
  get seq(): number {
    return this.#seq
  }

  /** The last applied commit; all before it are applied too. */
  get changeNumber(): number {
    return this.#committed.number
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0
  }

  get hasUnpublishedAcks(): boolean {
    return this.#acknowledged.size > 0
  }

  get hasUnpublishedConfirmations(): boolean {
    return this.#wordsConfirmed
  }

  /** Returns what the phone of this user gets in answer to its calls. */
  liveStateOf(participant: Participant): LiveState {
    return { ...liveStateOf(participant, this.hostMuteAll), words: this.words.forPhone(participant.roster.id) }
  }

  apply(change: RoomChange): Outcome {
    const outcome = emptyOutcome()
    this.#outcome = outcome
    this.#apply(change)
    return outcome
  }

  #apply(change: RoomChange): void {
    switch (change.type) {
      case 'online':
        for (const one of this.participants.find([change.id])) this.#goOnline(one, change.at)
        break
      case 'offline':
        for (const { id, at } of change.users) for (const one of this.participants.find([id])) this.#goOffline(one, at)
        break
      case 'asleep':
      case 'awake':
        this.#setAsleep(change.ids, change.type === 'asleep')
        break
      case 'last-seen':
        for (const { id, at } of change.users) for (const one of this.participants.find([id])) setLastSeen(one, at)
        this.version++
        break
      case 'status':
        for (const one of this.participants.find([change.id])) this.#applyStatus(one, change.status, change.at)
        break
      case 'flush-voice':
        for (const participant of this.#dirty) for (const event of flushVoice(participant)) this.#emit(event)
        this.#dirty.clear()
        break
      case 'acknowledge':
        for (const one of this.participants.find([change.id])) this.#acknowledge(one, change.acks)
        break
      case 'flush-acks':
        this.#flushAcks()
        break
      case 'lower-hands':
        this.#lowerHands(this.participants.findUsers(change.ids))
        break
      case 'mute':
        this.lastAct = change.act ?? this.lastAct
        this.#muteEach(this.participants.findUsers(change.ids), change.is_muted, change.by, change)
        break
      case 'mute-all':
        this.lastAct = change.act ?? this.lastAct
        if (change.lock !== undefined) this.muteAllLock = change.lock
        this.#publishSettled(this.seat?.muteAll(change.active))
        this.#muteAll(change.active, change.except, change.act)
        break
      case 'mute-all-lock':
        this.muteAllLock = change.is_on
        break
      case 'turn-limit':
        this.turnLimit = change.limit
        this.version++
        this.#outcome.turns.push(...turnEvents(this))
        break
      case 'queue-order':
        this.queueOrder = change.order
        this.version++
        break
      case 'groups':
        this.groups = change.groups
        this.participants.keepGroups(new Set(change.groups.map(({ id }) => id)))
        this.version++
        break
      case 'word':
        if (change.word.user_id === null || this.participants.findUsers([change.word.user_id]).length > 0)
          this.#publishWords(this.words.put(change.word))
        break
      case 'word-over':
        this.#publishWords(this.words.takeBack(change.id))
        break
      case 'word-confirmed':
        for (const { roster } of this.participants.find([change.id]))
          if (this.words.confirm(roster.id, change.word, change.answer)) this.#wordsConfirmed = true
        break
      case 'flush-words':
        if (this.#wordsConfirmed) this.version++
        this.#wordsConfirmed = false
        break
      case 'sign-out':
        for (const one of this.participants.find(change.ids)) {
          this.#emit({ name: 'user-deactivated', data: { user_id: one.roster.id, reason: change.reason } })
          this.#goOffline(one, change.at)
        }
        break
      case 'upsert':
        this.participants.upsert(change.entry)
        this.version++
        break
      case 'remove':
        this.#remove(change.id, change.at)
        break
      case 'muted-again':
        for (const one of this.participants.find([change.id]))
          if (noteMutedAgain(one, change.at))
            this.#outcome.notices.push({ name: 'user-muted-again', data: { user_id: change.id } })
        break
      case 'phone-requests':
        this.#outcome.notices.push({ name: 'phone-requests', data: { room_id: this.id } })
        break
      case 'meeting-runs':
        this.#outcome.phoneNotices.push({ name: 'meeting-runs', data: this.#meetingEvent(change.is_running) })
        if (change.sitting !== undefined && change.sitting !== this.sitting) this.#beginMeeting(change.sitting)
        break
      case 'meeting':
        if (change.meeting_id !== this.meetingId) this.participants.setInMeeting(new Set())
        this.meetingId = change.meeting_id
        this.version++
        break
      case 'in-meeting':
        for (const participant of this.participants.find([change.id])) participant.in_meeting = change.in_meeting
        this.version++
        break
      case 'people-in-meeting':
        this.participants.setInMeeting(new Set(change.ids))
        this.version++
        break
      case 'seat-taken':
        this.seat ??= new SeatState()
        this.#publishSettled(this.seat.take(change.holder))
        this.#noteZoomSpeeches(change.holder.taken_at)
        break
      case 'seat-report':
        this.#publishSettled(this.seat?.report(change.report, change.at, change.expires_at))
        if (this.seat?.reportId === change.report.id) this.#settleSeenMutes(change.report.attendees)
        this.#noteZoomSpeeches(change.at)
        break
      case 'seat-ended':
        this.#publishSettled(this.seat?.end(change.epoch, change.how, change.at))
        this.#noteZoomSpeeches(change.at)
        break
      case 'seat-forgotten':
        this.seat?.forgetAttendees(change.epoch)
        break
      case 'seat-command': {
        const dropped = this.seat?.command(change.command, change.at)
        if (!dropped) break
        this.#publishSettled(dropped)
        this.#outcome.notices.push({ name: 'seat-command', data: change.command })
        break
      }
      case 'seat-commands-failed':
        this.#publishSettled(this.seat?.fail(change.ids))
        break
      case 'attendee-allowed':
        this.#publishSettled(this.seat?.allow(change.key, change.is_allowed))
        if (change.id !== null) this.#publishSettled([{ id: change.id, outcome: 'done' }])
        break
      case 'attendee-linked':
        this.seat?.link(change.key, change.user_id)
        break
      case 'attendee-name':
        if (change.user_id === null) this.names.delete(change.name)
        else this.names.set(change.name, change.user_id)
        break
      case 'committed':
        this.#committed.add(change.number, change.changes)
        this.#applyCommitted()
        break
      case 'catch-up':
        // The catch-up was computed from another state, and may miss changes made and reverted since.
        if (change.base !== this.changeNumber || change.number <= change.base) break
        for (const missing of change.changes) this.#apply(missing)
        this.#committed.skipTo(change.number)
        this.#applyCommitted()
        break
    }
  }

  /** Zoom shows that these are muted, whether their phones have acknowledged it or not. */
  #settleSeenMutes(attendees: readonly SeenAttendee[]): void {
    const userOf = ({ customer_key }: SeenAttendee) =>
      customer_key === null ? undefined : this.participants.get(withDashes(customer_key))
    const isPending = ({ pending }: Participant) => pending?.type === 'mute' || pending?.type === 'mute-all'
    const muted = attendees.filter((one) => one.muted === true).flatMap((one) => userOf(one) ?? [])
    if (!muted.some(isPending)) return
    const all = [...(this.seat?.attendees.values() ?? [])]
    const heard = new Set(all.filter((one) => one.muted === false && one.audio !== '').map(userOf))
    for (const one of muted) {
      const { pending } = one
      if (pending && isPending(one) && !heard.has(one)) this.#settle(one, pending.id, 'seat') // none of this key is heard
    }
  }

  #settle(participant: Participant, id: string, by: 'phone' | 'seat'): void {
    if (this.seat?.isIn) this.#publishSettled([{ id, outcome: 'done' }], by)
    participant.pending = null
    this.version++
    if (!participant.isHost) this.#acknowledged.add(participant)
  }

  #publishSettled(settled: SettledCommand[] = [], by: 'phone' | 'seat' = 'seat'): void {
    for (const one of settled) this.#outcome.notices.push({ name: 'command-settled', data: { ...one, by } })
  }

  #meetingEvent(is_running: boolean) {
    const phones = this.participants.counts().online
    return { room_id: this.id, is_running, spread_ms: Math.min(LONGEST_SPREAD_MS, phones * SPREAD_MS) }
  }

  #publishWords(...events: (WordEvent | undefined)[]): void {
    const given = events.filter((event) => event !== undefined)
    if (given.length > 0) this.version++
    this.#outcome.words.push(...given)
  }

  #applyCommitted(): void {
    for (let changes = this.#committed.take(); changes; changes = this.#committed.take())
      for (const change of changes) this.#apply(change)
  }

  #emit(event: RoomEvent): { id: string; seq: number } {
    const seq = ++this.#seq
    const id = eventId(this.epoch, seq)
    this.#outcome.events.push({ id, seq, event })
    return { id, seq }
  }

  #goOnline(participant: Participant, at: number): void {
    if (participant.is_online) return
    if (this.#isQuiet(at)) this.#beginMeeting(null)
    if (!participant.isHost) this.#publishWords(...this.words.noteUser(at))
    participant.is_online = true
    participant.is_asleep = false
    setLastSeen(participant, at)
    this.version++
    if (participant.isHost) return
    this.#outcome.online.push(participant.roster)
    this.#emit(presenceEvent(participant))
  }

  #goOffline(participant: Participant, at: number): void {
    if (participant.is_speaking) this.#noteSpoken(participant, at, at)
    if (participant.wants_to_speak) this.#noteHand(participant, 'left', at)
    clearVoice(participant)
    lowerHand(participant)
    participant.audio = null
    participant.microphone = null
    participant.zoom_code = null
    participant.pending = null
    this.#markDirty([participant])
    if (!participant.is_online) return
    participant.is_online = false
    participant.is_asleep = false
    setLastSeen(participant, at)
    if (this.#spokenAt !== null) this.#spokenAt = Math.max(this.#spokenAt, at)
    this.#outcome.offline.push(participant.roster)
    if (participant.isHost) return
    if (this.words.hasAny && this.#isEmpty()) this.words.noteEmpty(at)
    this.#emit(presenceEvent(participant))
  }

  #setAsleep(ids: string[], isAsleep: boolean): void {
    for (const participant of this.participants.find(ids)) {
      if (!participant.is_online || participant.is_asleep === isAsleep) continue
      participant.is_asleep = isAsleep
      this.version++
      if (!participant.isHost) this.#emit(presenceEvent(participant))
    }
  }

  #applyStatus(participant: Participant, status: PhoneStatus, at: number): void {
    const { audio, zoom_code, microphone } = participant
    const wasSpeaking = participant.is_speaking
    const wasUp = participant.wants_to_speak
    const hasDeclined = status.declined && participant.asked_to_speak
    if (!applyStatus(participant, status, at)) return
    this.version++
    if (participant.isHost) return
    if (wasSpeaking && !participant.is_speaking) this.#noteSpoken(participant, at, at)
    if (participant.wants_to_speak !== wasUp) this.#noteHand(participant, wasUp ? 'down' : 'up', at)
    const hasSoundChanged = participant.audio !== audio || participant.zoom_code !== zoom_code
    if (hasSoundChanged || participant.microphone !== microphone || hasDeclined)
      this.#outcome.notices.push(presenceEvent(participant))
    for (const event of flushSpeaker(participant)) this.#emit(event)
    if (isDirty(participant)) this.#dirty.add(participant)
  }

  /**
   * Returns the newest of these event ids if it settles the phone's pending command, and null otherwise. An
   * acknowledgement covers earlier events too, because a stream keeps their order.
   */
  settlingAck({ pending }: Participant, acks: string[]): string | null {
    if (!pending) return null
    const seq = Math.max(...acks.map((id) => seqOf(this.epoch, id) ?? -1))
    return seq >= pending.seq ? eventId(this.epoch, seq) : null
  }

  #acknowledge(participant: Participant, acks: string[]): void {
    if (!participant.pending || this.settlingAck(participant, acks) === null) return
    this.#settle(participant, participant.pending.id, 'phone')
  }

  /** Omits users who have a newer command pending. */
  #flushAcks(): void {
    const user_ids = [...this.#acknowledged].filter(({ pending }) => !pending).map(({ roster }) => roster.id)
    this.#acknowledged.clear()
    if (user_ids.length > 0) this.#emit({ name: 'commands-acknowledged', data: { user_ids } })
  }

  #muteEach(
    users: Participant[],
    isMuted: boolean,
    by: string,
    { asks = !isMuted, act, at }: { asks?: boolean; act?: RoomAct | undefined; at?: number | undefined } = {},
  ): void {
    const [only, another] = users
    const until = at ?? timeOf(act)
    const isFromQueue = only && !another && !isMuted && only.wants_to_speak
    const changed = users.filter((participant) => {
      const { id } = participant.roster
      const data = { user_id: id, is_muted: isMuted, by, ...actorOf(act) }
      setPending(participant, { ...this.#emit({ name: 'user-mute-status', data }), type: isMuted ? 'mute' : 'unmute' })
      if (isMuted && id === this.floorId) this.#giveFloor(null)
      if (isMuted && participant.is_speaking) this.#noteSpoken(participant, null, until)
      if (asks && participant.wants_to_speak) {
        participant.spoken = addTurn(participant.spoken ?? null)
        if (until !== null) this.#spokenAt = Math.max(this.#spokenAt ?? 0, until)
      }
      if (!isMuted && participant.is_online) this.#noteHand(participant, 'down', until)
      const hasChanged = setMuted(participant, isMuted)
      if (asks) askToSpeak(participant)
      return hasChanged
    })
    if (isFromQueue) this.#giveFloor(only.roster.id, act)
    this.#markDirty(changed)
  }

  #giveFloor(id: string | null, act?: RoomAct): void {
    const { floorId } = this
    if (floorId !== null && floorId !== id) this.#outcome.turns.push(endOfTurn(floorId))
    this.floorId = id
    this.floorSince = id !== null && act ? Date.parse(act.at) : null
    this.#outcome.turns.push(...turnEvents(this))
  }

  /** Publishes one event for all. The host's own phone stays as it is. */
  #muteAll(active: boolean, except: string[], act?: RoomAct): void {
    this.hostMuteAll = active
    const open = this.participants.findUsers(except).filter(({ roster }) => !roster.is_muted)
    const actor = act && { by: act.by.role, ...actorOf(act) }
    const data = {
      room_id: this.id,
      active,
      ...actor,
      ...(open.length > 0 && { except: open.map(({ roster }) => roster.id) }),
    }
    const { id, seq } = this.#emit({ name: 'host-mute-all', data })
    if (active && !open.some(({ roster }) => roster.id === this.floorId)) this.#giveFloor(null)
    const changed = this.participants.users().filter((participant) => {
      if (open.includes(participant)) return false
      setPending(participant, { id, seq, type: active ? 'mute-all' : 'unmute-all' })
      if (active && participant.is_speaking) this.#noteSpoken(participant, null, timeOf(act))
      if (!active && participant.is_online) this.#noteHand(participant, 'down', timeOf(act))
      return setMuted(participant, active)
    })
    this.#markDirty(changed)
    // An older phone applies the event without its exceptions.
    if (open.length > 0) this.#muteEach(open, false, act?.by.role ?? 'host', { asks: false, act })
  }

  #lowerHands(users: Participant[]): void {
    const lowered = users.filter(lowerHand)
    for (const participant of lowered) this.#noteHand(participant, 'down', null)
    this.#markDirty(lowered)
  }

  /** A meeting of Zoom keeps which hands were not called. */
  #noteHand(participant: Participant, became: HandChange['became'], at: number | null): void {
    if (this.sitting === null || participant.isHost) return
    this.#outcome.hands.push(handChange(participant, this.sitting, became, at))
  }

  /** Null as `until`: not known here. */
  #noteSpoken({ roster, isHost, speaking_since }: Participant, ended_at: number | null, until: number | null): void {
    if (isHost || speaking_since === null) return
    this.#outcome.spoken.push({ user_id: roster.id, began_at: speaking_since, ended_at })
    if (until !== null) this.#countSpeech({ user_id: roster.id, began_at: speaking_since, ended_at: until })
  }

  #countSpeech(speech: Speech & { ended_at: number }): void {
    const participant = this.participants.get(speech.user_id)
    if (!participant) return
    participant.spoken = addSpeech(participant.spoken ?? null, speech)
    this.#spokenAt = Math.max(this.#spokenAt ?? 0, speech.ended_at)
    this.version++
  }

  /** True if a room without a meeting at Zoom has been left alone for so long that the next meeting begins. */
  #isQuiet(at: number): boolean {
    if (this.sitting !== null || this.#spokenAt === null || at - this.#spokenAt < QUIET_MS) return false
    return this.#isEmpty()
  }

  #isEmpty(): boolean {
    return !this.participants.users().some((one) => one.is_online)
  }

  #beginMeeting(sitting: string | null): void {
    if (this.sitting !== null) this.#publishWords(...this.words.clear()) // those from before the start still hold
    const waiting = this.participants.users().filter(({ wants_to_speak }) => wants_to_speak)
    for (const participant of waiting) this.#noteHand(participant, 'left', null)
    this.sitting = sitting
    for (const participant of waiting) this.#noteHand(participant, 'up', null)
    this.#spokenAt = null
    for (const participant of this.participants.all()) participant.spoken = null
    this.version++
  }

  /** Leaves out users who are in the app too, whose phones report it themselves. */
  #noteZoomSpeeches(at: number): void {
    const speaking = this.seat ? speakersByName(this.seat, this.participants, this.names) : []
    const counted = speaking.filter((id) => !this.participants.get(id)?.is_online)
    for (const speech of this.#zoomSpeeches.note(new Set(counted), at)) {
      this.#outcome.spoken.push(speech)
      this.#countSpeech({ ...speech, ended_at: speech.ended_at ?? at })
    }
  }

  #markDirty(participants: Participant[]): void {
    this.version++
    for (const participant of participants) if (!participant.isHost) this.#dirty.add(participant)
  }

  #remove(id: string, at: number): void {
    const participant = this.participants.get(id)
    if (!participant || participant.isHost) return
    this.#goOffline(participant, at)
    this.#publishWords(this.words.forgetUser(id))
    this.participants.remove(id)
    if (id === this.floorId) this.#giveFloor(null)
    this.#outcome.removed.push(id)
    this.#dirty.delete(participant)
    this.#acknowledged.delete(participant)
  }
}
